import { type Catalogue, type Node, print, walk } from '@assay/expression';
import { type Predicate, predicateOf } from './filter.ts';

/** A part of a filter. Rows for which all parts hold, and none fails, are those that the filter finds. */
export interface Condition {
  /** Null where it may ask for any field. */
  readonly fields: ReadonlySet<string> | null;
  readonly holds: Predicate;
  readonly text: string;
}

export const conjuncts = (body: Node): Node[] =>
  body.kind === 'Logical' && body.op === '&&' ? [...conjuncts(body.left), ...conjuncts(body.right)] : [body];

/** The conditions that a filter joins by "and". */
export const conditionsOf = (tree: Node, catalogue: Catalogue): Condition[] =>
  conjuncts(tree.kind === 'Lambda' ? tree.body : tree)
    .filter((part) => !(part.kind === 'Constant' && part.value === true))
    .map((part) => {
      const whole: Node = tree.kind === 'Lambda' ? { ...tree, body: part } : part;
      return { fields: fieldsIn(whole, catalogue), holds: predicateOf(whole, catalogue), text: print(part) };
    });

/** The fields of a row that a filter may ask for; null where it uses the row in another way. */
export const fieldsIn = (tree: Node, catalogue: Catalogue): ReadonlySet<string> | null => {
  const row = (tree.kind === 'Lambda' ? tree.params[0] : undefined) ?? catalogue.row ?? 't';
  const fields = new Set<string>();
  let isKnown = true;
  walk(tree, {
    enter({ node, parent }) {
      if (node.kind !== 'Param' || node.name !== row) return;
      const above = parent?.node;
      if (above?.kind === 'Member' && above.object === node && Object.hasOwn(catalogue.fields, above.prop))
        fields.add(above.prop);
      else isKnown = false;
    },
  });
  return isKnown ? fields : null;
};

/** Whether what it finds depends on when it is asked. */
export const asksForTime = (tree: Node): boolean => {
  let asks = false;
  walk(tree, {
    enter({ node }) {
      if (node.kind === 'Capture' && node.name === 'Date') asks = true;
    },
  });
  return asks;
};

/** A filter as JavaScript. */
export const printFilter = (tree: Node): string => print(tree);
