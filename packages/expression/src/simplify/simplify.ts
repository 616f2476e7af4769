import { evaluate } from '../evaluate/evaluate.ts';
import { checkBounds } from '../tree/bounds.ts';
import { ExpressionError } from '../tree/issue.ts';
import { LIBRARY_LIMITS } from '../tree/limits.ts';
import type { Constant, Logical, Node, Unary, Value } from '../tree/node.ts';
import { partsOf } from '../tree/parts.ts';
import { replaceParts } from '../tree/replace-parts.ts';

export interface SimplifyOptions {
  /** Inputs whose values are known already; they become constants. */
  readonly known?: Readonly<Record<string, Value>> | undefined;
  /** Captured values that are known already: what they decide is folded. Functions are not called. */
  readonly scope?: Scope | undefined;
}

export type Scope = Readonly<Record<string, unknown>>;

interface Known {
  readonly params: ReadonlyMap<string, Value>;
  readonly scope: Scope;
}

/** A smaller tree that gives the same value, or fails in the same way, for all inputs that are left. */
export const simplify = (tree: Node, { known = {}, scope = {} }: SimplifyOptions = {}): Node => {
  checkBounds(tree, LIBRARY_LIMITS);
  const params = new Map(Object.entries(known));
  if (tree.kind !== 'Lambda') {
    const { smaller, same } = reduce(tree, { params, scope }, false);
    // As a root a lambda would be a function of inputs.
    return smaller.kind === 'Lambda' ? same : smaller;
  }
  const given = new Map([...params].filter(([name]) => tree.params.includes(name)));
  return {
    ...tree,
    params: tree.params.filter((name) => !given.has(name)),
    body: reduce(tree.body, { params: given, scope }, false).smaller,
  };
};

interface Reduced {
  readonly smaller: Node;
  /** Still of the same kind: only its parts are reduced. */
  readonly same: Node;
}

/** `test` says that only the truth of the result counts. */
const reduce = (node: Node, known: Known, test: boolean): Reduced => {
  if (node.kind === 'Param') {
    const { params } = known;
    const smaller = params.has(node.name) ? constant(params.get(node.name), node) : node;
    return { smaller, same: smaller };
  }
  const inner = node.kind === 'Lambda' ? without(known, node.params) : known;
  const same = replaceParts(node, (part, place) => {
    const reduced = reduce(part, inner, countsAsTest(node, place, test));
    return keepsMeaning(node, place, part, reduced.smaller) ? reduced.smaller : reduced.same;
  });
  return { smaller: rewrite(same, test, known.scope), same };
};

/** Whether a part may be put into its place: a chain, a typeof and a call look at what kind of node stands there. */
const keepsMeaning = (node: Node, place: string, part: Node, smaller: Node): boolean => {
  if (part.kind === smaller.kind) return true;
  if (smaller.kind === 'Lambda' || smaller.kind === 'Capture') return false;
  const isLink = place === 'object' && node.kind !== 'Lambda';
  return !isLink || (!hasOptionalLink(part) && !hasOptionalLink(smaller));
};

/** A chain that may end early, which would then end the chain that it becomes a part of. */
const hasOptionalLink = (node: Node): boolean => {
  if (node.kind !== 'Member' && node.kind !== 'Index' && node.kind !== 'Call') return false;
  return node.optional === true || hasOptionalLink(node.kind === 'Call' ? node.callee : node.object);
};

const without = (known: Known, names: readonly string[]): Known =>
  names.some((name) => known.params.has(name))
    ? { ...known, params: new Map([...known.params].filter(([name]) => !names.includes(name))) }
    : known;

/** Where a part stands in a place that asks only whether it is true. */
const countsAsTest = (node: Node, place: string, test: boolean): boolean => {
  if (node.kind === 'Ternary') return place === 'test' || test;
  if (node.kind === 'Unary') return node.op === '!';
  return node.kind === 'Logical' && node.op !== '??' && test;
};

const LEFT_ALONE: ReadonlySet<string> = new Set(['Param', 'Constant', 'Lambda']);

const rewrite = (node: Node, test: boolean, scope: Scope): Node => {
  if (node.kind === 'Logical') return rewriteLogical(node, test);
  if (node.kind === 'Unary') return rewriteUnary(node, test, scope);
  if (node.kind !== 'Ternary') return LEFT_ALONE.has(node.kind) ? node : fold(node, scope);
  return isConstant(node.test) ? (node.test.value ? node.then : node.else) : node;
};

const rewriteLogical = (node: Logical, test: boolean): Node => {
  const { op, left, right } = node;
  if (isConstant(left)) {
    const decides = op === '&&' ? !left.value : op === '||' ? !!left.value : (left.value ?? null) !== null;
    return decides ? left : right;
  }
  if (!test || !isConstant(right)) return node;
  // `x && true` and `x || false` are as true as x.
  return (op === '&&' && right.value) || (op === '||' && !right.value) ? left : node;
};

const OPPOSITE = { '===': '!==', '!==': '===' } as const;

const rewriteUnary = (node: Unary, test: boolean, scope: Scope): Node => {
  const { op, operand } = node;
  if (op !== '!') return fold(node, scope);
  if (isConstant(operand)) return constant(!operand.value, node);
  if (operand.kind === 'Unary' && operand.op === '!' && (test || isBoolean(operand.operand))) return operand.operand;
  if (operand.kind === 'Binary' && (operand.op === '===' || operand.op === '!=='))
    return { ...operand, op: OPPOSITE[operand.op] };
  return node;
};

const BOOLEAN_OPERATORS: ReadonlySet<string> = new Set(['===', '!==', '<', '<=', '>', '>=', 'instanceof', 'in']);

const isBoolean = (node: Node): boolean =>
  node.kind === 'In' ||
  (node.kind === 'Unary' && node.op === '!') ||
  (node.kind === 'Constant' && typeof node.value === 'boolean') ||
  (node.kind === 'Binary' && BOOLEAN_OPERATORS.has(node.op)) ||
  (node.kind === 'Logical' && isBoolean(node.left) && isBoolean(node.right));

const isConstant = (node: Node): node is Constant => node.kind === 'Constant';

const constant = (value: Value, from: Node): Constant =>
  from.span ? { kind: 'Constant', value, span: from.span } : { kind: 'Constant', value };

/** A part without inputs or a clock gives what it gives now; what fails stays to fail when it is reached. */
const fold = (node: Node, scope: Scope): Node => {
  const value = valueNow(node, scope);
  return value && isPrimitive(value.value) ? constant(value.value, node) : node;
};

/** The value of a node that depends on the scope alone; undefined where it depends on more, or fails. */
export const valueNow = (node: Node, scope: Scope): { readonly value: Value } | undefined => {
  const parts = partsOf(node);
  if (node.kind === 'Lambda') return undefined;
  if (!(parts.length === 0 ? isClosed(node, scope) : parts.every(({ part }) => isClosed(part, scope))))
    return undefined;
  try {
    return { value: evaluate(node, { scope, limits: FOLD_LIMITS }) };
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
};

const FOLD_LIMITS = { steps: 10_000, outputStringLength: 1_000, outputArrayLength: 1_000 };

const isPrimitive = (value: Value): boolean => typeof value !== 'object' || value === null;

/** Constants, literals of constants, lambdas, values of the scope and the names of global objects. */
const isClosed = (node: Node, scope: Scope, bound: readonly string[] = []): boolean => {
  if (node.kind === 'Param') return bound.includes(node.name);
  if (node.kind === 'Capture') return node.global === true || hasValue(scope, node.name);
  const inner = node.kind === 'Lambda' ? [...bound, ...node.params] : bound;
  return partsOf(node).every(({ part }) => isClosed(part, scope, inner));
};

const hasValue = (scope: Scope, name: string): boolean => {
  const found = Object.getOwnPropertyDescriptor(scope, name);
  return found !== undefined && 'value' in found && typeof found.value !== 'function';
};
