import type { Code } from '../tree/codes.ts';
import type { Issue } from '../tree/issue.ts';
import type { Limits } from '../tree/limits.ts';
import { type Place, pointer } from '../tree/place.ts';

/** What one reading of an envelope carries along. */
export interface Reading {
  readonly strict: boolean;
  readonly limits: Limits;
  readonly issues: Issue[];
  /** Values out of a JSON reader have neither accessors nor traps and need no descriptors. */
  readonly plain: boolean;
  /** All that was made, to be frozen when the whole tree is good. */
  readonly made: object[];
  /** Where it reads now, for what throws. */
  at: Place | undefined;
  nodes: number;
  /** Of all objects that were read, to be compared with the colons of a text. */
  keys: number;
}

export const startReading = (limits: Limits, plain: boolean, strict: boolean): Reading => ({
  strict,
  limits,
  issues: [],
  plain,
  made: [],
  at: undefined,
  nodes: 0,
  keys: 0,
});

export const MAX_ISSUES = 100;

/** Stands for a value that was refused already. */
const REFUSED = Symbol('refused');

type Key = string | number;

/** Reports what is wrong below `up` at a key, or at `up` itself. */
export function report(
  { issues }: Reading,
  code: Code,
  message: string,
  up: Place | undefined,
  key?: Key,
  details?: Issue['details'],
): undefined {
  if (issues.length >= MAX_ISSUES) return;
  const path = pointer(key === undefined ? up : { up, key });
  if (issues.some((issue) => issue.code === 'value.accessor' && issue.path === path)) return;
  issues.push({ code, path, message, ...(details && { details }) });
}

/** True when within the limit. What was found is at least `actual`: counting stops there. */
export function within(
  reading: Reading,
  name: Exclude<keyof Limits, 'steps' | 'outputStringLength' | 'outputArrayLength'>,
  actual: number,
  up: Place | undefined,
  key?: Key,
): boolean {
  const limit = reading.limits[name];
  if (actual <= limit) return true;
  report(reading, `limit.${name}`, `${name} is ${actual}, the limit is ${limit}.`, up, key, { limit, actual });
  return false;
}

/** The value of an own enumerable data property; undefined when there is none. Never runs an accessor. */
export function own(reading: Reading, object: object, key: Key, up: Place | undefined): unknown {
  if (reading.plain) return Object.hasOwn(object, key) ? (object as Record<Key, unknown>)[key] : undefined;
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (!descriptor?.enumerable) return undefined;
  if ('value' in descriptor) return descriptor.value;
  report(reading, 'value.accessor', 'An accessor is not data.', up, key);
  return REFUSED;
}

/** The length of an array that is not too long; what is wrong with it is reported. */
export function lengthOf(reading: Reading, array: unknown, place: Place): number | undefined {
  if (!Array.isArray(array)) return report(reading, 'field.type', 'Here belongs an array.', place);
  const length = reading.plain ? array.length : (Object.getOwnPropertyDescriptor(array, 'length')!.value as number);
  return within(reading, 'items', length, place) ? length : undefined;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when something was reported: a name that would reach a prototype. */
export function forbidden(reading: Reading, name: string, up: Place | undefined, key: Key): boolean {
  if (name !== '__proto__') return false;
  report(reading, 'key.forbidden', '`__proto__` is never a name.', up, key);
  return true;
}

/** A text that is not too long and, as a name, not forbidden. */
export function isText(reading: Reading, value: unknown, up: Place, key: Key, name: boolean): value is string {
  if (typeof value !== 'string') report(reading, 'field.type', 'Here belongs a string.', up, key);
  else if (value.length <= reading.limits.stringLength || within(reading, 'stringLength', value.length, up, key))
    return !(name && forbidden(reading, value, up, key));
  return false;
}
