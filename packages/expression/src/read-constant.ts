import type { Value } from './node.ts';
import type { Place } from './place.ts';
import { forbidden, isObject, lengthOf, own, type Reading, report, within } from './reading.ts';
import { isDecimal, isTag, readDate, readRegExp, type Tag, TAGS, UNUSUAL_NUMBERS } from './tagged.ts';
import { isPlain } from './value.ts';

interface Job {
  readonly raw: unknown;
  readonly place: Place;
  readonly depth: number;
  readonly target: Value[] | Record<string, Value>;
  readonly key: string | number;
}

/** The value of a `Constant` with these fields; what is wrong with it is reported. */
export function readConstant(reading: Reading, value: unknown, type: unknown, place: Place, depth: number): Value {
  const at = { up: place, key: 'value' };
  if (type === undefined) return value === undefined ? undefined : readData(reading, value, at, depth + 1);
  if (!isTag(type)) {
    report(reading, 'constant.unknownType', { up: place, key: 'type' }, 'This type does not exist.');
    return undefined;
  }
  if (value === undefined) {
    if (type !== 'undefined') report(reading, 'constant.valueMissing', place, `A ${type} needs a value.`);
    return undefined;
  }
  const tag = isObject(value) ? own(reading, value, '$tag', at) : undefined;
  if (tag === type) return readWrapper(reading, value as object, type, at);
  return readBare(reading, value, type, at);
}

function readBare(reading: Reading, value: unknown, type: Tag, place: Place): Value {
  switch (type) {
    case 'date': {
      const date = typeof value === 'string' ? readDate(value, false) : undefined;
      if (date) return keep(reading, date);
      break;
    }
    case 'bigint':
      if (typeof value === 'string' && isDecimal(value)) return readBigint(reading, value, place);
      if (Number.isSafeInteger(value)) return BigInt(value as number);
      break;
    case 'regexp':
      if (isObject(value) && hasExactly(reading, value, ['source', 'flags'], place)) {
        const source = own(reading, value, 'source', place);
        const flags = own(reading, value, 'flags', place);
        if (typeof source === 'string' && typeof flags === 'string') return regexp(reading, source, flags, place);
      }
      break;
    case 'number':
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      if (typeof value === 'string' && Object.hasOwn(UNUSUAL_NUMBERS, value)) return UNUSUAL_NUMBERS[value];
      break;
    case 'undefined':
  }
  report(reading, 'constant.typeMismatch', place, `This is no ${type}.`);
  return undefined;
}

function readWrapper(reading: Reading, wrapper: object, tag: Tag, place: Place): Value {
  if (hasExactly(reading, wrapper, TAGS[tag], place)) {
    const value = own(reading, wrapper, tag === 'date' ? 'iso' : tag === 'regexp' ? 'source' : 'value', place);
    if (tag === 'undefined') return undefined;
    if (typeof value === 'string') {
      if (tag === 'bigint' && isDecimal(value)) return readBigint(reading, value, place);
      if (tag === 'number' && Object.hasOwn(UNUSUAL_NUMBERS, value)) return UNUSUAL_NUMBERS[value];
      const date = tag === 'date' ? readDate(value, true) : undefined;
      if (date) return keep(reading, date);
      const flags = tag === 'regexp' ? own(reading, wrapper, 'flags', place) : undefined;
      if (typeof flags === 'string') return regexp(reading, value, flags, place);
    }
  }
  report(reading, 'constant.encoding', place, `This is not how a ${tag} is written.`);
  return undefined;
}

function hasExactly(reading: Reading, object: object, fields: readonly string[], place: Place): boolean {
  const keys = Object.keys(object).filter((key) => !forbidden(reading, key, { up: place, key }));
  return keys.length === fields.length && fields.every((field) => keys.includes(field));
}

function readBigint(reading: Reading, digits: string, place: Place): Value {
  const count = digits.startsWith('-') ? digits.length - 1 : digits.length;
  return within(reading, 'bigintDigits', count, place) ? BigInt(digits) : undefined;
}

function regexp(reading: Reading, source: string, flags: string, place: Place): Value {
  if (!within(reading, 'regexpLength', source.length, place)) return undefined;
  const compiled = readRegExp(source, flags);
  if (compiled) return keep(reading, compiled);
  report(reading, 'constant.encoding', place, 'The regexp does not compile or its flags are not legal.');
  return undefined;
}

function keep<T extends object>(reading: Reading, value: T): T {
  reading.made.push(value);
  return value;
}

function readData(reading: Reading, data: unknown, start: Place, startDepth: number): Value {
  if (typeof data !== 'object' || data === null) return readScalar(reading, data, start);
  const result: Record<string, Value> = {};
  const stack: Job[] = [{ raw: data, place: start, depth: startDepth, target: result, key: 'value' }];
  for (let job = stack.pop(); job; job = stack.pop()) {
    const { raw, place, depth, target, key } = job;
    reading.at = place;
    const first = stack.length;
    (target as Record<string | number, Value>)[key] =
      typeof raw !== 'object' || raw === null
        ? readScalar(reading, raw, place)
        : readComposite(reading, raw, place, depth, stack);
    reverseFrom(stack, first);
    if (reading.nodes > reading.limits.nodes) break;
  }
  return result['value'];
}

function readScalar(reading: Reading, value: unknown, place: Place): Value {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string') {
    within(reading, 'stringLength', value.length, place);
    return value;
  }
  report(reading, 'constant.unsupported', place, 'This is not JSON.');
  return undefined;
}

function readComposite(reading: Reading, raw: object, place: Place, depth: number, stack: Job[]): Value {
  const array = Array.isArray(raw);
  const tag = array ? undefined : own(reading, raw, '$tag', place);
  if (isTag(tag)) return readWrapper(reading, raw, tag, place);
  if (!array && !isPlain(raw)) {
    report(reading, 'constant.unsupported', place, 'This is not a plain object.');
    return undefined;
  }
  if (!within(reading, 'depth', depth, place) || !within(reading, 'nodes', ++reading.nodes, place)) return undefined;
  if (array) {
    const length = lengthOf(reading, raw);
    if (!within(reading, 'items', length, place)) return undefined;
    const target: Value[] = [];
    for (let key = 0; key < length; key++) {
      stack.push({ raw: own(reading, raw, key, place), place: { up: place, key }, depth: depth + 1, target, key });
    }
    return keep(reading, target);
  }
  const keys = Object.keys(raw).sort();
  if (!within(reading, 'items', keys.length, place)) return undefined;
  const target: Record<string, Value> = {};
  for (const key of keys) {
    const at = { up: place, key };
    if (forbidden(reading, key, at)) continue;
    within(reading, 'stringLength', key.length, at);
    const value = own(reading, raw, key, place);
    if (value !== undefined) stack.push({ raw: value, place: at, depth: depth + 1, target, key });
  }
  return keep(reading, target);
}

/** Children are taken off the end of the stack, so those pushed last in order must come to lie first. */
export function reverseFrom(stack: unknown[], first: number): void {
  for (let low = first, high = stack.length - 1; low < high; low++, high--) {
    const swap = stack[low];
    stack[low] = stack[high];
    stack[high] = swap;
  }
}
