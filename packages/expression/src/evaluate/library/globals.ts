import { chargeEquality, hasKey } from '../operators.ts';
import { type Site, charge, fail } from '../run.ts';
import { toNumber } from '../value.ts';
import { checkParsed, prepareStringify } from './json.ts';
import { allowRegexp } from './methods.ts';
import { type After, type Before, type Kinds, type Method, natives } from './native.ts';
import { chargeSlow } from './string.ts';

const chargeArgument = (_self: unknown, [text = '']: readonly string[], at: Site): void => chargeSlow(text, [], at);

/** No more than a bigint may have. */
const checkBits = (_self: unknown, [bits]: readonly number[], at: Site): void => {
  if (bits! > at.run.limits.bigintDigits * 3) fail('eval.range', at, `${bits} bits are not allowed`);
};

/** ISO 8601 only, and without an offset it is UTC: other texts depend on the engine and on the local time zone. */
const ISO = /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d)?)?(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

const prepareDate = (_self: unknown, args: string[]): void => {
  const [text = '', time, offset] = ISO.exec(`${args[0]}`) ?? [];
  args[0] = time && !offset ? `${text}Z` : text;
};

const now: Method = (_self, _args, at) => {
  const { clock } = at.run;
  return clock ? toNumber(clock(), at) : fail('call.denied', at, 'Date.now needs a clock');
};

/** Functions by their names as they are written, such as `Math.max`. */
const functions = (global: string, names: string, kinds?: Kinds, before?: Before, after?: After): [string, Method][] =>
  Object.entries<Method>(natives(globalThis[global as 'Math'], names, kinds, before, after)).map(([name, call]) => [
    `${global}.${name}`,
    call,
  ]);

const constructors = (name: string, kinds?: Kinds, before?: Before): [string, Method][] =>
  Object.entries<Method>(natives(globalThis, name, kinds, before));

const MATH =
  'abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log log10 log1p log2 max min pow round sign sin sinh sqrt tan tanh trunc';

/** What they are for arguments that are numbers already. */
export const NUMBER_FUNCTIONS: ReadonlyMap<string, (...args: number[]) => number> = new Map(
  MATH.split(' ').map((name) => [`Math.${name}`, Math[name as 'max']]),
);

/** The global functions that trees may call. */
export const GLOBAL_FUNCTIONS: ReadonlyMap<string, Method> = new Map([
  ...functions('Math', MATH, '...number'),
  ...constructors('Number', 'numeric'),
  ...functions('Number', 'isFinite isInteger isNaN isSafeInteger'),
  ...functions('Number', 'parseFloat', 'text', chargeArgument),
  ...functions('Number', 'parseInt', 'text number', chargeArgument),
  ...constructors('String', 'text'),
  ...functions('String', 'fromCharCode fromCodePoint', '...number'),
  ...constructors('Boolean'),
  ...constructors('BigInt', 'bigint'),
  ...functions('BigInt', 'asIntN asUintN', 'number bigint', checkBits),
  ...functions('Array', 'isArray of'),
  ...functions('Object', 'entries keys values', 'data', (_self, [object]: readonly object[], at) =>
    charge(2 * Object.keys(object!).length, at),
  ),
  ['Object.hasOwn', (_self, [object, key], at) => hasKey(key, object, at)],
  ...functions('Object', 'is', '', (_self, [a, b]: readonly unknown[], at) => chargeEquality(a, b, at)),
  ...functions('Date', 'UTC', '...number'),
  ...functions('Date', 'parse', 'text', prepareDate),
  ['Date.now', now],
  ...functions('JSON', 'parse', 'text nothing', chargeArgument, checkParsed),
  ...functions('JSON', 'stringify', 'value nothing', prepareStringify),
  ...constructors('RegExp', 'text text', (_self, [source = '']: readonly string[], at) => allowRegexp(source, at)),
]);
