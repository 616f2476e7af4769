import { charge, fail, roomForText } from '../run.ts';
import { type ValueType, allowRegexp, flagsOf, sourceOf, timeOf, toInteger, toText } from '../value.ts';
import { ARRAY_METHODS } from './array.ts';
import { type Method, STRING_METHODS } from './string.ts';

/** Many digits, or those of another radix, take an engine that much longer. */
const DIGITS_STEPS = 10;

const digits =
  (name: 'toFixed' | 'toPrecision' | 'toExponential' | 'toString', from: number, to: number): Method<number> =>
  (run, self, args, at) => {
    if (args[0] === undefined) return self[name]();
    const count = toInteger(run, args[0], at);
    charge(run, DIGITS_STEPS, at);
    const fits =
      (count >= from && count <= to) || (!Number.isFinite(self) && name !== 'toFixed' && name !== 'toString');
    if (!fits) fail('eval.range', at, `${name} takes ${from} to ${to}`);
    return Number.isFinite(self) ? self[name](count) : `${self}`;
  };

const sameNumber: Method<number> = (_run, self) => self;

export const NUMBER_METHODS = {
  toExponential: digits('toExponential', 0, 100),
  toFixed: digits('toFixed', 0, 100),
  toPrecision: digits('toPrecision', 1, 100),
  toString: digits('toString', 2, 36),
  valueOf: sameNumber,
} satisfies Readonly<Record<string, Method<number>>>;

const DATE_NAMES = [
  'getTime',
  'getUTCDate',
  'getUTCDay',
  'getUTCFullYear',
  'getUTCHours',
  'getUTCMilliseconds',
  'getUTCMinutes',
  'getUTCMonth',
  'getUTCSeconds',
  'toISOString',
  'toJSON',
  'toUTCString',
  'valueOf',
] as const;

const dateMethod =
  (name: (typeof DATE_NAMES)[number]): Method<Date> =>
  (_run, self, _args, at) => {
    const date = new Date(timeOf(self));
    if (name === 'toISOString' && Number.isNaN(timeOf(date))) fail('eval.range', at, 'The date is invalid');
    return date[name]();
  };

export const DATE_METHODS = Object.fromEntries(DATE_NAMES.map((name) => [name, dateMethod(name)])) as Readonly<
  Record<(typeof DATE_NAMES)[number], Method<Date>>
>;

const regexpExec = RegExp.prototype.exec;

const REGEXP_METHODS: Readonly<Record<string, Method<RegExp>>> = {
  test: (run, self, args, at) => {
    const source = sourceOf(self);
    allowRegexp(run, source, at);
    const text = toText(run, args[0], at);
    roomForText(run, text.length, at);
    // A copy: lastIndex and methods that someone put on the object do not count.
    return Reflect.apply(regexpExec, new RegExp(source, flagsOf(self)), [text]) !== null;
  },
};

const table = (methods: Readonly<Record<string, Method<never>>> = {}): ReadonlyMap<string, Method> =>
  new Map(Object.entries(methods)) as unknown as ReadonlyMap<string, Method>;

/** The methods that trees may call, by the type of the receiver. */
export const METHODS: Readonly<Record<ValueType, ReadonlyMap<string, Method>>> = {
  undefined: table(),
  null: table(),
  boolean: table(),
  bigint: table(),
  object: table(),
  number: table(NUMBER_METHODS),
  string: table(STRING_METHODS),
  array: table(ARRAY_METHODS),
  date: table(DATE_METHODS),
  regexp: table(REGEXP_METHODS),
};
