import { globalName, memberName } from '../../tree/called.ts';
import type { Kind, Node } from '../../tree/node.ts';

/** What takes longer, or more memory, than reading a property, which is one step. */
const STEPS: Partial<Record<Kind, number>> = { ArrayLit: 3, Call: 12, ObjectLit: 4, Template: 3 };

/** Those of entering a lambda. */
export const LAMBDA_STEPS = 4;

const isMethod = (callee: Node): boolean => globalName(callee) === undefined && memberName(callee) !== undefined;

/** The steps of a node without what is below it. A method and its call are one. */
export const stepsOf = (node: Node): number => {
  const steps = STEPS[node?.kind] ?? 1;
  return node?.kind === 'Call' && isMethod(node.callee) ? steps - 1 : steps;
};
