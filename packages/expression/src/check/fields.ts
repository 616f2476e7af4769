import type { Catalogue } from '../catalogue/catalogue.ts';
import { nearestName } from '../catalogue/nearest.ts';
import { findField, rowMember, rowPredicate } from '../catalogue/row.ts';
import type { Issue } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';
import { type Place, pointer } from '../tree/place.ts';
import { walk } from '../tree/walk.ts';

/** The members of the row that the catalogue does not have, in the order of the tree. */
export const fieldIssues = (tree: Node, catalogue: Catalogue): Issue[] => {
  const { row, body } = rowPredicate(tree, catalogue);
  const issues: Issue[] = [];
  walk(tree, {
    enter: ({ node, place }) => {
      if (node.kind === 'Lambda' && node !== tree && node.params.includes(row)) return false;
      if (node.kind === 'Lambda' && node === tree && node.body !== body) return false;
      const name = rowMember(node, (name) => name === row);
      if (name !== undefined && !findField(catalogue, name)) issues.push(unknownField(node, place, name, catalogue));
      return true;
    },
  });
  return issues;
};

export const unknownField = (node: Node, place: Place, name: string, catalogue: Catalogue): Issue => {
  const nearest = nearestName(name, Object.keys(catalogue.fields));
  const details = { name, ...(nearest === undefined ? {} : { nearest }) };
  const message = `There is no field ${quote(name)}${suggestion(nearest)}`;
  return { code: 'field.unknown', path: pointer(place), span: node.span, message, details };
};

export const quote = (name: string): string => JSON.stringify(name);

export const suggestion = (nearest: string | undefined): string =>
  nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
