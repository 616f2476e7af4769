import type { Value } from '../tree/node.ts';
import type { Place } from '../tree/place.ts';
import { isDecimal, isTag, isUnusualNumber, readDate, readRegExp, type Tag, TAGS } from '../tree/tagged.ts';
import { isPlain } from '../tree/value.ts';
import { forbidden, isObject, lengthOf, own, type Reading, report, within } from './reading.ts';

/** A part of data; as a place it is its own. */
interface Job extends Place {
  readonly raw: unknown;
  readonly depth: number;
  readonly target: Value[] | Record<string, Value>;
}

/** The value of a `Constant` with these fields; what is wrong with it is reported. */
export function readConstant(reading: Reading, value: unknown, type: unknown, up: Place, depth: number): Value {
  if (type === undefined) return value === undefined ? undefined : readData(reading, value, up, 'value', depth + 1);
  if (!isTag(type)) return report(reading, 'constant.unknownType', 'This type does not exist.', up, 'type');
  if (value === undefined) {
    return type === 'undefined' ? value : report(reading, 'constant.valueMissing', `A ${type} needs a value.`, up);
  }
  const place = { up, key: 'value' };
  return readTagged(reading, value, type, place, isObject(value) && own(reading, value, '$tag', place) === type);
}

/** What a tag stands for, as its wrapper or in its bare form. */
function readTagged(reading: Reading, value: unknown, tag: Tag, place: Place, wrapped: boolean): Value {
  const fields = TAGS[tag].slice(wrapped ? 0 : 1);
  const inFields = wrapped || tag === 'regexp';
  const exact = !inFields || (isObject(value) && hasExactly(reading, value, fields, place));
  const [content, flags] =
    exact && inFields ? TAGS[tag].slice(1).map((field) => own(reading, value as object, field, place)) : [value];
  let read: Value;
  if (!exact) read = undefined;
  else if (typeof content === 'string') {
    if (tag === 'date') read = keep(reading, readDate(content, wrapped));
    else if (tag === 'number') read = isUnusualNumber(content) ? Number(content) : undefined;
    else if (tag === 'regexp' && typeof flags === 'string') {
      if (!within(reading, 'regexpLength', content.length, place)) return undefined;
      read = keep(reading, readRegExp(content, flags));
      if (!read) return report(reading, 'constant.encoding', 'This regexp or its flags are not legal.', place);
    } else if (tag === 'bigint' && isDecimal(content)) {
      if (!within(reading, 'bigintDigits', content.replace('-', '').length, place)) return undefined;
      read = BigInt(content);
    }
  } else if (wrapped) {
    if (tag === 'undefined') return undefined;
  } else if (tag === 'number' && Number.isFinite(content)) read = content as number;
  else if (tag === 'bigint' && Number.isSafeInteger(content)) read = BigInt(content as number);
  return read ?? report(reading, wrapped ? 'constant.encoding' : 'constant.typeMismatch', `This is no ${tag}.`, place);
}

function hasExactly(reading: Reading, object: object, fields: readonly string[], place: Place): boolean {
  const keys = Object.keys(object).filter((key) => !forbidden(reading, key, place, key));
  reading.keys += keys.length;
  return keys.length === fields.length && fields.every((field) => keys.includes(field));
}

function keep<T>(reading: Reading, value: T): T {
  if (value) reading.made.push(value);
  return value;
}

/** Data as it is; `ignored` data is only looked through for what is forbidden anywhere. */
function readData(
  reading: Reading,
  data: unknown,
  up: Place | undefined,
  start: string,
  depth: number,
  ignored = false,
): Value {
  if (typeof data !== 'object' || data === null) return readScalar(reading, data, up, start, ignored);
  const result: Record<string, Value> = {};
  const stack: Job[] = [{ raw: data, up, key: start, depth, target: result }];
  for (let job = stack.pop(); job; job = stack.pop()) {
    const { raw, key } = job;
    reading.at = job;
    const first = stack.length;
    (job.target as Record<string | number, Value>)[key] =
      typeof raw !== 'object' || raw === null
        ? readScalar(reading, raw, job.up, key, ignored)
        : readComposite(reading, raw, job, stack, ignored);
    reverseFrom(stack, first);
    if (reading.nodes > reading.limits.nodes) break;
  }
  return result[start];
}

function readScalar(
  reading: Reading,
  value: unknown,
  up: Place | undefined,
  key: string | number,
  ignored: boolean,
): Value {
  if (ignored || value === null || typeof value === 'boolean' || Number.isFinite(value)) return value as Value;
  if (typeof value !== 'string') return report(reading, 'constant.unsupported', 'This is not JSON.', up, key);
  within(reading, 'stringLength', value.length, up, key);
  return value;
}

function readComposite(reading: Reading, raw: object, job: Job, stack: Job[], ignored: boolean): Value {
  const array = Array.isArray(raw);
  if (!array && !ignored) {
    const tag = own(reading, raw, '$tag', job);
    if (isTag(tag)) return readTagged(reading, raw, tag, job, true);
    if (!isPlain(raw)) return report(reading, 'constant.unsupported', 'This is not a plain object.', job);
  }
  const depth = job.depth + 1;
  if (!within(reading, 'depth', job.depth, job) || !within(reading, 'nodes', ++reading.nodes, job)) return undefined;
  if (array) {
    const length = lengthOf(reading, raw, job) ?? 0;
    const target: Value[] = [];
    for (let key = 0; key < length; key++) {
      stack.push({ raw: own(reading, raw, key, job), up: job, key, depth, target });
    }
    return keep(reading, target);
  }
  // In the order of the canonical form: trees with one hash must give one value, `Object.keys` of a constant too.
  const keys = Object.keys(raw).sort();
  reading.keys += keys.length;
  if (!within(reading, 'items', keys.length, job)) return undefined;
  const target: Record<string, Value> = {};
  for (const key of keys) {
    if (forbidden(reading, key, job, key)) continue;
    if (!ignored) within(reading, 'stringLength', key.length, job, key);
    const value = own(reading, raw, key, job);
    if (value !== undefined) stack.push({ raw: value, up: job, key, depth, target });
  }
  return keep(reading, target);
}

/** Refuses what an object has beyond its known fields; in lenient mode it only looks for what is forbidden anywhere. */
export function checkUnknown(
  reading: Reading,
  object: object,
  known: readonly string[],
  place: Place | undefined,
  depth: number,
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || forbidden(reading, key, place, key)) continue;
    const value = own(reading, object, key, place);
    if (!reading.strict) readData(reading, value, place, key, depth + 1, true);
    else if (value !== undefined)
      report(reading, 'node.unknownField', `The field ${JSON.stringify(key)} does not exist here.`, place, key);
  }
}

/** Children are taken off the end of the stack, so those pushed last in order must come to lie first. */
function reverseFrom(stack: unknown[], first: number): void {
  for (let low = first, high = stack.length - 1; low < high; low++, high--) {
    const swap = stack[low];
    stack[low] = stack[high];
    stack[high] = swap;
  }
}
