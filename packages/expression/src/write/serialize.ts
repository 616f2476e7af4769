import { fieldsOf, roleOf } from '../tree/fields.ts';
import { ExpressionError } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';
import type { Place } from '../tree/place.ts';
import { isTag } from '../tree/tagged.ts';
import { writeConstant } from './constant.ts';
import { sha256 } from './sha256.ts';

/** A serialised tree: what `JSON.stringify` takes and `parseEnvelope` reads. */
export interface Envelope {
  readonly v: 1;
  readonly root: WireNode;
}

export interface WireNode {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface WriteOptions {
  /** Writes the spans that nodes have; they are left out otherwise. */
  readonly spans?: boolean | undefined;
  /**
   * How many nodes are written at most, a million unless said, counting each array and object inside a constant: what a
   * tree shares is written each time.
   */
  readonly nodes?: number | undefined;
}

const MOST_NODES = 1_000_000;

type Draft = Record<string | number, unknown>;

interface Job {
  readonly node: Node;
  readonly place: Place;
  readonly target: Draft;
}

/**
 * The envelope of a tree, with the fields of each node in the order of the specification. Throws an `ExpressionError`
 * `constant.unsupported` for a constant that the format cannot carry, `limit.nodes` for too many nodes.
 */
export function serialize(tree: Node, options: WriteOptions = {}): Envelope {
  const envelope: Draft = { v: 1, root: undefined };
  const stack: Job[] = [{ node: tree, place: { up: undefined, key: 'root' }, target: envelope }];
  const limit = options.nodes ?? MOST_NODES;
  let nodes = 0;
  const count = (more: number): void => {
    nodes += more;
    if (nodes <= limit) return;
    const message = `More than ${limit} nodes would be written; what is used twice is written twice`;
    throw new ExpressionError('limit.nodes', '/root', message, undefined, { limit, actual: nodes });
  };
  for (let job = stack.pop(); job; job = stack.pop()) {
    const { node, place, target } = job;
    count(1);
    const written =
      node.kind === 'Constant' ? writeConstant(node.value, valuePlace(place), count) : writeNode(node, place, stack);
    if (options.spans && node.span) written['span'] = { start: node.span.start, end: node.span.end };
    target[place.key] = written;
  }
  return envelope as unknown as Envelope;
}

const valuePlace = (up: Place): Place => ({ up, key: 'value' });

function writeNode(node: Node, place: Place, stack: Job[]): Draft {
  const written: Draft = { kind: node.kind };
  const fields = node as unknown as Readonly<Record<string, unknown>>;
  for (const name of fieldsOf(node.kind)!) {
    const value = fields[name];
    const at = { up: place, key: name };
    switch (roleOf(name)) {
      case 'node':
        written[name] = undefined;
        stack.push({ node: value as Node, place: at, target: written });
        break;
      case 'node[]':
      case 'property[]':
      case 'element[]':
        written[name] = writeItems(value as readonly object[], at, stack);
        break;
      case 'param[]':
      case 'text[]':
        written[name] = [...(value as readonly string[])];
        break;
      case 'flag':
        if (value) written[name] = true;
        break;
      case 'name':
      case 'operator':
        written[name] = value;
        break;
    }
  }
  return written;
}

function writeItems(items: readonly object[], place: Place, stack: Job[]): unknown[] {
  const written: Draft[] = [];
  for (const [key, item] of items.entries()) {
    const at = { up: place, key };
    const entry = item as { readonly key?: string; readonly value?: Node; readonly spread?: Node };
    written.push({});
    if ('kind' in item) {
      stack.push({ node: item as Node, place: at, target: written as unknown as Draft });
    } else if (entry.spread) {
      written[key] = { spread: undefined };
      stack.push({ node: entry.spread, place: { up: at, key: 'spread' }, target: written[key] });
    } else {
      written[key] = { key: entry.key, value: undefined };
      stack.push({ node: entry.value!, place: valuePlace(at), target: written[key] });
    }
  }
  return written;
}

/**
 * The one text of a tree: no spans, no white space, fields in the order of the specification, keys of data sorted by
 * UTF-16 units, numbers as RFC 8785 writes them. Two trees are equal exactly when their canonical texts are.
 */
export function canonical(tree: Node): string {
  const parts: string[] = [];
  const stack: (string | { readonly value: unknown; readonly data: boolean })[] = [];
  stack.push({ value: serialize(tree), data: false });
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === 'string') parts.push(item);
    else if (typeof item.value !== 'object' || item.value === null) parts.push(JSON.stringify(item.value));
    else if (Array.isArray(item.value)) {
      const { data } = item;
      stack.push(']');
      for (let i = item.value.length - 1; i >= 0; i--) {
        stack.push({ value: item.value[i], data });
        if (i > 0) stack.push(',');
      }
      stack.push('[');
    } else pushObject(item.value as Draft, item.data, stack);
  }
  return parts.join('');
}

function pushObject(object: Draft, data: boolean, stack: (string | { value: unknown; data: boolean })[]): void {
  const keys = Object.keys(object);
  // Plain data with such a `$tag` is never written, so this is a wrapper, which has an order of its own.
  if (data && !isTag(object['$tag'])) keys.sort();
  const constant = object['kind'] === 'Constant';
  stack.push('}');
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i]!;
    stack.push({ value: object[key], data: data || (constant && key === 'value') });
    stack.push(`${i > 0 ? ',' : ''}${JSON.stringify(key)}:`);
  }
  stack.push('{');
}

/** SHA-256 of the canonical text in UTF-8, in hexadecimal. */
export function hash(tree: Node): string {
  return sha256(new TextEncoder().encode(canonical(tree)));
}

/** Whether two trees mean the same by their form: spans and the order of keys in data do not count. */
export function equals(a: Node, b: Node): boolean {
  return a === b || canonical(a) === canonical(b);
}
