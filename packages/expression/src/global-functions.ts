import { parseJson, writeJson } from './eval-json.ts';
import {
  boundedBigint,
  forbidProto,
  hasOwnKey,
  ownEntries,
  toInteger,
  toNumber,
  toNumeric,
  toPrimitive,
  toText,
  typeOf,
} from './eval-value.ts';
import { elementsOf } from './methods-array.ts';
import { type Run, type Site, fail, roomForItems, roomForText } from './run.ts';

export type GlobalFunction = (run: Run, args: readonly unknown[], at: Site) => unknown;

const MATH = [
  'abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul',
  'log log10 log1p log2 max min pow round sign sin sinh sqrt tan tanh trunc',
]
  .join(' ')
  .split(' ');

const math = (name: string): GlobalFunction => {
  const compute = (Math as unknown as Record<string, (...args: number[]) => number>)[name]!;
  return (run, args, at) => compute(...args.map((arg) => toNumber(run, arg, at)));
};

const digitsLimit = (run: Run, text: string, at: Site): void => {
  if (text.length > run.limits.bigintDigits + 3)
    fail('limit.bigintDigits', at, `A bigint of more than ${run.limits.bigintDigits} digits`);
};

const toBigint: GlobalFunction = (run, args, at) => {
  const value = toPrimitive(run, args[0], 'number', at);
  if (typeof value === 'bigint') return boundedBigint(run, value, at);
  if (typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) fail('eval.range', at, 'Only integers become bigints');
    return boundedBigint(run, BigInt(value), at);
  }
  if (typeof value !== 'string') return fail('eval.type', at, `${value} does not become a bigint`);
  const digits = value.trim();
  digitsLimit(run, digits, at);
  let made: bigint;
  try {
    made = BigInt(digits);
  } catch {
    return fail('eval.syntax', at, 'The text is no bigint');
  }
  return boundedBigint(run, made, at);
};

const wrapBigint =
  (wrap: (bits: number, value: bigint) => bigint): GlobalFunction =>
  (run, args, at) => {
    const bits = toInteger(run, args[0], at);
    if (bits < 0 || bits > run.limits.bigintDigits * 3) fail('eval.range', at, 'A number of bits that is not allowed');
    return boundedBigint(run, wrap(bits, toBigint(run, [args[1]], at) as bigint), at);
  };

/** ISO 8601 only, and without an offset it is UTC: other texts depend on the engine and on the local time zone. */
const parseDate: GlobalFunction = (run, args, at) => {
  const text = toText(run, args[0], at);
  const form = /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d)?)?(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(
    text.slice(0, 64),
  );
  if (!form || text.length > 64) return NaN;
  return Date.parse(form[1] !== undefined && form[2] === undefined ? `${text}Z` : text);
};

const now: GlobalFunction = (run, _args, at) => {
  if (!run.clock) return fail('call.denied', at, 'Date.now needs a clock');
  return toNumber(run, run.clock(), at);
};

/** Plain data: an array or an object. */
const entries = (run: Run, value: unknown, at: Site): [string, unknown][] => {
  const type = typeOf(value);
  if (type !== 'array' && type !== 'object') fail('eval.type', at, `An array or an object is wanted, not ${type}`);
  const found = ownEntries(run, value as object, at);
  roomForItems(run, found.length, at);
  return found;
};

const regexp: GlobalFunction = (run, args, at) => {
  if (!run.regexps) fail('call.denied', at, 'Regular expressions are not allowed here');
  const source = toText(run, args[0] ?? '', at);
  const flags = args[1] === undefined ? '' : toText(run, args[1], at);
  if (source.length > run.limits.regexpLength)
    fail('limit.regexpLength', at, `A regular expression of ${source.length} characters`);
  try {
    return new RegExp(source, flags);
  } catch {
    return fail('eval.syntax', at, 'No regular expression');
  }
};

const fromCodes =
  (make: (code: number, at: Site) => string): GlobalFunction =>
  (run, args, at) => {
    roomForText(run, args.length * 2, at);
    return args.map((arg) => make(toNumber(run, arg, at), at)).join('');
  };

const codePoint = (code: number, at: Site): string =>
  Number.isInteger(code) && code >= 0 && code <= 0x10ffff
    ? String.fromCodePoint(code)
    : fail('eval.range', at, `No code point ${code}`);

const FUNCTIONS: readonly (readonly [string, GlobalFunction])[] = [
  ...MATH.map((name) => [`Math.${name}`, math(name)] as const),
  ['Number', (run, args, at) => (args.length === 0 ? 0 : Number(toNumeric(run, args[0], at)))],
  ['Number.isFinite', (_run, args) => Number.isFinite(args[0])],
  ['Number.isInteger', (_run, args) => Number.isInteger(args[0])],
  ['Number.isNaN', (_run, args) => Number.isNaN(args[0])],
  ['Number.isSafeInteger', (_run, args) => Number.isSafeInteger(args[0])],
  ['Number.parseFloat', (run, args, at) => Number.parseFloat(toText(run, args[0], at))],
  [
    'Number.parseInt',
    (run, args, at) => {
      const text = toText(run, args[0], at);
      return Number.parseInt(text, toInteger(run, args[1], at));
    },
  ],
  ['String', (run, args, at) => (args.length === 0 ? '' : toText(run, args[0], at))],
  ['String.fromCharCode', fromCodes((code) => String.fromCharCode(code))],
  ['String.fromCodePoint', fromCodes(codePoint)],
  ['Boolean', (_run, args) => !!args[0]],
  ['BigInt', toBigint],
  ['BigInt.asIntN', wrapBigint((bits, value) => BigInt.asIntN(bits, value))],
  ['BigInt.asUintN', wrapBigint((bits, value) => BigInt.asUintN(bits, value))],
  ['Array.isArray', (_run, args) => Array.isArray(args[0])],
  ['Array.of', (run, args, at) => elementsOf(run, [...args], at)],
  ['Object.entries', (run, args, at) => entries(run, args[0], at).map(([key, value]) => [key, value])],
  ['Object.keys', (run, args, at) => entries(run, args[0], at).map(([key]) => key)],
  ['Object.values', (run, args, at) => entries(run, args[0], at).map(([, value]) => value)],
  [
    'Object.hasOwn',
    (run, args, at) => {
      const type = typeOf(args[0]);
      if (type !== 'array' && type !== 'object') fail('eval.type', at, `An array or an object is wanted, not ${type}`);
      const key = toText(run, args[1], at);
      forbidProto(key, at);
      return hasOwnKey(args[0] as object, key);
    },
  ],
  ['Object.is', (_run, args) => Object.is(args[0], args[1])],
  ['Date.UTC', (run, args, at) => utc(args.map((arg) => toNumber(run, arg, at)))],
  ['Date.parse', parseDate],
  ['Date.now', now],
  [
    'JSON.parse',
    (run, args, at) => (args[1] === undefined ? parseJson(run, args[0], at) : fail('eval.type', at, 'No reviver')),
  ],
  ['JSON.stringify', writeJson],
  ['RegExp', regexp],
];

const utc = (parts: readonly number[]): number => Date.UTC(...(parts as [number, number]));

const TABLE: ReadonlyMap<string, GlobalFunction> = new Map(FUNCTIONS);

/** A global function by its name as it is written, such as `Math.max` or `String`. */
export const findGlobalFunction = (name: string): GlobalFunction | undefined => TABLE.get(name);

const VALUES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
]);

export const findGlobalValue = (name: string): { value: unknown } | undefined =>
  VALUES.has(name) ? { value: VALUES.get(name) } : undefined;
