import { type Run, type Site, charge, chargeSlowText, fail, limitText, overLimit, roomForText } from './run.ts';

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
const getPrototype = Object.getPrototypeOf;
const hasOwn = Object.hasOwn;
const apply = Reflect.apply;
const dateTime = Date.prototype.getTime;
const regexpSource = getDescriptor(RegExp.prototype, 'source')!.get!;
const regexpFlags = getDescriptor(RegExp.prototype, 'flags')!.get!;
const objectPrototype = Object.prototype;

/** A brand test; the methods of an object are never asked. */
const hasBrand = (brand: (this: unknown) => unknown, value: object): boolean => {
  try {
    apply(brand, value, []);
    return true;
  } catch {
    return false;
  }
};

export const isDate = (value: unknown): value is Date => typeof value === 'object' && objectType(value) === 'date';

const objectType = (value: object | null): 'null' | 'date' | 'regexp' | 'array' | 'object' => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const prototype: unknown = getPrototype(value);
  if (prototype === objectPrototype || prototype === null) return 'object';
  // The likelier brand first: a test that fails throws, which takes long.
  const regexpFirst = prototype === RegExp.prototype;
  if (!regexpFirst && hasBrand(dateTime, value)) return 'date';
  if (value !== RegExp.prototype && hasBrand(regexpSource, value)) return 'regexp';
  return regexpFirst && hasBrand(dateTime, value) ? 'date' : 'object';
};

/** The type of what is known to be a value: neither a function nor a symbol. */
export const typeOf = (value: unknown): ValueType => {
  const type = typeof value;
  return type === 'object' ? objectType(value as object | null) : (type as ValueType);
};

export const timeOf = (date: Date): number => apply(dateTime, date, []);
export const sourceOf = (regexp: RegExp): string => apply(regexpSource, regexp, []) as string;

/** The getter `flags` reads properties of the object itself: of one that may have its own, a clean copy is asked. */
export const flagsOf = (regexp: RegExp): string => {
  const clean = getPrototype(regexp) === RegExp.prototype && Reflect.ownKeys(regexp).length === 1;
  return apply(regexpFlags, clean ? regexp : structuredClone(regexp), []) as string;
};

export const allowRegexp = (run: Run, source: string, at: Site): void => {
  if (!run.regexps) fail('call.denied', at, 'Regular expressions are not allowed here');
  if (source.length > run.limits.regexpLength) overLimit(run, 'regexpLength', source.length, at);
};

export const withinDepth = (run: Run, depth: number, at: Site): void => {
  if (depth > run.limits.depth) overLimit(run, 'depth', depth, at);
};

/** What is read from data: a function or a symbol in it is no value. */
export const checked = (value: unknown, at: Site): unknown =>
  typeof value === 'function' || typeof value === 'symbol'
    ? fail('eval.notValue', at, `A ${typeof value} in data is no value`)
    : value;

export const forbidProto = (key: string, at: Site): void => {
  if (key === '__proto__') fail('key.forbidden', at, 'The key __proto__ is not allowed');
};

/** Of a data property; the quick question is enough unless someone put a `get` on Object.prototype. */
export const isData = (descriptor: PropertyDescriptor): boolean =>
  !('get' in descriptor) || hasOwn(descriptor, 'value');

/** An own data property, else undefined. Accessors do not run. */
export const readOwn = (object: object, key: string | number, at: Site): unknown => {
  const descriptor = getDescriptor(object, key);
  return descriptor !== undefined && isData(descriptor) ? checked(descriptor.value, at) : undefined;
};

export const hasOwnKey = (object: object, key: string | number): boolean => hasOwn(object, key);

/** The length of a real array, however it was subclassed. */
export const lengthOf = (array: object): number => getDescriptor(array, 'length')!.value as number;

/** The own enumerable data properties, in order. */
export const ownEntries = (run: Run, object: object, at: Site): [string, unknown][] => {
  const entries: [string, unknown][] = [];
  const keys = Reflect.ownKeys(object);
  charge(run, keys.length, at);
  for (const key of keys) {
    if (typeof key !== 'string') continue;
    const descriptor = getDescriptor(object, key);
    if (descriptor === undefined || !descriptor.enumerable || !isData(descriptor)) continue;
    forbidProto(key, at);
    entries.push([key, checked(descriptor.value, at)]);
  }
  return entries;
};

/** Defines where an assignment could run a setter that someone put on Object.prototype. */
export const setOwn = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key in objectPrototype)
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
};

/** What `Date.prototype.toString` gives where the local time zone is UTC. */
const dateText = (ms: number): string =>
  new Date(ms).toUTCString().replace(/^(\w+), (\d+) (\w+) (.*)$/, '$1 $3 $2 $4+0000 (Coordinated Universal Time)');

/** An array or an object. */
export const plainData = (value: unknown, at: Site): object => {
  const type = typeOf(value);
  return type === 'array' || type === 'object'
    ? (value as object)
    : fail('eval.type', at, `An array or an object is wanted, not ${type}`);
};

interface Search {
  readonly right?: boolean;
  /** Also what is not there, as undefined. */
  readonly holes?: boolean;
  readonly from?: number;
  readonly to?: number;
}

/** The index of the first element that `visit` says yes to, or -1. */
export const findElement = (
  run: Run,
  array: object,
  at: Site,
  visit: (element: unknown, index: number) => unknown,
  { right = false, holes = false, from = 0, to }: Search = {},
): number => {
  const length = lengthOf(array);
  const end = to ?? length;
  charge(run, length, at);
  for (let step = from; step < end; step++) {
    const index = right ? end - 1 - (step - from) : step;
    if ((holes || hasOwn(array, index)) && visit(readOwn(array, index, at), index)) return index;
  }
  return -1;
};

export const boundedBigint = (run: Run, value: bigint, at: Site): bigint =>
  value < run.bigintBound && -value < run.bigintBound
    ? value
    : overLimit(run, 'bigintDigits', `${value}`.replace('-', '').length, at);

export const joinArray = (run: Run, array: object, separator: string, at: Site, depth = 1): string => {
  withinDepth(run, depth, at);
  let text = '';
  const join = (element: unknown, index: number): void => {
    const part = Array.isArray(element) ? joinArray(run, element, ',', at, depth + 1) : toText(run, element ?? '', at);
    limitText(run, text.length + part.length + separator.length, at);
    text += index === 0 ? part : separator + part;
  };
  findElement(run, array, at, join, { holes: true });
  roomForText(run, text.length, at);
  return text;
};

export const toText = (run: Run, value: unknown, at: Site): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'bigint') {
    const digits = `${boundedBigint(run, value, at)}`;
    chargeSlowText(run, digits.length, at);
    return digits;
  }
  if (typeof value !== 'object') return `${checked(value, at) as boolean | undefined}`;
  const type = objectType(value);
  if (type === 'date') return dateText(timeOf(value as Date));
  if (type === 'regexp') return `/${sourceOf(value as RegExp)}/${flagsOf(value as RegExp)}`;
  if (type === 'array') return joinArray(run, value as object, ',', at);
  return type === 'null' ? type : '[object Object]';
};

export type Primitive = undefined | null | boolean | number | bigint | string;

/** ToPrimitive as unmodified objects have it; only a Date tells the hints apart. */
export const toPrimitive = (run: Run, value: unknown, hint: 'number' | 'default', at: Site): Primitive => {
  if (typeof value !== 'object' || value === null) return checked(value, at) as Primitive;
  if (hint === 'number' && isDate(value)) return timeOf(value);
  return toText(run, value, at);
};

export const toNumeric = (run: Run, value: unknown, at: Site): number | bigint => {
  const primitive = toPrimitive(run, value, 'number', at);
  if (typeof primitive === 'bigint') return boundedBigint(run, primitive, at);
  if (typeof primitive === 'string') chargeSlowText(run, primitive.length, at);
  return Number(primitive);
};

export const toNumber = (run: Run, value: unknown, at: Site): number => {
  if (typeof value === 'number') return value;
  const numeric = toNumeric(run, value, at);
  return typeof numeric === 'number' ? numeric : fail('eval.type', at, 'A bigint where a number is wanted');
};

/** ToIntegerOrInfinity. */
export const toInteger = (run: Run, value: unknown, at: Site): number => {
  const number = Math.trunc(toNumber(run, value, at));
  return Number.isNaN(number) ? 0 : number;
};
