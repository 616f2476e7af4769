import { fieldsOf } from './fields.ts';
import type { Node, Spread } from './node.ts';

export interface Part {
  readonly part: Node;
  /** The way from the node to it. */
  readonly keys: readonly (string | number)[];
}

/** The parts of a node in the order of the wire; of what is no node of version 1 none. */
export const partsOf = (node: Node): readonly Part[] => {
  const parts: Part[] = [];
  for (const { name, role } of fieldsOf(node.kind) ?? []) {
    const value = (node as unknown as Record<string, unknown>)[name];
    if (role === 'node') parts.push({ part: value as Node, keys: [name] });
    else if (role === 'nodes' || role === 'properties' || role === 'elements')
      for (const [at, item] of (value as readonly (Node | Spread | { value: Node })[]).entries()) {
        if (role !== 'nodes' && 'spread' in item) parts.push({ part: item.spread, keys: [name, at, 'spread'] });
        else if (role !== 'properties') parts.push({ part: item as Node, keys: [name, at] });
        else parts.push({ part: (item as { value: Node }).value, keys: [name, at, 'value'] });
      }
  }
  return parts;
};

/** The JSON Pointer that is reached by some keys; added up, as to join them takes several times as long. */
export const pathTo = (path: string, keys: readonly (string | number)[]): string => {
  let to = path;
  for (const key of keys) to += `/${key}`;
  return to;
};
