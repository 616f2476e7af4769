import { type Run, type Site, charge, fail, limitText, roomForText } from './run.ts';

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
  if (hasBrand(dateTime, value)) return 'date';
  if (value !== RegExp.prototype && hasBrand(regexpSource, value)) return 'regexp';
  return 'object';
};

/** The type of what is known to be a value: neither a function nor a symbol. */
export const typeOf = (value: unknown): ValueType => {
  const type = typeof value;
  return type === 'object' ? objectType(value as object | null) : (type as ValueType);
};

export const timeOf = (date: Date): number => apply(dateTime, date, []);
export const sourceOf = (regexp: RegExp): string => apply(regexpSource, regexp, []) as string;

const FLAG_NAMES = ['hasIndices', 'global', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'unicodeSets', 'sticky'];
const FLAG_LETTERS = 'dgimsuvy';
const flagGetters = FLAG_NAMES.map((name) => getDescriptor(RegExp.prototype, name)?.get);

/** The getter `flags` would read properties of the object itself, so each flag is asked on its own. */
export const flagsOf = (regexp: RegExp): string =>
  getPrototype(regexp) === RegExp.prototype && Reflect.ownKeys(regexp).length === 1
    ? (apply(regexpFlags, regexp, []) as string)
    : flagGetters.map((getter, at) => (getter && apply(getter, regexp, []) === true ? FLAG_LETTERS[at] : '')).join('');

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

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What `Date.prototype.toString` gives where the local time zone is UTC. */
const dateText = (ms: number): string => {
  if (Number.isNaN(ms)) return 'Invalid Date';
  const date = new Date(ms);
  const two = (value: number): string => `${value}`.padStart(2, '0');
  const year = date.getUTCFullYear();
  const yearText = `${year < 0 ? '-' : ''}${`${Math.abs(year)}`.padStart(year < 0 ? 6 : 4, '0')}`;
  const day = `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())} ${yearText}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${day} ${time} GMT+0000 (Coordinated Universal Time)`;
};

export const boundedBigint = (run: Run, value: bigint, at: Site): bigint =>
  value < run.bigintBound && -value < run.bigintBound
    ? value
    : fail('limit.bigintDigits', at, `A bigint of more than ${run.limits.bigintDigits} digits`);

export const joinArray = (run: Run, array: object, separator: string, at: Site, depth = 1): string => {
  if (depth > run.limits.depth) fail('limit.depth', at, 'Arrays are nested too deeply');
  const length = lengthOf(array);
  charge(run, length, at);
  let text = '';
  for (let index = 0; index < length; index++) {
    const element = readOwn(array, index, at);
    const part =
      element === undefined || element === null
        ? ''
        : Array.isArray(element)
          ? joinArray(run, element, ',', at, depth + 1)
          : toText(run, element, at);
    limitText(run, text.length + part.length + separator.length, at);
    text += index === 0 ? part : separator + part;
  }
  roomForText(run, text.length, at);
  return text;
};

export const toText = (run: Run, value: unknown, at: Site): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'bigint') return `${boundedBigint(run, value, at)}`;
  if (typeof value !== 'object') return `${checked(value, at) as boolean | undefined}`;
  switch (objectType(value)) {
    case 'null':
      return 'null';
    case 'date':
      return dateText(timeOf(value as Date));
    case 'regexp':
      return `/${sourceOf(value as RegExp)}/${flagsOf(value as RegExp)}`;
    case 'array':
      return joinArray(run, value as object, ',', at);
    case 'object':
      return '[object Object]';
  }
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
  if (typeof primitive === 'string' && primitive.length >= 1024) charge(run, primitive.length >> 10, at);
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
