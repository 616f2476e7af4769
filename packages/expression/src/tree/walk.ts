import type { Node } from './node.ts';
import { partsOf } from './parts.ts';
import { type Place, placeAt, pointer } from './place.ts';

/** A node on a walk, with what is above it. */
export interface Visit {
  readonly node: Node;
  readonly parent: Visit | undefined;
  /** Levels of nodes, from 1 at the root. */
  readonly depth: number;
  /** The place below `/root`; `pathOf` spells it out. */
  readonly place: Place;
}

export interface Visitor {
  /** Before the nodes below; false leaves them out, and `leave` is then called at once. */
  readonly enter?: ((visit: Visit) => boolean | void) | undefined;
  /** After the nodes below. */
  readonly leave?: ((visit: Visit) => void) | undefined;
}

/** The JSON Pointer of a visited node in its envelope, such as `/root/args/0`. */
export function pathOf(visit: Visit): string {
  return pointer(visit.place);
}

/** Visits all nodes in the order of the wire: field by field, item by item. Depth costs no stack. */
export function walk(tree: Node, visitor: Visitor): void {
  const root: Visit = { node: tree, parent: undefined, depth: 1, place: { up: undefined, key: 'root' } };
  const stack: { readonly visit: Visit; entered: boolean }[] = [{ visit: root, entered: false }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const { visit } = top;
    if (top.entered) {
      stack.pop();
      visitor.leave?.(visit);
      continue;
    }
    top.entered = true;
    if (visitor.enter?.(visit) === false) continue;
    const children: Visit[] = [];
    eachChild(visit.node, visit.place, (node, place) => {
      children.push({ node, parent: visit, depth: visit.depth + 1, place });
    });
    for (let child = children.pop(); child; child = children.pop()) stack.push({ visit: child, entered: false });
  }
}

/** The nodes right below a node, each with its place; spreads and properties are looked through. */
export function eachChild(node: Node, place: Place, take: (child: Node, place: Place) => void): void {
  for (const { part, keys } of partsOf(node)) take(part, placeAt(place, keys));
}
