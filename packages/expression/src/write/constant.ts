import type { Place } from '../tree/place.ts';
import { isTag, type Tag } from '../tree/tagged.ts';
import { composites, dateTime, isComposite, regexpParts } from '../tree/value.ts';

type Json = Record<string, unknown>;

/**
 * The node that carries a value on the wire. Mostly a `Constant`; negative zero is a negated zero, and data that holds
 * one, or a `$tag` that would be taken for a wrapper, is spelt out as `ArrayLit` and `ObjectLit`. `count` hears how many
 * arrays and objects are written.
 */
export function writeConstant(value: unknown, place: Place, count: (nodes: number) => void): Json {
  const sizes = new Map<unknown, number>();
  const data = new Map<unknown, unknown>();
  const spelt = new Map<unknown, Json>();
  const toData = (item: unknown): unknown => (isComposite(item) ? data.get(item) : (wrapper(item) ?? item));
  const toNode = (item: unknown): Json => {
    if (Object.is(item, -0)) return { kind: 'Unary', op: '-', operand: { kind: 'Constant', value: 0 } };
    if (item === undefined) return { kind: 'Constant', type: 'undefined' };
    const node = spelt.get(item);
    if (node) return node;
    const wrapped = isComposite(item) ? undefined : wrapper(item);
    return wrapped
      ? { kind: 'Constant', value: wrapped, type: wrapped.$tag }
      : { kind: 'Constant', value: toData(item) };
  };
  for (const { source, keys, items } of composites(value, place)) {
    sizes.set(
      source,
      items.reduce<number>((size, item) => size + (sizes.get(item) ?? 0), 1),
    );
    const tagged = keys !== undefined && isTag(items[keys.indexOf('$tag')]);
    if (tagged || items.some((item) => Object.is(item, -0) || spelt.has(item))) {
      const node = keys
        ? { kind: 'ObjectLit', props: keys.map((key, position) => ({ key, value: toNode(items[position]) })) }
        : { kind: 'ArrayLit', elements: items.map(toNode) };
      spelt.set(source, node);
    } else if (keys) data.set(source, Object.fromEntries(keys.map((key, position) => [key, toData(items[position])])));
    else data.set(source, items.map(toData));
  }
  count(sizes.get(value) ?? 0);
  return toNode(value);
}

interface Wrapper {
  readonly $tag: Tag;
  readonly [field: string]: string;
}

/** The wrapper of what JSON has no form for; undefined for what needs none. */
function wrapper(value: unknown): Wrapper | undefined {
  if (value === undefined) return { $tag: 'undefined' };
  if (typeof value === 'bigint') return { $tag: 'bigint', value: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { $tag: 'number', value: String(value) };
  if (typeof value !== 'object' || value === null) return undefined;
  const regexp = regexpParts(value);
  return regexp ? { $tag: 'regexp', ...regexp } : { $tag: 'date', iso: new Date(dateTime(value)!).toISOString() };
}
