/** The closed union of nodes of version 1. Nodes are plain frozen objects; what checks and freezes them is in `read` and `build`. */
export type Node =
  | Param
  | Capture
  | Constant
  | Member
  | Index
  | Call
  | Binary
  | Logical
  | Unary
  | Ternary
  | Template
  | ObjectLit
  | ArrayLit
  | Lambda
  | In;

export type Kind = Node['kind'];

interface Base {
  /** Where it was in the text that it came from; never part of its meaning. */
  readonly span?: Span | undefined;
}

/** Offsets in UTF-16 units; `end` is behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Param extends Base {
  readonly kind: 'Param';
  readonly name: string;
}

export interface Capture extends Base {
  readonly kind: 'Capture';
  readonly name: string;
  readonly global?: true | undefined;
}

/** In memory a constant holds its value itself: a Date, a bigint, a RegExp, undefined, NaN. On the wire it is encoded. */
export interface Constant extends Base {
  readonly kind: 'Constant';
  readonly value: Value;
}

export interface Member extends Base {
  readonly kind: 'Member';
  readonly object: Node;
  readonly prop: string;
  readonly optional?: true | undefined;
}

export interface Index extends Base {
  readonly kind: 'Index';
  readonly object: Node;
  readonly index: Node;
  readonly optional?: true | undefined;
}

export interface Call extends Base {
  readonly kind: 'Call';
  readonly callee: Node;
  readonly args: readonly Node[];
  readonly optional?: true | undefined;
}

export const BINARY_OPERATORS = [
  '===',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '**',
  'instanceof',
  'in',
] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];

export interface Binary extends Base {
  readonly kind: 'Binary';
  readonly op: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
}

export const LOGICAL_OPERATORS = ['&&', '||', '??'] as const;
export type LogicalOperator = (typeof LOGICAL_OPERATORS)[number];

export interface Logical extends Base {
  readonly kind: 'Logical';
  readonly op: LogicalOperator;
  readonly left: Node;
  readonly right: Node;
}

export const UNARY_OPERATORS = ['!', '-', '+', 'typeof'] as const;
export type UnaryOperator = (typeof UNARY_OPERATORS)[number];

export interface Unary extends Base {
  readonly kind: 'Unary';
  readonly op: UnaryOperator;
  readonly operand: Node;
}

export interface Ternary extends Base {
  readonly kind: 'Ternary';
  readonly test: Node;
  readonly then: Node;
  readonly else: Node;
}

export interface Template extends Base {
  readonly kind: 'Template';
  readonly quasis: readonly string[];
  readonly exprs: readonly Node[];
}

export interface Spread {
  readonly spread: Node;
}

export interface Property {
  readonly key: string;
  readonly value: Node;
}

export interface ObjectLit extends Base {
  readonly kind: 'ObjectLit';
  readonly props: readonly (Property | Spread)[];
}

export interface ArrayLit extends Base {
  readonly kind: 'ArrayLit';
  readonly elements: readonly (Node | Spread)[];
}

export interface Lambda extends Base {
  readonly kind: 'Lambda';
  readonly params: readonly string[];
  readonly body: Node;
}

export interface In extends Base {
  readonly kind: 'In';
  readonly needle: Node;
  readonly haystack: Node;
}

/** The closed set of values. A plain object has no prototype that matters: only its own data properties count. */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | RegExp
  | readonly Value[]
  | { readonly [key: string]: Value };

/** The names that a `Capture` with `global` may have. */
export const GLOBALS = [
  'undefined',
  'NaN',
  'Infinity',
  'Math',
  'Number',
  'String',
  'Boolean',
  'BigInt',
  'Array',
  'Object',
  'Date',
  'JSON',
  'RegExp',
] as const;
export type Global = (typeof GLOBALS)[number];
