import { type ValueType, flagsOf, sourceOf, timeOf, toInteger, toText } from './eval-value.ts';
import { ARRAY_METHODS } from './methods-array.ts';
import { type Method, STRING_METHODS } from './methods-string.ts';
import { fail, roomForText } from './run.ts';

const digits =
  (name: 'toFixed' | 'toPrecision' | 'toExponential' | 'toString', from: number, to: number): Method<number> =>
  (run, self, args, at) => {
    if (args[0] === undefined) return self[name]();
    const count = toInteger(run, args[0], at);
    const fits =
      (count >= from && count <= to) || (!Number.isFinite(self) && name !== 'toFixed' && name !== 'toString');
    if (!fits) fail('eval.range', at, `${name} takes ${from} to ${to}`);
    return Number.isFinite(self) ? self[name](count) : `${self}`;
  };

const sameNumber: Method<number> = (_run, self) => self;

const NUMBER_METHODS: Readonly<Record<string, Method<number>>> = {
  toExponential: digits('toExponential', 0, 100),
  toFixed: digits('toFixed', 0, 100),
  toPrecision: digits('toPrecision', 1, 100),
  toString: digits('toString', 2, 36),
  valueOf: sameNumber,
};

const part =
  (read: (date: Date) => number): Method<Date> =>
  (_run, self) =>
    read(new Date(timeOf(self)));

const time: Method<Date> = (_run, self) => timeOf(self);

const DATE_METHODS: Readonly<Record<string, Method<Date>>> = {
  getTime: time,
  getUTCDate: part((date) => date.getUTCDate()),
  getUTCDay: part((date) => date.getUTCDay()),
  getUTCFullYear: part((date) => date.getUTCFullYear()),
  getUTCHours: part((date) => date.getUTCHours()),
  getUTCMilliseconds: part((date) => date.getUTCMilliseconds()),
  getUTCMinutes: part((date) => date.getUTCMinutes()),
  getUTCMonth: part((date) => date.getUTCMonth()),
  getUTCSeconds: part((date) => date.getUTCSeconds()),
  toISOString: (_run, self, _args, at) => {
    const ms = timeOf(self);
    return Number.isNaN(ms) ? fail('eval.range', at, 'The date is invalid') : new Date(ms).toISOString();
  },
  toJSON: (_run, self) => new Date(timeOf(self)).toJSON(),
  toUTCString: (_run, self) => new Date(timeOf(self)).toUTCString(),
  valueOf: time,
};

const regexpExec = RegExp.prototype.exec;

const REGEXP_METHODS: Readonly<Record<string, Method<RegExp>>> = {
  test: (run, self, args, at) => {
    if (!run.regexps) fail('call.denied', at, 'Regular expressions are not allowed here');
    const source = sourceOf(self);
    if (source.length > run.limits.regexpLength)
      fail('limit.regexpLength', at, `A regular expression of ${source.length} characters`);
    const text = toText(run, args[0], at);
    roomForText(run, text.length, at);
    // A copy: lastIndex and methods that someone put on the object do not count.
    return Reflect.apply(regexpExec, new RegExp(source, flagsOf(self)), [text]) !== null;
  },
};

const NONE: Readonly<Record<string, Method<never>>> = {};

const table = (methods: Readonly<Record<string, Method<never>>>): ReadonlyMap<string, Method> =>
  new Map(Object.entries(methods)) as unknown as ReadonlyMap<string, Method>;

/** The methods that trees may call, by the type of the receiver. */
export const METHODS: Readonly<Record<ValueType, ReadonlyMap<string, Method>>> = {
  undefined: table(NONE),
  null: table(NONE),
  boolean: table(NONE),
  bigint: table(NONE),
  object: table(NONE),
  number: table(NUMBER_METHODS),
  string: table(STRING_METHODS),
  array: table(ARRAY_METHODS),
  date: table(DATE_METHODS),
  regexp: table(REGEXP_METHODS),
};
