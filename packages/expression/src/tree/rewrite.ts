import type { Node } from './node.ts';
import { mapParts, partsOf } from './parts.ts';
import { type Visit, walk } from './walk.ts';

/** What a node becomes; undefined leaves it. */
export type Change = (node: Node, visit: Visit) => Node | undefined;

/**
 * The tree with nodes changed, from the leaves to the root: `change` gets a node whose parts are changed already, and the
 * visit of the node as it was. What nothing changes in stays the same object. Depth costs no stack.
 */
export function rewrite(tree: Node, change: Change): Node {
  const changed = new Map<Visit | undefined, Node[]>([[undefined, []]]);
  walk(tree, {
    enter: (visit) => void changed.set(visit, []),
    leave: (visit) => {
      const node = withParts(visit.node, changed.get(visit)!);
      changed.delete(visit);
      changed.get(visit.parent)!.push(change(node, visit) ?? node);
    },
  });
  return changed.get(undefined)![0]!;
}

const withParts = (node: Node, parts: readonly Node[]): Node => {
  if (partsOf(node).every(({ part }, at) => part === parts[at])) return node;
  let next = 0;
  return mapParts(node, () => parts[next++], { ...node }) as Node;
};
