import { fieldsOf, roleOf } from './fields.ts';
import type { Node, Property, Spread } from './node.ts';

export interface Part {
  readonly part: Node;
  /** The way from the node to it. */
  readonly keys: readonly (string | number)[];
}

/** Adds the fields of a node, with something else for its parts; of what is no node of version 1 none. */
export const mapParts = (
  node: Node,
  map: (part: Node, keys: Part['keys']) => unknown,
  fields: Record<string, unknown> = {},
): object => {
  for (const name of fieldsOf(node.kind) ?? []) {
    const value = (node as unknown as Record<string, unknown>)[name];
    const mapItem = (item: Node | Spread | Property | string, at: number): unknown => {
      if (typeof item !== 'object') return item;
      if ('spread' in item) return { spread: map(item.spread, [name, at, 'spread']) };
      return 'key' in item ? { ...item, value: map(item.value, [name, at, 'value']) } : map(item, [name, at]);
    };
    if (roleOf(name) === 'node') fields[name] = map(value as Node, [name]);
    else if (value !== undefined) fields[name] = Array.isArray(value) ? value.map(mapItem) : value;
  }
  return fields;
};

/** The parts of a node in the order of the wire. */
export const partsOf = (node: Node): readonly Part[] => {
  const parts: Part[] = [];
  mapParts(node, (part, keys) => parts.push({ part, keys }));
  return parts;
};

/** The JSON Pointer that is reached by some keys; added up, as to join them takes several times as long. */
export const pathTo = (path: string, keys: readonly (string | number)[]): string => {
  let to = path;
  for (const key of keys) to += `/${key}`;
  return to;
};
