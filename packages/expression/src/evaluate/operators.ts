import type { BinaryOperator, UnaryOperator } from '../tree/node.ts';
import { type Run, type Site, charge, chargeSlowText, fail, overLimit, roomForText } from './run.ts';
import {
  boundedBigint,
  findElement,
  forbidProto,
  hasOwnKey,
  plainData,
  toNumber,
  toNumeric,
  toPrimitive,
  toText,
  typeOf,
} from './value.ts';

export type Operation = (run: Run, left: unknown, right: unknown, at: Site) => unknown;

export const identical = (run: Run, left: unknown, right: unknown, at: Site): boolean => {
  if (typeof left === 'string' && left.length >= 1024 && typeof right === 'string' && left.length === right.length)
    charge(run, left.length >> 10, at);
  return left === right;
};

const add = (run: Run, left: unknown, right: unknown, at: Site): unknown => {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  const a = toPrimitive(run, left, 'default', at);
  const b = toPrimitive(run, right, 'default', at);
  if (typeof a === 'string' || typeof b === 'string') {
    const first = toText(run, a, at);
    const second = toText(run, b, at);
    roomForText(run, first.length + second.length, at);
    return first + second;
  }
  return arithmetic('+', run, a, b, at);
};

type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '**';

const arithmetic = (operator: ArithmeticOperator, run: Run, left: unknown, right: unknown, at: Site): unknown => {
  const a = toNumeric(run, left, at);
  const b = toNumeric(run, right, at);
  if (typeof a === 'number' && typeof b === 'number') return compute(operator, a, b);
  if (typeof a !== 'bigint' || typeof b !== 'bigint')
    return fail('eval.type', at, `${operator} of a bigint and a number`);
  if ((operator === '/' || operator === '%') && b === 0n) fail('eval.range', at, 'A bigint is divided by zero');
  // The operators are the same for bigints.
  const made: unknown = operator === '**' ? power(run, a, b, at) : compute(operator, a as never, b as never);
  return boundedBigint(run, made as bigint, at);
};

const compute = (operator: ArithmeticOperator, a: number, b: number): number => {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    case '**':
      return a ** b;
  }
};

/** A bigint is never raised to more than the limit can hold: the size is known before. */
const power = (run: Run, base: bigint, exponent: bigint, at: Site): bigint => {
  if (exponent < 0n) fail('eval.range', at, 'A bigint is raised to a negative power');
  const bits = (base < 0n ? -base : base).toString(2).length;
  const most = BigInt(Math.ceil((run.limits.bigintDigits * Math.log2(10)) / Math.max(1, bits - 1)));
  if (bits > 1 && exponent > most)
    overLimit(run, 'bigintDigits', Math.ceil((bits - 1) * Number(exponent) * Math.log10(2)), at);
  return bits > 1 ? base ** exponent : base ** (exponent % 2n === 0n && exponent > 0n ? 2n : exponent === 0n ? 0n : 1n);
};

const relational =
  (compare: (a: string | number | bigint, b: string | number | bigint) => boolean): Operation =>
  (run, left, right, at) => {
    const a = toPrimitive(run, left, 'number', at);
    const b = toPrimitive(run, right, 'number', at);
    if (typeof a === 'string' || typeof b === 'string') {
      const length = Math.min(textLength(a), textLength(b));
      if (length >= 1024) charge(run, length >> 10, at);
      // A text beside a bigint is read as one, in more than linear time.
      if (typeof a === 'bigint' || typeof b === 'bigint') chargeSlowText(run, length * 4, at);
    }
    // Both are primitives: the operator itself runs nobody's code.
    return compare(a as number, b as number);
  };

const textLength = (value: unknown): number => (typeof value === 'string' ? value.length : Infinity);

const less = relational((a, b) => a < b);
const atMost = relational((a, b) => a <= b);
const greater = relational((a, b) => a > b);
const atLeast = relational((a, b) => a >= b);

const numeric =
  (operator: ArithmeticOperator): Operation =>
  (run, left, right, at) =>
    arithmetic(operator, run, left, right, at);

export const hasKey = (run: Run, left: unknown, right: unknown, at: Site): boolean => {
  const object = plainData(right, at);
  const key = toText(run, left, at);
  chargeSlowText(run, key.length, at);
  forbidProto(key, at);
  return hasOwnKey(object, key);
};

export const BINARY: Readonly<Record<Exclude<BinaryOperator, 'instanceof'>, Operation>> = {
  '===': identical,
  '!==': (run, left, right, at) => !identical(run, left, right, at),
  '<': less,
  '<=': atMost,
  '>': greater,
  '>=': atLeast,
  '+': add,
  '-': numeric('-'),
  '*': numeric('*'),
  '/': numeric('/'),
  '%': numeric('%'),
  '**': numeric('**'),
  in: hasKey,
};

const negate = (run: Run, value: unknown, at: Site): number | bigint => {
  const numericValue = toNumeric(run, value, at);
  return -numericValue;
};

export const UNARY: Readonly<Record<UnaryOperator, (run: Run, value: unknown, at: Site) => unknown>> = {
  '!': (_run, value) => !value,
  '-': negate,
  '+': toNumber,
  typeof: (_run, value) => typeof value,
};

/** `In`: an element of an array, or a key of a plain object. */
export const isMember = (run: Run, haystack: unknown, needle: unknown, at: Site): boolean =>
  Array.isArray(haystack) ? includes(run, haystack, needle, 0, at) : hasKey(run, needle, haystack, at);

export const includes = (run: Run, array: object, needle: unknown, from: number, at: Site): boolean => {
  const isSame = (element: unknown): boolean =>
    identical(run, element, needle, at) || (element !== element && needle !== needle);
  return findElement(run, array, at, isSame, { from, holes: true }) >= 0;
};

export const BRANDS = ['Date', 'Array', 'Object', 'RegExp'] as const;
export type Brand = (typeof BRANDS)[number];

export const hasBrandOf = (brand: Brand, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const type = typeOf(value);
  return brand === 'Object' || type === brand.toLowerCase();
};
