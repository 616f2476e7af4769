import type { Node } from '../tree/node.ts';
import { type Place, pointer } from '../tree/place.ts';
import { serialize } from './serialize.ts';

/** One difference between two trees, in the form of the wire. */
export interface Difference {
  /** JSON Pointer into the second envelope; of what was removed, into the first. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
}

type Json = Readonly<Record<string, unknown>>;

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly beforePlace: Place;
  readonly afterPlace: Place;
}

const isJson = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * What to change in the first tree to get the second. Nodes of the same kind are compared field by field, lists by what
 * they have in common; a node of another kind, and a constant, is changed as a whole. Empty for equal trees.
 */
export function diff(first: Node, second: Node): readonly Difference[] {
  const before = serialize(first).root;
  const after = serialize(second).root;
  const same = identities([before, after]);
  const found: Difference[] = [];
  const root: Place = { up: undefined, key: 'root' };
  const stack: Pair[] = [{ before, after, beforePlace: root, afterPlace: root }];
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    if (same(pair.before) === same(pair.after)) continue;
    const below = compare(pair, same, found);
    for (let child = below.pop(); child; child = below.pop()) stack.push(child);
  }
  return found;
}

/** Reports the differences of a pair itself and gives the pairs below it that are left to compare. */
function compare(pair: Pair, same: (value: unknown) => unknown, found: Difference[]): Pair[] {
  const { before, after } = pair;
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(pair, before, after, same, found);
  const comparable = isJson(before) && isJson(after) && !Array.isArray(before) && !Array.isArray(after);
  if (!comparable || isOther(before as Json, after as Json)) {
    found.push({ path: pointer(pair.afterPlace), kind: 'changed', before, after });
    return [];
  }
  const below: Pair[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const beforePlace = { up: pair.beforePlace, key };
    const afterPlace = { up: pair.afterPlace, key };
    const old = (before as Json)[key];
    const now = (after as Json)[key];
    if (old === undefined) found.push({ path: pointer(afterPlace), kind: 'added', after: now });
    else if (now === undefined) found.push({ path: pointer(beforePlace), kind: 'removed', before: old });
    else below.push({ before: old, after: now, beforePlace, afterPlace });
  }
  return below;
}

function isOther(before: Json, after: Json): boolean {
  if (before['kind'] !== after['kind'] || before['kind'] === 'Constant') return true;
  return 'spread' in before !== 'spread' in after;
}

function compareLists(
  { beforePlace, afterPlace }: Pair,
  before: readonly unknown[],
  after: readonly unknown[],
  same: (value: unknown) => unknown,
  found: Difference[],
): Pair[] {
  const below: Pair[] = [];
  let i = 0;
  let j = 0;
  for (const [commonI, commonJ] of [...inCommon(before.map(same), after.map(same)), [before.length, after.length]]) {
    while (i < commonI! && j < commonJ!) {
      const places = { beforePlace: { up: beforePlace, key: i }, afterPlace: { up: afterPlace, key: j } };
      below.push({ before: before[i++], after: after[j++], ...places });
    }
    for (; i < commonI!; i++) {
      found.push({ path: pointer({ up: beforePlace, key: i }), kind: 'removed', before: before[i] });
    }
    for (; j < commonJ!; j++) found.push({ path: pointer({ up: afterPlace, key: j }), kind: 'added', after: after[j] });
    i = commonI! + 1;
    j = commonJ! + 1;
  }
  return below;
}

/** The positions of a longest common subsequence. */
function inCommon(a: readonly unknown[], b: readonly unknown[]): [number, number][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const common: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) common.push([i++, j++]);
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return common;
}

/** Gives structurally equal values the same identity, in time linear in their size. */
function identities(roots: readonly object[]): (value: unknown) => unknown {
  const numbers = new Map<string, number>();
  const byObject = new Map<unknown, number>();
  const same = (value: unknown): unknown => byObject.get(value) ?? value;
  const order: object[] = [...roots];
  for (const value of order)
    for (const child of Object.values(value) as unknown[]) if (isJson(child)) order.push(child);
  for (let value = order.pop(); value; value = order.pop()) {
    const parts = Object.keys(value)
      .sort()
      .map((key) => {
        const child = (value as Json)[key];
        return `${JSON.stringify(key)}:${isJson(child) ? `#${byObject.get(child)}` : JSON.stringify(child)}`;
      });
    const text = `${Array.isArray(value) ? '[' : '{'}${parts.join(',')}`;
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    byObject.set(value, numbers.get(text)!);
  }
  return same;
}
