import type { Catalogue } from '../catalogue/catalogue.ts';
import { rowPredicate } from '../catalogue/row.ts';
import type { Issue } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';
import { estimateCost } from './cost.ts';
import { ROW, infer } from './infer.ts';
import { type TypeName, listTypes } from './types.ts';

export interface Checked {
  /** What the predicate can give: more than one where that depends on the row. */
  readonly type: readonly TypeName[];
  readonly issues: readonly Issue[];
  /** Steps that one row takes, estimated; lists are taken to have 20 elements. */
  readonly cost: number;
}

/**
 * Checks a predicate over one row against the fields that the row has: unknown names, values that an enum does not have,
 * comparisons that never hold, members of what may be null. A tree with issues still evaluates.
 */
export const check = (tree: Node, catalogue: Catalogue): Checked => {
  const { row, body: node, path } = rowPredicate(tree, catalogue);
  const issues: Issue[] = [];
  const bindings = new Map([[row, ROW]]);
  const inferred = infer({
    node,
    path,
    issues,
    depth: 0,
    catalogue,
    bindings,
    present: [],
    asked: [],
  });
  return { type: listTypes(inferred), issues, cost: estimateCost(tree) };
};
