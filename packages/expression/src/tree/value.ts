import { ExpressionError } from './issue.ts';
import type { Value } from './node.ts';
import { type Place, pointer } from './place.ts';
import { isPlain } from './plain.ts';

/** An array or a plain object with its items; `keys` only of an object, sorted: their order in data means nothing. */
export interface Composite {
  readonly source: object;
  readonly keys: readonly string[] | undefined;
  readonly items: readonly unknown[];
}

export function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (Array.isArray(value) || isPlain(value));
}

/**
 * Every array and plain object of a value, each behind those that it holds. Throws `constant.unsupported` for what no
 * constant can hold: functions, symbols, also as keys, instances of classes, accessors, holes, cycles, invalid dates.
 */
export function composites(value: unknown, place: Place | undefined): Composite[] {
  const finished: Composite[] = [];
  const open = new Set<object>();
  const done = new Set<object>();
  const stack: { readonly composite: Composite; readonly place: Place | undefined; next: number }[] = [];

  function enter(item: unknown, at: Place | undefined): void {
    if (!isComposite(item)) {
      checkScalar(item, at);
      return;
    }
    if (open.has(item)) unsupported(at, 'It holds itself.');
    if (done.has(item)) return;
    open.add(item);
    stack.push({ composite: takeApart(item, at), place: at, next: 0 });
  }

  enter(value, place);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const { composite } = top;
    if (top.next < composite.items.length) {
      const position = top.next++;
      enter(composite.items[position], { up: top.place, key: composite.keys?.[position] ?? position });
    } else {
      stack.pop();
      open.delete(composite.source);
      done.add(composite.source);
      finished.push(composite);
    }
  }
  return finished;
}

function takeApart(source: object, place: Place | undefined): Composite {
  if (Object.getOwnPropertySymbols(source).length > 0) unsupported(place, 'A key of it is a symbol.');
  const keys = Array.isArray(source) ? undefined : Object.keys(source).sort();
  const names = keys ?? Array.from({ length: (source as unknown[]).length }, (_, position) => String(position));
  const items = names.map((key): unknown => {
    if (key === '__proto__') {
      throw new ExpressionError('key.forbidden', pointer({ up: place, key }), '`__proto__` is never a name.');
    }
    const descriptor = Object.getOwnPropertyDescriptor(source, key);
    if (!descriptor || !('value' in descriptor)) return unsupported({ up: place, key }, 'It is no data.');
    return descriptor.value;
  });
  return { source, keys, items };
}

function checkScalar(value: unknown, place: Place | undefined): void {
  if (typeof value === 'function' || typeof value === 'symbol') unsupported(place, `A ${typeof value} is not data.`);
  if (typeof value !== 'object' || value === null || regexpParts(value)) return;
  const time = dateTime(value);
  if (time === undefined) unsupported(place, 'An instance of a class is not data.');
  if (Number.isNaN(time)) unsupported(place, 'The date is invalid.');
}

function unsupported(place: Place | undefined, message: string): never {
  throw new ExpressionError('constant.unsupported', pointer(place), `A constant cannot hold this: ${message}`);
}

/** The time of a real Date, whatever its prototype says. */
export function dateTime(value: object): number | undefined {
  try {
    return Date.prototype.getTime.call(value);
  } catch {
    return undefined;
  }
}

const sourceOf = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source')!.get!;
const flagsOf = Object.getOwnPropertyDescriptor(RegExp.prototype, 'flags')!.get!;

/** Source and flags of a real RegExp, whatever its prototype says. */
export function regexpParts(value: object): { readonly source: string; readonly flags: string } | undefined {
  try {
    const source = sourceOf.call(value) as string;
    return value === RegExp.prototype ? undefined : { source, flags: flagsOf.call(value) as string };
  } catch {
    return undefined;
  }
}

/** A copy that is frozen in depth. Dates and regexps are copied too; a regexp starts anew. */
export function copyValue(value: unknown, place?: Place): Value {
  const copies = new Map<unknown, Value>();
  const copyOf = (item: unknown): Value => {
    if (typeof item !== 'object' || item === null) return item as Value;
    return copies.get(item) ?? Object.freeze(copyInstance(item));
  };
  for (const { source, keys, items } of composites(value, place)) {
    const copied = items.map(copyOf);
    const copy = keys ? Object.fromEntries(keys.map((key, position) => [key, copied[position]])) : copied;
    copies.set(source, Object.freeze(copy));
  }
  return copyOf(value);
}

function copyInstance(value: object): Date | RegExp {
  const regexp = regexpParts(value);
  return regexp ? new RegExp(regexp.source, regexp.flags) : new Date(dateTime(value)!);
}
