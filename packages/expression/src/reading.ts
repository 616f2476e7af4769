import type { Code } from './codes.ts';
import type { Issue } from './issue.ts';
import type { Limits } from './limits.ts';
import { type Place, pointer } from './place.ts';

/** What one reading of an envelope carries along. */
export interface Reading {
  readonly strict: boolean;
  readonly limits: Limits;
  readonly issues: Issue[];
  /** Values out of our own JSON reader have neither accessors nor traps and need no descriptors. */
  readonly plain: boolean;
  /** All that was made, to be frozen when the whole tree is good. */
  readonly made: object[];
  /** Where it reads now, for what throws. */
  at: Place | undefined;
  nodes: number;
}

export const MAX_ISSUES = 100;

/** Stands for a value that was refused already. */
const REFUSED = Symbol('refused');

export function report(
  reading: Reading,
  code: Code,
  place: Place | undefined,
  message: string,
  details?: Issue['details'],
): void {
  const { issues } = reading;
  if (issues.length >= MAX_ISSUES) return;
  const path = pointer(place);
  if (issues.some((issue) => issue.code === 'value.accessor' && issue.path === path)) return;
  issues.push({ code, path, message, ...(details && { details }) });
}

/** True when within the limit. What was found is at least `actual`: counting stops there. */
export function within(
  reading: Reading,
  name: Exclude<keyof Limits, 'steps' | 'outputStringLength' | 'outputArrayLength'>,
  actual: number,
  place: Place | undefined,
): boolean {
  const limit = reading.limits[name];
  if (actual <= limit) return true;
  report(reading, `limit.${name}`, place, `${name} is ${actual}, the limit is ${limit}.`, { limit, actual });
  return false;
}

/** The value of an own enumerable data property; undefined when there is none. Never runs an accessor. */
export function own(reading: Reading, object: object, key: string | number, up: Place | undefined): unknown {
  if (reading.plain) return Object.hasOwn(object, key) ? (object as Record<string | number, unknown>)[key] : undefined;
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (!descriptor?.enumerable) return undefined;
  if ('value' in descriptor) return descriptor.value;
  report(reading, 'value.accessor', { up, key }, 'An accessor is not data.');
  return REFUSED;
}

export function lengthOf(reading: Reading, array: readonly unknown[]): number {
  if (reading.plain) return array.length;
  return Object.getOwnPropertyDescriptor(array, 'length')!.value as number;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when something was reported: a name that would reach a prototype. */
export function forbidden(reading: Reading, name: string, place: Place): boolean {
  if (name !== '__proto__') return false;
  report(reading, 'key.forbidden', place, '`__proto__` is never a name.');
  return true;
}

export function checkText(reading: Reading, value: unknown, place: Place): value is string {
  if (typeof value === 'string') {
    return value.length <= reading.limits.stringLength || within(reading, 'stringLength', value.length, place);
  }
  report(reading, 'field.type', place, 'Here belongs a string.');
  return false;
}

/** Refuses what an object has beyond its known fields; in lenient mode it only looks for what is forbidden anywhere. */
export function checkUnknown(
  reading: Reading,
  object: object,
  known: (key: string) => boolean,
  place: Place | undefined,
  depth: number,
): void {
  for (const key of Object.keys(object)) {
    if (known(key)) continue;
    const at = { up: place, key };
    if (forbidden(reading, key, at)) continue;
    if (reading.strict) {
      if (own(reading, object, key, place) === undefined) continue;
      report(reading, 'node.unknownField', at, `The field ${JSON.stringify(key)} does not exist here.`);
    } else scanIgnored(reading, own(reading, object, key, place), at, depth + 1);
  }
}

function scanIgnored(reading: Reading, ignored: unknown, start: Place, startDepth: number): void {
  const stack = [{ value: ignored, place: start, depth: startDepth }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { value, place, depth } = item;
    reading.at = place;
    if (typeof value !== 'object' || value === null) continue;
    if (!within(reading, 'depth', depth, place)) continue;
    if (!within(reading, 'nodes', ++reading.nodes, place)) return;
    const children = [];
    if (Array.isArray(value)) {
      const length = lengthOf(reading, value);
      if (!within(reading, 'items', length, place)) continue;
      for (let key = 0; key < length; key++) {
        children.push({ value: own(reading, value, key, place), place: { up: place, key }, depth: depth + 1 });
      }
    } else {
      const keys = Object.keys(value);
      if (!within(reading, 'items', keys.length, place)) continue;
      for (const key of keys) {
        const at = { up: place, key };
        if (!forbidden(reading, key, at)) {
          children.push({ value: own(reading, value, key, place), place: at, depth: depth + 1 });
        }
      }
    }
    for (let child = children.pop(); child; child = children.pop()) stack.push(child);
  }
}
