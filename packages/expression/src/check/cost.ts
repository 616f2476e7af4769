import type { Node } from '../tree/node.ts';
import { partsOf } from '../tree/parts.ts';

const LIST_LENGTH = 20;

const OWN: Partial<Record<Node['kind'], number>> = {
  Call: 5,
  Template: 3,
  In: 5,
  ObjectLit: 3,
  ArrayLit: 3,
};

/** Steps of one evaluation: every part once, both branches of a choice, a lambda once for each element of a list. */
export const estimateCost = (tree: Node): number => {
  let cost = 0;
  const pending = [{ node: tree, times: 1, inside: 1 }];
  for (let top = pending.pop(); top; top = pending.pop()) {
    const { node, times } = top;
    cost +=
      times *
      (node.kind === 'In' && node.haystack.kind === 'Constant' ? sizeOf(node.haystack.value) : (OWN[node.kind] ?? 1));
    for (const { part, keys } of partsOf(node)) {
      const repeated = part.kind === 'Lambda' && keys[0] === 'args';
      pending.push({ node: part, times: times * top.inside, inside: repeated ? LIST_LENGTH : 1 });
    }
  }
  return cost;
};

const sizeOf = (value: unknown): number => (Array.isArray(value) ? 1 + value.length : 5);
