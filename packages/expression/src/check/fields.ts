import type { Catalogue } from '../catalogue/catalogue.ts';
import { findField, rowMember, rowPredicate } from '../catalogue/row.ts';
import type { Issue } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';
import { pathOf, walk } from '../tree/walk.ts';
import { reportUnknownField } from './report.ts';

/** The members of the row that the catalogue does not have, in the order of the tree. */
export const fieldIssues = (tree: Node, catalogue: Catalogue): Issue[] => {
  const { row, body } = rowPredicate(tree, catalogue);
  const issues: Issue[] = [];
  walk(tree, {
    enter: (visit) => {
      const { node } = visit;
      if (node.kind === 'Lambda' && node !== tree && node.params.includes(row)) return false;
      if (node.kind === 'Lambda' && node === tree && node.body !== body) return false;
      const name = rowMember(node, (name) => name === row);
      if (name !== undefined && !findField(catalogue, name))
        reportUnknownField({ node, path: pathOf(visit), issues }, name, catalogue.fields);
      return true;
    },
  });
  return issues;
};
