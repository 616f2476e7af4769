import { VALUE_GLOBALS } from '../../tree/globals.ts';
import { hasKey, identical } from '../operators.ts';
import { type Run, type Site, chargeSlowText, fail, overLimit, roomForItems, roomForText } from '../run.ts';
import {
  allowRegexp,
  boundedBigint,
  ownEntries,
  plainData,
  toInteger,
  toNumber,
  toNumeric,
  toPrimitive,
  toText,
} from '../value.ts';
import { elementsOf } from './array.ts';
import { parseJson, writeJson } from './json.ts';

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

const toBigint: GlobalFunction = (run, args, at) => {
  const value = toPrimitive(run, args[0], 'number', at);
  if (value === undefined || value === null) return fail('eval.type', at, `${value} does not become a bigint`);
  const digits = typeof value === 'string' ? value.trim() : value;
  if (typeof digits === 'string') {
    if (digits.length > run.limits.bigintDigits + 3) overLimit(run, 'bigintDigits', digits.length, at);
    chargeSlowText(run, digits.length, at);
  }
  let made: bigint;
  try {
    made = BigInt(digits);
  } catch {
    return typeof digits === 'number'
      ? fail('eval.range', at, 'Only integers become bigints')
      : fail('eval.syntax', at, 'The text is no bigint');
  }
  return boundedBigint(run, made, at);
};

const wrapBigint =
  (name: 'asIntN' | 'asUintN'): GlobalFunction =>
  (run, args, at) => {
    const bits = toInteger(run, args[0], at);
    if (bits < 0 || bits > run.limits.bigintDigits * 3) fail('eval.range', at, 'A number of bits that is not allowed');
    return boundedBigint(run, BigInt[name](bits, toBigint(run, [args[1]], at) as bigint), at);
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

const entries =
  (take: (entry: [string, unknown]) => unknown): GlobalFunction =>
  (run, [value], at) => {
    const found = ownEntries(run, plainData(value, at), at);
    roomForItems(run, found.length, at);
    return found.map(take);
  };

const regexp: GlobalFunction = (run, args, at) => {
  if (!run.regexps) allowRegexp(run, '', at);
  const source = toText(run, args[0] ?? '', at);
  const flags = args[1] === undefined ? '' : toText(run, args[1], at);
  allowRegexp(run, source, at);
  try {
    return new RegExp(source, flags);
  } catch {
    return fail('eval.syntax', at, 'No regular expression');
  }
};

const fromCodes =
  (name: 'fromCharCode' | 'fromCodePoint'): GlobalFunction =>
  (run, args, at) => {
    roomForText(run, args.length * 2, at);
    const codes = args.map((arg) => toNumber(run, arg, at));
    try {
      return String[name](...codes);
    } catch {
      return fail('eval.range', at, `No code points ${codes.join()}`);
    }
  };

const slowText = (run: Run, value: unknown, at: Site): string => {
  const text = toText(run, value, at);
  chargeSlowText(run, text.length, at);
  return text;
};

const FUNCTIONS: readonly (readonly [string, GlobalFunction])[] = [
  ...MATH.map((name) => [`Math.${name}`, math(name)] as const),
  ['Number', (run, args, at) => (args.length === 0 ? 0 : Number(toNumeric(run, args[0], at)))],
  ...(['isFinite', 'isInteger', 'isNaN', 'isSafeInteger'] as const).map(
    (name) => [`Number.${name}`, (_run: Run, args: readonly unknown[]) => Number[name](args[0])] as const,
  ),
  ['Number.parseFloat', (run, args, at) => Number.parseFloat(slowText(run, args[0], at))],
  ['Number.parseInt', (run, args, at) => Number.parseInt(slowText(run, args[0], at), toInteger(run, args[1], at))],
  ['String', (run, args, at) => (args.length === 0 ? '' : toText(run, args[0], at))],
  ['String.fromCharCode', fromCodes('fromCharCode')],
  ['String.fromCodePoint', fromCodes('fromCodePoint')],
  ['Boolean', (_run, args) => !!args[0]],
  ['BigInt', toBigint],
  ['BigInt.asIntN', wrapBigint('asIntN')],
  ['BigInt.asUintN', wrapBigint('asUintN')],
  ['Array.isArray', (_run, args) => Array.isArray(args[0])],
  ['Array.of', (run, args, at) => elementsOf(run, [...args], at)],
  ['Object.entries', entries((entry) => entry)],
  ['Object.keys', entries(([key]) => key)],
  ['Object.values', entries(([, value]) => value)],
  ['Object.hasOwn', (run, args, at) => hasKey(run, args[1], args[0], at)],
  ['Object.is', (run, args, at) => (identical(run, args[0], args[1], at), Object.is(args[0], args[1]))],
  ['Date.UTC', (run, args, at) => Date.UTC(...(args.map((arg) => toNumber(run, arg, at)) as [number, number]))],
  ['Date.parse', parseDate],
  ['Date.now', now],
  [
    'JSON.parse',
    (run, args, at) => (args[1] === undefined ? parseJson(run, args[0], at) : fail('eval.type', at, 'No reviver')),
  ],
  ['JSON.stringify', writeJson],
  ['RegExp', regexp],
];

const TABLE: ReadonlyMap<string, GlobalFunction> = new Map(FUNCTIONS);

/** A global function by its name as it is written, such as `Math.max` or `String`. */
export const findGlobalFunction = (name: string): GlobalFunction | undefined => TABLE.get(name);

export const findGlobalValue = (name: string): { value: unknown } | undefined =>
  VALUE_GLOBALS.has(name) ? { value: name === 'undefined' ? undefined : Number(name) } : undefined;
