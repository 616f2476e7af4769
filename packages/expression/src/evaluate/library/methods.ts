import { type Site, charge, fail, limit, roomForText } from '../run.ts';
import { ARRAY_METHODS } from './array.ts';
import { LOCAL_DATE_METHODS } from './local-date.ts';
import { type Method, natives } from './native.ts';
import { STRING_METHODS } from './string.ts';

/** Many digits, or those of another radix, take an engine that much longer. */
const DIGITS_STEPS = 10;

const chargeDigits = (_self: number, [count]: readonly unknown[], at: Site): void =>
  charge(count === undefined ? 0 : DIGITS_STEPS, at);

export const NUMBER_METHODS = {
  ...natives(Number.prototype, 'toExponential toFixed toPrecision toString', 'number', chargeDigits),
  ...natives(Number.prototype, 'valueOf'),
};

const chargeDateText = (_self: Date, _args: unknown, at: Site): void => charge(DIGITS_STEPS, at);

export const DATE_METHODS = {
  ...LOCAL_DATE_METHODS,
  ...natives(
    Date.prototype,
    'getTime getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds valueOf',
  ),
  ...natives(Date.prototype, 'toISOString toJSON toUTCString', '', chargeDateText),
};

export const allowRegexp = (source: string, at: Site): void => {
  if (!at.run.regexps) fail('call.denied', at, 'No regular expression is allowed');
  limit('regexpLength', source.length, at);
};

const REGEXP_METHODS = natives(
  RegExp.prototype,
  'test',
  'text',
  ({ source }: RegExp, [text]: readonly (string | undefined)[], at) => {
    allowRegexp(source, at);
    roomForText(`${text}`.length, at);
  },
);

const table = (methods: Readonly<Record<string, Method>> = {}): ReadonlyMap<string, Method> =>
  new Map(Object.entries(methods));

/** The methods that trees may call, by the type of the receiver; others have none. */
export const METHODS: Readonly<Record<string, ReadonlyMap<string, Method>>> = {
  number: table(NUMBER_METHODS),
  string: table(STRING_METHODS),
  array: table(ARRAY_METHODS),
  date: table(DATE_METHODS),
  regexp: table(REGEXP_METHODS),
};
