import { LAMBDA_STEPS, stepsOf } from '../evaluate/plan/steps.ts';
import type { Node } from '../tree/node.ts';
import { partsOf } from '../tree/parts.ts';

const LIST_LENGTH = 20;
/** Of a method, for each element of so long a list. */
const ELEMENT_STEPS = 2;

/**
 * Steps of one evaluation over short texts: every part once, both branches of a choice, a lambda once for each element of a
 * list.
 */
export const estimateCost = (tree: Node): number => {
  let cost = 0;
  const root = tree.kind === 'Lambda' ? tree.body : tree;
  const open = [{ node: root, times: 1 }];
  for (const { node, times } of open) {
    cost += times * stepsOf(node);
    for (const { part, keys } of partsOf(node)) {
      if (part.kind !== 'Lambda') {
        open.push({ node: part, times });
        continue;
      }
      const calls = keys[0] === 'args' ? LIST_LENGTH : 1;
      cost += times * (1 + calls * LAMBDA_STEPS + (keys[0] === 'args' ? ELEMENT_STEPS * LIST_LENGTH : 0));
      open.push({ node: part.body, times: times * calls });
    }
  }
  return cost;
};
