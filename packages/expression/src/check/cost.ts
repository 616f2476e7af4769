import type { Node } from '../tree/node.ts';
import { partsOf } from '../tree/parts.ts';

const LIST_LENGTH = 20;

/** Steps of one evaluation: every part once, both branches of a choice, a lambda once for each element of a list. */
export const estimateCost = (tree: Node): number => {
  let cost = 0;
  const open = [{ node: tree, times: 1 }];
  for (const { node, times } of open) {
    cost += times * (node.kind === 'Constant' && Array.isArray(node.value) ? node.value.length : 1);
    for (const { part, keys } of partsOf(node))
      open.push({ node: part, times: part.kind === 'Lambda' && keys[0] === 'args' ? times * LIST_LENGTH : times });
  }
  return cost;
};
