import type { Node } from './node.ts';
import { type Part, mapParts } from './parts.ts';

type Replace = (part: Node, place: string) => Node;

/** The same node over other parts, each given with the name of the field that holds it. */
export const replaceParts = (node: Node, replace: Replace): Node => {
  const replacePart = (part: Node, keys: Part['keys']): Node => {
    const place = keys.findLast((key) => typeof key === 'string')!;
    if (place === 'callee') return replaceCallee(part, replace);
    // What stands there is a name, not a value.
    if (place === 'right' && node.kind === 'Binary' && node.op === 'instanceof') return part;
    return replace(part, place);
  };
  return mapParts(node, replacePart, { ...node }) as Node;
};

/** What is called is no part of its own: a method stays a method, whatever its object becomes. */
const replaceCallee = (callee: Node, replace: Replace): Node => {
  if (callee.kind === 'Member') return { ...callee, object: replace(callee.object, 'object') };
  if (callee.kind === 'Index' && callee.index.kind === 'Constant')
    return { ...callee, object: replace(callee.object, 'object') };
  return callee.kind === 'Lambda' ? replace(callee, 'callee') : callee;
};
