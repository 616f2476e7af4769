import type { Node } from '../tree/node.ts';
import type { Catalogue, Field } from './catalogue.ts';

/** A predicate over one row: a lambda with one parameter, or a body over the catalogue's row parameter. */
export interface RowPredicate {
  readonly row: string;
  readonly body: Node;
  /** JSON Pointer of the body. */
  readonly path: string;
}

export const rowPredicate = (tree: Node, catalogue: Catalogue): RowPredicate => {
  const [first, ...others] = tree.kind === 'Lambda' ? tree.params : [];
  if (tree.kind === 'Lambda' && first !== undefined && others.length === 0) {
    return { row: first, body: tree.body, path: '/root/body' };
  }
  return { row: catalogue.row ?? 't', body: tree, path: '/root' };
};

export const findField = (catalogue: Catalogue, name: string): Field | undefined =>
  Object.hasOwn(catalogue.fields, name) ? catalogue.fields[name] : undefined;

/** The name that a member of the row has, also when it is written as an index. */
export const rowMember = (node: Node, isRow: (name: string) => boolean): string | undefined => {
  if (node.kind !== 'Member' && node.kind !== 'Index') return undefined;
  if (node.object.kind !== 'Param' || !isRow(node.object.name)) return undefined;
  if (node.kind === 'Member') return node.prop;
  return node.index.kind === 'Constant' && typeof node.index.value === 'string' ? node.index.value : undefined;
};

/** Deeper than this nothing is looked for; trees that were built by hand have no bound. */
const MAX_DEPTH = 256;

/** The fields that cannot be null where this node came out as truthy, or as falsy. */
export const fieldsPresent = (node: Node, truthy: boolean, isRow: (name: string) => boolean, depth = 0): string[] => {
  if (depth > MAX_DEPTH) return [];
  if (node.kind === 'Logical' && node.op === (truthy ? '&&' : '||')) {
    return [
      ...fieldsPresent(node.left, truthy, isRow, depth + 1),
      ...fieldsPresent(node.right, truthy, isRow, depth + 1),
    ];
  }
  if (node.kind === 'Unary' && node.op === '!') return fieldsPresent(node.operand, !truthy, isRow, depth + 1);
  if (node.kind === 'Binary' && (node.op === '===' || node.op === '!==')) {
    const told = (node.op === '===') === truthy ? equalTo : unlikeNull;
    return [...told(node.left, node.right), ...told(node.right, node.left)].flatMap((to) => carried(to, isRow));
  }
  if (node.kind === 'In') return truthy && isList(node.haystack) ? carried(node.needle, isRow) : [];
  return truthy ? carried(node, isRow) : [];
};

/** A chain that is neither null nor undefined began at a field that is not. */
const carried = (node: Node, isRow: (name: string) => boolean, depth = 0): string[] => {
  if (depth > MAX_DEPTH) return [];
  const field = rowMember(node, isRow);
  if (field !== undefined) return [field];
  if (node.kind === 'Member' || node.kind === 'Index') return carried(node.object, isRow, depth + 1);
  if (node.kind === 'Call') return node.callee.kind === 'Member' ? carried(node.callee.object, isRow, depth + 1) : [];
  return [];
};

const isNull = (node: Node): boolean => node.kind === 'Constant' && node.value === null;
const isScalar = (node: Node): boolean =>
  node.kind === 'Constant' && ['string', 'number', 'boolean', 'bigint'].includes(typeof node.value);

const equalTo = (node: Node, other: Node): Node[] => {
  if (!isScalar(other)) return [];
  if (node.kind === 'Unary' && node.op === 'typeof') return isTypeOfPresent(other) ? [node.operand] : [];
  return [node];
};
const isTypeOfPresent = (node: Node): boolean =>
  node.kind === 'Constant' && node.value !== 'object' && node.value !== 'undefined';

/** Only of a field itself: a chain that ended early is undefined and so not null. */
const unlikeNull = (node: Node, other: Node): Node[] => {
  const chained = (node.kind === 'Member' || node.kind === 'Index') && node.object.kind === 'Param';
  return isNull(other) && chained ? [node] : [];
};

const isList = (node: Node): boolean =>
  node.kind === 'Constant' &&
  Array.isArray(node.value) &&
  node.value.every((item) => item !== null && item !== undefined);
