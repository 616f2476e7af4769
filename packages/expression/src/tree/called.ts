import { VALUE_GLOBALS } from './globals.ts';
import type { Member, Node } from './node.ts';

/** The name of a member, also where it is written as an index. */
export const memberName = (node: Node): string | undefined => {
  const name: unknown =
    node.kind === 'Member'
      ? node.prop
      : node.kind === 'Index' && node.index?.kind === 'Constant'
        ? node.index.value
        : undefined;
  return typeof name === 'string' ? name : undefined;
};

/** The name of a global function or constant, such as `String` or `Math.max`. */
export const globalName = (callee: Node): string | undefined => {
  const owner = (callee as Partial<Member>).object ?? callee;
  if (owner?.kind !== 'Capture' || !owner.global) return undefined;
  if (owner === callee) return owner.name;
  return VALUE_GLOBALS.has(owner.name) ? undefined : `${owner.name}.${memberName(callee)}`;
};
