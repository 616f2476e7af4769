import {
  boundedBigint,
  forbidProto,
  hasOwnKey,
  lengthOf,
  readOwn,
  toNumber,
  toNumeric,
  toPrimitive,
  toText,
  typeOf,
} from './eval-value.ts';
import type { BinaryOperator, UnaryOperator } from './node.ts';
import { type Run, type Site, charge, fail, roomForText } from './run.ts';

export type Operation = (run: Run, left: unknown, right: unknown, at: Site) => unknown;

const identical = (run: Run, left: unknown, right: unknown, at: Site): boolean => {
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
  if (typeof a === 'number' && typeof b === 'number') return ofNumbers(operator, a, b);
  if (typeof a === 'bigint' && typeof b === 'bigint') return boundedBigint(run, ofBigints(operator, run, a, b, at), at);
  return fail('eval.type', at, `${operator} of a bigint and a number`);
};

const ofNumbers = (operator: ArithmeticOperator, a: number, b: number): number => {
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

const ofBigints = (operator: ArithmeticOperator, run: Run, a: bigint, b: bigint, at: Site): bigint => {
  if ((operator === '/' || operator === '%') && b === 0n) fail('eval.range', at, 'A bigint is divided by zero');
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
      return power(run, a, b, at);
  }
};

/** A bigint is never raised to more than the limit can hold: the size is known before. */
const power = (run: Run, base: bigint, exponent: bigint, at: Site): bigint => {
  if (exponent < 0n) fail('eval.range', at, 'A bigint is raised to a negative power');
  const bits = (base < 0n ? -base : base).toString(2).length;
  const most = BigInt(Math.ceil((run.limits.bigintDigits * Math.log2(10)) / Math.max(1, bits - 1)));
  if (bits > 1 && exponent > most)
    fail('limit.bigintDigits', at, `A bigint of more than ${run.limits.bigintDigits} digits`);
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

const hasKey: Operation = (run, left, right, at) => {
  const type = typeOf(right);
  if (type !== 'array' && type !== 'object') fail('eval.type', at, `in takes an array or an object, not ${type}`);
  const key = toText(run, left, at);
  forbidProto(key, at);
  return hasOwnKey(right as object, key);
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
export const isMember = (run: Run, haystack: unknown, needle: unknown, at: Site): boolean => {
  const type = typeOf(haystack);
  if (type === 'array') return includes(run, haystack as object, needle, 0, at);
  if (type === 'object') return hasKey(run, needle, haystack, at) as boolean;
  return fail('eval.type', at, `In takes an array or an object, not ${type}`);
};

const sameValueZero = (a: unknown, b: unknown): boolean => a === b || (a !== a && b !== b);

export const includes = (run: Run, array: object, needle: unknown, from: number, at: Site): boolean => {
  const length = lengthOf(array);
  charge(run, length, at);
  for (let index = from; index < length; index++) if (sameValueZero(readOwn(array, index, at), needle)) return true;
  return false;
};

export const BRANDS = ['Date', 'Array', 'Object', 'RegExp'] as const;
export type Brand = (typeof BRANDS)[number];

export const hasBrandOf = (brand: Brand, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const type = typeOf(value);
  return brand === 'Object' || type === brand.toLowerCase();
};
