import { constant, openMake } from '../text/make.ts';
import * as build from '../tree/build.ts';
import type { BinaryOperator, Node, Value } from '../tree/node.ts';
import type { Built, Expr, Row } from './types.ts';

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
      if (typeof key === 'symbol' || key === 'then') return undefined;
      if (key === 'maybe') return proxy(node, depth, true);
      if (Object.hasOwn(OPERATIONS, key)) {
        return (...args: unknown[]) => proxy(OPERATIONS[key]!(node, args, depth), depth);
      }
      return proxy(build.member(node, key, optional), depth);
    },
    apply(_, __, args: unknown[]) {
      return proxy(
        build.call(
          node,
          args.map((arg) => lift(arg, depth)),
          optional,
        ),
        depth,
      );
    },
  });
}

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'function' && (value as Partial<Holder>)[NODE] !== undefined;

/** What a value is in a tree: a proxy its node, a function a lambda, all else as its text would be read. */
function lift(value: unknown, depth: number): Node {
  if (isHolder(value)) return value[NODE];
  if (typeof value === 'function') return liftFunction(value as (...args: unknown[]) => unknown, depth);
  const made = constant(openMake(false), value as Value, 0, 0);
  return made.kind === 'Constant' ? build.constant(made.value) : made;
}

const ITEMS = 'xyzuvw';

function liftFunction(fn: (...args: unknown[]) => unknown, depth: number): Node {
  const names = Array.from({ length: fn.length }, (_, i) => `${ITEMS[depth % ITEMS.length]}${i === 0 ? '' : i}`);
  return build.lambda(names, lift(fn(...names.map((name) => proxy(build.param(name), depth + 1))), depth + 1));
}

/** A typed stand-in for the parameter `name`: what is done with it becomes a tree, which `treeOf` gives out. */
export function expr<T>(name = 't'): Expr<T> {
  return proxy(build.param(name), 0) as Expr<T>;
}

/** The tree that was built. */
export const treeOf = (built: Built): Node => (built as unknown as Holder)[NODE];

/** A lambda over one row: `where<Row>((t) => t.status.eq('failed').and(t.retries.gt(0)))`. */
export function where<T extends Row>(predicate: (row: Expr<T>) => Built | boolean, name = 't'): Node {
  return build.lambda([name], lift(predicate(expr<T>(name)), 0));
}
