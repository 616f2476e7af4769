import type { Catalogue, Field } from '../catalogue/catalogue.ts';
import { rowMember, rowPredicate } from '../catalogue/row.ts';
import { memberName } from '../tree/called.ts';
import type { Issue } from '../tree/issue.ts';
import { lookUp } from '../tree/look-up.ts';
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
      if (name !== undefined && !lookUp(catalogue.fields, name))
        reportUnknownField({ node, path: pathOf(visit), issues }, name, catalogue.fields);
      const { fields, key } = nestedName(node, catalogue, row);
      if (fields && key !== undefined && !lookUp(fields, key))
        reportUnknownField({ node, path: pathOf(visit), issues }, key, fields);
      return true;
    },
  });
  return issues;
};

/** Objects in objects; a chain of members may be as long as a tree is deep. */
const MOST_NESTED = 16;

/** The name of a field of an object that is itself a field, and the fields that the object has. */
const nestedName = (
  node: Node,
  catalogue: Catalogue,
  row: string,
  depth = 0,
): { fields?: Field['fields']; key?: string } => {
  if ((node.kind !== 'Member' && node.kind !== 'Index') || depth > MOST_NESTED) return {};
  const fields = fieldOf(node.object, catalogue, row, depth + 1)?.fields;
  const key = memberName(node);
  return fields && key !== undefined ? { fields, key } : {};
};

const fieldOf = (node: Node, catalogue: Catalogue, row: string, depth: number): Field | undefined => {
  const name = rowMember(node, (one) => one === row);
  if (name !== undefined) return lookUp(catalogue.fields, name);
  const { fields, key } = nestedName(node, catalogue, row, depth);
  return fields && lookUp(fields, key!);
};
