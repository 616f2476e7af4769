import type { BinaryOperator, UnaryOperator } from '../tree/node.ts';
import { type Site, byEngine, charge, chargeSlowText, fail, limit, roomForText } from './run.ts';
import {
  boundedBigint,
  findOwn,
  forbidProto,
  plainData,
  toNumber,
  toNumeric,
  toPrimitive,
  toText,
  typeOf,
} from './value.ts';

export type BinaryFunction = (left: unknown, right: unknown, at: Site) => unknown;

/** Texts of the same length are compared character by character. */
export const chargeEquality = (left: unknown, right: unknown, at: Site): void => {
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length)
    charge(left.length >> 10, at);
};

const identical: BinaryFunction = (left, right, at) => {
  chargeEquality(left, right, at);
  return left === right;
};

const POWER_STEPS = 64;

/** A bigint is never raised to more than the limit can hold: the size is known before. */
const checkPower = (base: bigint, exponent: bigint, at: Site): void => {
  charge(POWER_STEPS, at);
  const bits = (base < 0n ? -base : base).toString(2).length - 1;
  limit('bigintDigits', Math.floor(bits * Number(exponent) * Math.log10(2)), at);
};

type OfNumbers = (a: number, b: number) => number;
type Compare = (a: number, b: number) => boolean;

const COMPARISONS = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
} satisfies Record<string, Compare>;

const ARITHMETIC = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
} satisfies Record<string, OfNumbers>;

/** What the operators do with two numbers. */
export const OF_NUMBERS = { ...COMPARISONS, ...ARITHMETIC };

const arithmetic =
  (compute: OfNumbers): BinaryFunction =>
  (left, right, at) => {
    const a = toNumeric(left, at);
    const b = toNumeric(right, at);
    if (compute === ARITHMETIC['**'] && typeof a === 'bigint' && typeof b === 'bigint') checkPower(a, b, at);
    // The operators are the same for bigints, and refuse one beside a number.
    const made: unknown = byEngine(at, () => compute(a as number, b as number));
    return typeof made === 'bigint' ? boundedBigint(made, at) : made;
  };

const sum = arithmetic(ARITHMETIC['+']);

const add: BinaryFunction = (left, right, at) => {
  const a = toPrimitive(left, at, 'any');
  const b = toPrimitive(right, at, 'any');
  if (typeof a !== 'string' && typeof b !== 'string') return sum(a, b, at);
  const first = toText(a, at);
  const second = toText(b, at);
  roomForText(first.length + second.length, at);
  return first + second;
};

const textLength = (value: unknown): number => (typeof value === 'string' ? value.length : Infinity);

const relational =
  (compare: Compare): BinaryFunction =>
  (left, right, at) => {
    const a = toPrimitive(left, at);
    const b = toPrimitive(right, at);
    const length = Math.min(textLength(a), textLength(b));
    charge(length >> 10, at);
    // A text beside a bigint is read as one, in more than linear time.
    if (typeof a === 'bigint' || typeof b === 'bigint') chargeSlowText(length * 4, at);
    // Both are primitives: the operator itself runs nobody's code.
    return compare(a as number, b as number);
  };

export const hasKey: BinaryFunction = (left, right, at) => {
  const object = plainData(right, at);
  const key = toText(left, at);
  chargeSlowText(key.length, at);
  forbidProto(key, at);
  return findOwn(object, key, at) !== undefined;
};

const mapped = <Name extends string, From, To>(
  table: Readonly<Record<Name, From>>,
  make: (from: From) => To,
): Record<Name, To> =>
  Object.fromEntries(Object.entries<From>(table).map(([name, from]) => [name, make(from)])) as Record<Name, To>;

export const BINARY: Readonly<Record<Exclude<BinaryOperator, 'instanceof'>, BinaryFunction>> = {
  ...mapped(COMPARISONS, relational),
  ...mapped(ARITHMETIC, arithmetic),
  '+': add,
  '===': identical,
  '!==': (left, right, at) => !identical(left, right, at),
  in: hasKey,
};

const BRANDS = ['Date', 'Array', 'Object', 'RegExp'] as const;
type BrandTest = `instanceof ${(typeof BRANDS)[number]}`;

const hasBrand = (brand: string, value: unknown): boolean =>
  typeof value === 'object' && value !== null && (brand === 'Object' || typeOf(value) === brand.toLowerCase());

const BRAND_TESTS = Object.fromEntries(
  BRANDS.map((brand) => [`instanceof ${brand}`, (value: unknown) => hasBrand(brand, value)]),
) as Record<BrandTest, (value: unknown) => boolean>;

/** With a test for each brand, and one for what is none. */
export const UNARY: Readonly<Record<UnaryOperator | BrandTest | 'instanceof', (value: unknown, at: Site) => unknown>> =
  {
    ...BRAND_TESTS,
    instanceof: (_value, at) => fail('eval.type', at, `instanceof takes ${BRANDS.join(', ')}`),
    '!': (value) => !value,
    '-': (value, at) => -toNumeric(value, at),
    '+': toNumber,
    typeof: (value) => typeof value,
  };
