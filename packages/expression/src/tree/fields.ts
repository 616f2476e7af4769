import { BINARY_OPERATORS, type Kind, LOGICAL_OPERATORS, UNARY_OPERATORS } from './node.ts';

export type Role = 'name' | 'param[]' | 'text[]' | 'flag' | 'operator' | 'node' | 'node[]' | 'property[]' | 'element[]';

/** What is in a field of such a name, if it is not a node. */
const ROLES: ReadonlyMap<string, Role> = new Map(
  Object.entries<Role>({
    name: 'name',
    prop: 'name',
    key: 'name',
    params: 'param[]',
    quasis: 'text[]',
    global: 'flag',
    optional: 'flag',
    op: 'operator',
    args: 'node[]',
    exprs: 'node[]',
    props: 'property[]',
    elements: 'element[]',
  }),
);

export const roleOf = (field: string): Role => ROLES.get(field) ?? 'node';

/**
 * The fields of each kind in the order of the specification, which is the order of the canonical form. What a `Constant`
 * holds is no matter of single fields.
 */
const NAMES: Readonly<Record<Kind, string>> = {
  Param: 'name',
  Capture: 'name global',
  Constant: '',
  Member: 'object prop optional',
  Index: 'object index optional',
  Call: 'callee args optional',
  Binary: 'op left right',
  Logical: 'op left right',
  Unary: 'op operand',
  Ternary: 'test then else',
  Template: 'quasis exprs',
  ObjectLit: 'props',
  ArrayLit: 'elements',
  Lambda: 'params body',
  In: 'needle haystack',
};

export const KINDS: readonly string[] = Object.keys(NAMES);

const FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map(
  Object.entries(NAMES).map(([kind, names]) => [kind, names.match(/\w+/g) ?? []]),
);

/** The names of the fields of what may be a kind. */
export const fieldsOf = (kind: unknown): readonly string[] | undefined => FIELDS.get(kind);

export const OPERATORS: Readonly<Record<'Binary' | 'Logical' | 'Unary', readonly unknown[]>> = {
  Binary: BINARY_OPERATORS,
  Logical: LOGICAL_OPERATORS,
  Unary: UNARY_OPERATORS,
};
