import type { Catalogue } from '../catalogue/catalogue.ts';
import { rowPredicate } from '../catalogue/row.ts';
import type { Issue } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';
import type { Place } from '../tree/place.ts';
import { contradictions } from './contradiction.ts';
import { estimateCost } from './cost.ts';
import { infer } from './infer.ts';
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
  const { row, body } = rowPredicate(tree, catalogue);
  const root: Place = { up: undefined, key: 'root' };
  const place = body === tree ? root : { up: root, key: 'body' };
  const issues: Issue[] = [];
  const inferred = infer(body, place, { catalogue, row, bindings: new Map(), present: new Set(), depth: 0, issues });
  return {
    type: listTypes(inferred),
    issues: [...issues, ...contradictions(body, place, row)],
    cost: estimateCost(tree),
  };
};
