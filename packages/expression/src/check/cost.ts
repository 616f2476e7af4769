import type { Node } from '../node.ts';
import { walk } from '../walk.ts';

const LIST_LENGTH = 20;

const OWN: Partial<Record<Node['kind'], number>> = {
  Param: 1,
  Constant: 1,
  Call: 5,
  Template: 3,
  In: 5,
  ObjectLit: 3,
  ArrayLit: 3,
};

/** Steps of one evaluation: every part once, both branches of a choice, a lambda once for each element of a list. */
export const estimateCost = (tree: Node): number => {
  const sums: number[] = [0];
  walk(tree, {
    enter: () => {
      sums.push(0);
    },
    leave: ({ node, parent }) => {
      const inside = sums.pop()!;
      const repeated = node.kind === 'Lambda' && parent?.node.kind === 'Call' && parent.node.callee !== node;
      const own =
        node.kind === 'In' && node.haystack.kind === 'Constant' ? sizeOf(node.haystack.value) : (OWN[node.kind] ?? 1);
      sums[sums.length - 1]! += own + inside * (repeated ? LIST_LENGTH : 1);
    },
  });
  return sums[0]!;
};

const sizeOf = (value: unknown): number => (Array.isArray(value) ? 1 + value.length : 5);
