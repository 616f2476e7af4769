import { constant, openMake } from '../text/make.ts';
import * as build from '../tree/build.ts';
import { ExpressionError } from '../tree/issue.ts';
import type { BinaryOperator, Global, Node, Value } from '../tree/node.ts';
import { isPlain } from '../tree/plain.ts';
import type { Inputs, TypedTree } from '../tree/typed-tree.ts';
import { refuseOperators } from './operators.ts';
import type { Built, Captured, Expr, One, Std, ValueOf } from './types.ts';

/** How a proxy gives out its node. */
const NODE: unique symbol = Symbol('node');

interface Holder {
  readonly [NODE]: Node;
}

const BINARY: Readonly<Record<string, BinaryOperator>> = {
  eq: '===',
  ne: '!==',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  plus: '+',
  minus: '-',
  times: '*',
  over: '/',
  modulo: '%',
  power: '**',
};

const OPERATIONS: Readonly<Record<string, (self: Node, args: readonly unknown[], depth: number) => Node>> = {
  ...Object.fromEntries(
    Object.entries(BINARY).map(([name, op]) => [
      name,
      (self: Node, [other]: readonly unknown[], depth: number) => build.binary(op, self, lift(other, depth)),
    ]),
  ),
  and: (self, [other], depth) => build.logical('&&', self, lift(other, depth)),
  or: (self, [other], depth) => build.logical('||', self, lift(other, depth)),
  else: (self, [other], depth) => build.logical('??', self, lift(other, depth)),
  not: (self) => build.unary('!', self),
  negated: (self) => build.unary('-', self),
  isNull: (self) =>
    build.logical(
      '||',
      build.binary('===', self, build.constant(null)),
      build.binary('===', self, build.global('undefined')),
    ),
  isIn: (self, [list], depth) =>
    build.isIn(self, Array.isArray(list) ? build.arrayLit(list.map((item) => lift(item, depth))) : lift(list, depth)),
  choose: (self, [yes, no], depth) => build.ternary(self, lift(yes, depth), lift(no, depth)),
  item: (self, [key], depth) => build.index(self, lift(key, depth)),
  field: (self, [name]) => build.member(self, String(name)),
};

/** A proxy over a node: properties are members, calls are calls, the operations above are themselves. */
function proxy(node: Node, depth: number, optional = false): unknown {
  return new Proxy(() => undefined, {
    get(_, key) {
      if (key === NODE) return node;
      if (key === Symbol.toPrimitive) {
        throw new ExpressionError(
          'lambda.operator',
          '',
          'An expression is no value yet: use plus, eq, lt and the like',
        );
      }
      if (typeof key === 'symbol' || key === 'then') return undefined;
      if (key === 'maybe') return proxy(node, depth, true);
      if (Object.hasOwn(OPERATIONS, key)) {
        return (...args: unknown[]) => proxy(OPERATIONS[key]!(node, args, depth), depth);
      }
      return proxy(build.member(node, key, optional), depth);
    },
    apply(_, __, args: unknown[]) {
      const lifted = args.map((arg) => lift(arg, depth));
      return proxy(build.call(node, lifted, optional), depth);
    },
  });
}

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'function' && (value as Partial<Holder>)[NODE] !== undefined;

/** What a value is in a tree: a proxy its node, a function a lambda, all else as its text would be read. */
function lift(value: unknown, depth: number): Node {
  if (isHolder(value)) return value[NODE];
  if (typeof value === 'function') return liftFunction(value as (...args: unknown[]) => unknown, depth);
  if (holdsExpression(value)) {
    if (Array.isArray(value)) return build.arrayLit(value.map((item) => lift(item, depth)));
    return build.objectLit(Object.entries(value).map(([key, item]) => build.property(key, lift(item, depth))));
  }
  const made = constant(openMake(false), value as Value, 0, 0);
  return made.kind === 'Constant' ? build.constant(made.value) : made;
}

const holdsExpression = (value: unknown): value is object =>
  isHolder(value) ||
  (typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value) || isPlain(value)) &&
    Object.values(value).some(holdsExpression));

const ITEMS = 'xyzuvw';

function liftFunction(fn: (...args: unknown[]) => unknown, depth: number): Node {
  const names = Array.from({ length: fn.length }, (_, i) => `${ITEMS[depth % ITEMS.length]}${i === 0 ? '' : i}`);
  return build.lambda(names, lift(fn(...names.map((name) => proxy(build.param(name), depth + 1))), depth + 1));
}

/** The tree of an ordinary lambda, which the plugin puts in place of the call while a program is built. */
export function expr<R>(lambda: (...params: never[]) => R): TypedTree<Inputs, R>;
/** A typed stand-in for the parameter `name`: what is done with it becomes a tree, which `treeOf` gives out. */
export function expr<T>(name?: string): Expr<T>;
export function expr(given: string | ((...params: never[]) => unknown) = 't'): unknown {
  if (typeof given === 'string') return proxy(build.param(given), 0);
  throw new ExpressionError('lambda.unbuilt', '', UNBUILT);
}

const UNBUILT =
  'This lambda has not become a tree: add `expressionPlugin` of @assay/expression-plugin to the plugins of your bundler. ' +
  'Without a bundler use `parseText`, `where` or `fromLambda`';

/** A value or a function that the evaluation finds in its `scope`. */
export function capture<T>(name: string): Captured<T> {
  return proxy(build.capture(name), 0) as Captured<T>;
}

/** The globals of the format: `std.Math.max(t.a, 1)`. */
export const std = new Proxy({} as Std, {
  get: (_, name) => (typeof name === 'string' ? proxy(build.global(name as Global), 0) : undefined),
});

/** The tree that was built. */
export const treeOf = (built: Built): Node => (built as unknown as Holder)[NODE];

type Lambda<Row, Name extends string, R> = TypedTree<{ readonly [K in Name]: ValueOf<Row> }, ValueOf<R>>;

/** A lambda over one row that gives a value, or an object or array of values. */
export function select<Row extends Built, R, Name extends string = 't'>(
  choice: (row: Row) => R & One<R>,
  name: Name = 't' as Name,
): Lambda<Row, Name, R> {
  refuseOperators(choice);
  return build.lambda([name], lift(choice(proxy(build.param(name), 0) as Row), 0));
}

/** A predicate over one row: `where((t: Expr<Row>) => t.status.eq('failed').and(t.retries.gt(0)))`. */
export function where<Row extends Built, R extends Built, Name extends string = 't'>(
  predicate: (row: Row) => R & One<R>,
  name?: Name,
): Lambda<Row, Name, R> {
  const tree = select<Row, R, Name>(predicate, name);
  const { body } = tree as Node & { readonly body: Node };
  if (body.kind !== 'Constant') return tree;
  throw new ExpressionError('lambda.operator', '', 'The function gave a value and no expression: use and, or and not');
}
