import { memberName } from '../tree/called.ts';
import type { Node } from '../tree/node.ts';
import type { Catalogue } from './catalogue.ts';

/** A predicate over one row: a lambda with one parameter, or a body over the catalogue's row parameter. */
export interface RowPredicate {
  readonly row: string;
  readonly body: Node;
  /** JSON Pointer of the body. */
  readonly path: string;
}

export const rowPredicate = (tree: Node, catalogue: Catalogue): RowPredicate =>
  tree.kind === 'Lambda' && tree.params.length === 1
    ? { row: tree.params[0]!, body: tree.body, path: '/root/body' }
    : { row: catalogue.row ?? 't', body: tree, path: '/root' };

/** The name of a member of the row. */
export const rowMember = (node: Node, isRow: (name: string) => boolean): string | undefined =>
  'object' in node && node.object.kind === 'Param' && isRow(node.object.name) ? memberName(node) : undefined;

/** The fields that cannot be null where a node came out as truthy, or as falsy. */
export const fieldsPresent = (test: Node, truthy: boolean, isRow: (name: string) => boolean): string[] => {
  const present: (string | undefined)[] = [];
  const open = [{ node: test, truthy }];
  for (const { node, truthy } of open) {
    if (node.kind === 'Logical' && node.op === (truthy ? '&&' : '||'))
      open.push({ node: node.left, truthy }, { node: node.right, truthy });
    else if (node.kind === 'Unary' && node.op === '!') open.push({ node: node.operand, truthy: !truthy });
    else if (node.kind === 'Binary' && (node.op === '===' || node.op === '!==')) {
      const told = (node.op === '===') === truthy ? presentIfEqual : presentIfUnlike;
      present.push(told(node.left, node.right, isRow), told(node.right, node.left, isRow));
    } else if (truthy) present.push(fieldOf(node.kind === 'In' && isList(node.haystack) ? node.needle : node, isRow));
  }
  return present.filter((field) => field !== undefined);
};

type IsRow = (name: string) => boolean;

const presentIfEqual = (node: Node, other: Node, isRow: IsRow): string | undefined => {
  if (other.kind !== 'Constant' || !isThere(other.value)) return undefined;
  if (node.kind !== 'Unary' || node.op !== 'typeof') return fieldOf(node, isRow);
  return other.value === 'object' || other.value === 'undefined' ? undefined : fieldOf(node.operand, isRow);
};

/** Only a field itself: a chain that ended early is undefined and so not null. */
const presentIfUnlike = (node: Node, other: Node, isRow: IsRow): string | undefined =>
  other.kind === 'Constant' && other.value === null ? rowMember(node, isRow) : undefined;

/** A chain that is neither null nor undefined began at a field that is not. */
const fieldOf = (chain: Node, isRow: IsRow): string | undefined => {
  let field: string | undefined;
  for (let node: Node | undefined = chain; node && field === undefined;) {
    field = rowMember(node, isRow);
    const link: Node = node.kind === 'Call' ? node.callee : node;
    node = 'object' in link ? link.object : undefined;
  }
  return field;
};

const isList = (node: Node): boolean =>
  node.kind === 'Constant' && Array.isArray(node.value) && node.value.every(isThere);

const isThere = (value: unknown): boolean => value !== null && value !== undefined;
