import { BINARY_OPERATORS, type Kind, LOGICAL_OPERATORS, UNARY_OPERATORS } from './node.ts';

export type Role =
  | 'name'
  | 'names'
  | 'texts'
  | 'flag'
  | 'operator'
  | 'node'
  | 'nodes'
  | 'properties'
  | 'elements'
  | 'value'
  | 'type';

export interface Field {
  readonly name: string;
  readonly role: Role;
  readonly required: boolean;
  readonly operators?: ReadonlySet<string>;
}

const field = (name: string, role: Role, operators?: readonly string[]): Field => ({
  name,
  role,
  required: role !== 'flag' && role !== 'value' && role !== 'type',
  ...(operators && { operators: new Set(operators) }),
});

const node = (name: string) => field(name, 'node');

/** The fields of each kind in the order of the specification, which is the order of the canonical form. */
export const FIELDS: Readonly<Record<Kind, readonly Field[]>> = {
  Param: [field('name', 'name')],
  Capture: [field('name', 'name'), field('global', 'flag')],
  Constant: [field('value', 'value'), field('type', 'type')],
  Member: [node('object'), field('prop', 'name'), field('optional', 'flag')],
  Index: [node('object'), node('index'), field('optional', 'flag')],
  Call: [node('callee'), field('args', 'nodes'), field('optional', 'flag')],
  Binary: [field('op', 'operator', BINARY_OPERATORS), node('left'), node('right')],
  Logical: [field('op', 'operator', LOGICAL_OPERATORS), node('left'), node('right')],
  Unary: [field('op', 'operator', UNARY_OPERATORS), node('operand')],
  Ternary: [node('test'), node('then'), node('else')],
  Template: [field('quasis', 'texts'), field('exprs', 'nodes')],
  ObjectLit: [field('props', 'properties')],
  ArrayLit: [field('elements', 'elements')],
  Lambda: [field('params', 'names'), node('body')],
  In: [node('needle'), node('haystack')],
};

const BY_KIND: ReadonlyMap<unknown, readonly Field[]> = new Map(Object.entries(FIELDS));

/** The fields of what may be a kind. Those that may be absent come last. */
export function fieldsOf(kind: unknown): readonly Field[] | undefined {
  return BY_KIND.get(kind);
}
