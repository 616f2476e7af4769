import { type Site, charge, chargeSlowText, fail, limit, roomForText } from './run.ts';

export type ValueType =
  | 'undefined'
  | 'null'
  | 'boolean'
  | 'number'
  | 'bigint'
  | 'string'
  | 'date'
  | 'regexp'
  | 'array'
  | 'object';

// Taken once: nothing that later changes a prototype may change what a conversion does.
const getDescriptor = Object.getOwnPropertyDescriptor;
const hasOwn = Object.hasOwn;
const apply = Reflect.apply;
const objectPrototype = Object.prototype;
const readTime = Date.prototype.getTime;
const readerOf = (name: string): (() => unknown) | undefined => getDescriptor(RegExp.prototype, name)?.get;
const readSource = readerOf('source')!;
/** Those that the engine knows. */
const FLAGS = Object.entries({
  d: 'hasIndices',
  g: 'global',
  i: 'ignoreCase',
  m: 'multiline',
  s: 'dotAll',
  u: 'unicode',
  v: 'unicodeSets',
  y: 'sticky',
}).flatMap(([flag, name]) => {
  const read = readerOf(name);
  return read ? [[flag, read] as const] : [];
});

/** A brand test; the methods of an object are never asked. */
const hasBrand = (read: (this: never) => unknown, value: object): boolean => {
  try {
    apply(read, value as never, []);
    return true;
  } catch {
    return false;
  }
};

/** Whether a brand test is worth it: one that fails throws, which takes long. */
const inherits = (prototype: unknown, name: string): boolean => {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at) as unknown)
    if (hasOwn(at as object, name)) return true;
  return false;
};

/** The type of what is known to be a value: neither a function nor a symbol. */
export const typeOf = (value: unknown): ValueType => {
  if (typeof value !== 'object') return typeof value as ValueType;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === objectPrototype || prototype === null) return 'object';
  if (inherits(prototype, 'getTime') && hasBrand(readTime, value)) return 'date';
  const isRegexp = inherits(prototype, 'exec') && value !== RegExp.prototype && hasBrand(readSource, value);
  return isRegexp ? 'regexp' : 'object';
};

const timeOf = (date: unknown): number => apply(readTime, date as Date, []);

const REGEXP_STEPS = 16;
const DATE_TEXT_STEPS = 32;
const NUMBER_TEXT_STEPS = 2;

/** A Date or RegExp of our own, that nobody else holds or has put anything on; any other value itself. */
export const cleanCopy = (value: unknown, at: Site): unknown => {
  const type = typeOf(value);
  if (type === 'date') return new Date(timeOf(value));
  if (type !== 'regexp') return value;
  const source = apply(readSource, value, []) as string;
  charge(REGEXP_STEPS + (source.length >> 4), at);
  const flags = FLAGS.map(([flag, read]) => (apply(read, value, []) ? flag : '')).join('');
  return new RegExp(source, flags);
};

/** True for a function or a symbol. */
export const isNoValue = (value: unknown): boolean => typeof value === 'function' || typeof value === 'symbol';

/** What is read from data. */
export const checked = (value: unknown, at: Site): unknown =>
  isNoValue(value) ? fail('eval.notValue', at, `A ${typeof value} in data is no value`) : value;

export const forbidProto = (key: string, at: Site): void => {
  if (key === '__proto__') fail('key.forbidden', at, '__proto__ is not allowed');
};

/** An own data property of what is neither null nor undefined. Accessors do not run, and are as good as absent. */
export const findOwn = (object: unknown, key: string | number, at: Site): PropertyDescriptor | undefined => {
  const descriptor = getDescriptor(object, key);
  if (descriptor === undefined || hasOwn(descriptor, 'value')) return descriptor;
  at.run.metAccessor = true;
  return undefined;
};

export const readOwn = (object: unknown, key: string | number, at: Site): unknown =>
  checked(findOwn(object, key, at)?.value, at);

/** The length of a real array, however it was subclassed. */
export const lengthOf = (array: object): number => getDescriptor(array, 'length')!.value as number;

/** The elements as an array of ours, with holes where there are none. */
export const elementsOf = (array: object, at: Site): unknown[] => {
  const length = lengthOf(array);
  charge(3 * length, at);
  const elements: unknown[] = [];
  elements.length = length;
  for (let index = 0; index < length; index++) {
    const found = findOwn(array, index, at);
    if (found) elements[index] = checked(found.value, at);
  }
  return elements;
};

/** The own enumerable data properties, in order. */
export const ownEntries = (object: object, at: Site): [string, unknown][] => {
  const entries: [string, unknown][] = [];
  const keys = Reflect.ownKeys(object);
  charge(6 * keys.length, at);
  for (const key of keys) {
    const found = typeof key === 'string' ? findOwn(object, key, at) : undefined;
    if (!found?.enumerable) continue;
    forbidProto(key as string, at);
    entries.push([key as string, checked(found.value, at)]);
  }
  return entries;
};

/** An array or an object. */
export const plainData = (value: unknown, at: Site): object => {
  const type = typeOf(value);
  return type === 'array' || type === 'object'
    ? (value as object)
    : fail('eval.type', at, `An array or an object is wanted, not ${type}`);
};

export interface Copying {
  /** Hears of every part before it is copied. */
  readonly visit?: (part: unknown, type: ValueType, depth: number, key: string) => void;
  /** What becomes of the copy of an array or object. */
  readonly finish?: (copy: object) => object;
}

/** A deep copy of own data. */
export const copyData = (value: unknown, at: Site, copying: Copying = {}, depth = 1, key = ''): unknown => {
  const { visit, finish = (copy) => copy } = copying;
  const copyPart = (part: unknown, name: string): unknown => copyData(part, at, copying, depth + 1, name);
  limit('depth', depth, at);
  charge(6, at);
  const type = typeOf(checked(value, at));
  visit?.(value, type, depth, key);
  if (type === 'array') return finish(Array.from(elementsOf(value as object, at), (part) => copyPart(part, '')));
  if (type !== 'object') return cleanCopy(value, at);
  return finish(
    Object.fromEntries(ownEntries(value as object, at).map(([name, part]) => [name, copyPart(part, name)])),
  );
};

const BIGINT_STEPS = 64;

export const boundedBigint = (value: bigint, at: Site): bigint => {
  if (BigInt.asIntN(64, value) !== value) charge(BIGINT_STEPS, at);
  // Digits are counted only where they may be too many: there are more than three bits in each.
  if (BigInt.asIntN(at.run.limits.bigintDigits * 3, value) !== value) {
    const { length } = `${value}`.replace('-', '');
    limit('bigintDigits', length, at);
    charge(length, at);
  }
  return value;
};

export const joinArray = (array: object, separator: string, at: Site, depth = 1): string => {
  limit('depth', depth, at);
  const elements = elementsOf(array, at);
  charge(6 * elements.length, at);
  let length = separator.length * Math.max(0, elements.length - 1);
  const parts = elements.map((element) => {
    const part = toText(element ?? '', at, depth + 1);
    limit('outputStringLength', (length += part.length), at);
    return part;
  });
  roomForText(length, at);
  return parts.join(separator);
};

/** What `Date.prototype.toString` gives where the local time zone is UTC. */
const dateText = (date: Date): string =>
  date.toUTCString().replace(/^(\w+), (\d+) (\w+) (.*)$/, '$1 $3 $2 $4+0000 (Coordinated Universal Time)');

/** `depth` is that of an array, if it is one. */
export const toText = (value: unknown, at: Site, depth = 1): string => {
  const type = typeOf(checked(value, at));
  if (type === 'array') return joinArray(value as object, ',', at, depth);
  if (type === 'object') return '[object Object]';
  if (type === 'date') {
    charge(DATE_TEXT_STEPS, at);
    return dateText(cleanCopy(value, at) as Date);
  }
  if (type === 'number') charge(NUMBER_TEXT_STEPS, at);
  if (type !== 'bigint') return `${cleanCopy(value, at) as RegExp | boolean}`;
  const digits = `${boundedBigint(value as bigint, at)}`;
  chargeSlowText(digits.length, at);
  return digits;
};

export type Primitive = undefined | null | boolean | number | bigint | string;

/** ToPrimitive as unmodified objects have it; only of a Date it matters what is wanted. */
export const toPrimitive = (value: unknown, at: Site, wanted: 'number' | 'any' = 'number'): Primitive => {
  if (typeof value !== 'object' || value === null) return checked(value, at) as Primitive;
  return wanted === 'number' && typeOf(value) === 'date' ? timeOf(value) : toText(value, at);
};

export const toNumeric = (value: unknown, at: Site): number | bigint => {
  const primitive = toPrimitive(value, at);
  if (typeof primitive === 'bigint') return boundedBigint(primitive, at);
  if (typeof primitive === 'string') chargeSlowText(primitive.length, at);
  return Number(primitive);
};

export const toNumber = (value: unknown, at: Site): number => {
  const numeric = toNumeric(value, at);
  return typeof numeric === 'number' ? numeric : fail('eval.type', at, 'A number is wanted, not bigint');
};
