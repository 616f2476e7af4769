import type { Catalogue } from '../catalogue/catalogue.ts';
import { rowPredicate } from '../catalogue/row.ts';
import { fieldIssues } from '../check/fields.ts';
import type { Scope } from '../simplify/simplify.ts';
import { ExpressionError } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';
import { type Context, knowing } from './context.ts';
import { POSTGRES, SQLITE } from './dialect.ts';
import type { Dialect, DialectRules } from './dialect.ts';
import { NotPushed, TRUE } from './fragment.ts';
import type { Bound, Sql } from './fragment.ts';
import { condition } from './translate.ts';

export interface SqlPredicate {
  /** A two-valued condition for WHERE; `TRUE` when nothing is pushed down. */
  readonly sql: string;
  /** One for each `?` in order, or for each `$n`. */
  readonly params: readonly (string | number | boolean)[];
  /** What is left to be evaluated in memory over the rows that `sql` gives; of the same shape as the tree. */
  readonly residual: Node | null;
}

export interface SqlOptions {
  /** Values of the tree's captures; what depends on them alone is evaluated at once. Functions are not called. */
  readonly scope?: Scope | undefined;
  /** Name or alias of the table, to put before every column. */
  readonly table?: string | undefined;
}

/** Below what either database takes in one statement. */
const MAX_PARAMS = 30_000;
const MAX_CHARACTERS = 400_000;

/**
 * Translates a predicate over one row. The rows for which `sql` holds and `residual` is truthy are exactly those for which
 * the tree is truthy in memory. A conjunct that could throw for a row that the catalogue allows is never pushed down.
 * Throws `field.unknown` for a field that the catalogue does not have.
 */
export const toSql = (tree: Node, catalogue: Catalogue, dialect: Dialect, options: SqlOptions = {}): SqlPredicate => {
  const { row, body } = rowPredicate(tree, catalogue);
  const [unknown] = fieldIssues(tree, catalogue);
  if (unknown) throw new ExpressionError(unknown.code, unknown.path, unknown.message, unknown.span);
  if (body.kind === 'Lambda')
    throw new ExpressionError('predicate.parameters', '/root', 'A predicate has one parameter, the row', body.span);
  const rules = dialect === 'sqlite' ? SQLITE : POSTGRES;
  let ctx: Context = {
    rules,
    catalogue,
    row,
    table: options.table,
    scope: options.scope ?? {},
    bindings: new Map(),
    present: new Set(),
    depth: 0,
  };
  const pushed: Sql[] = [];
  const left: Node[] = [];
  let [count, size] = [0, 0];
  for (const conjunct of conjuncts(body)) {
    const translated = attempt(conjunct, ctx);
    const params = translated ? translated.parts.filter((part) => typeof part !== 'string').length : 0;
    if (translated && count + params <= MAX_PARAMS && size + translated.size <= MAX_CHARACTERS) {
      pushed.push(translated);
      [count, size] = [count + params, size + translated.size];
    } else {
      left.push(conjunct);
    }
    ctx = knowing(ctx, conjunct, true);
  }
  const residual = left.length === 0 ? null : remainder(left, tree === body ? undefined : row);
  return { ...render(pushed, rules), residual };
};

const remainder = (conjuncts: readonly Node[], row: string | undefined): Node => {
  const rest = conjuncts.reduce((all, next) => ({ kind: 'Logical', op: '&&', left: all, right: next }));
  if (row !== undefined) return { kind: 'Lambda', params: [row], body: rest };
  // A lambda in the place of the root would be taken for the predicate itself.
  const truth: Node = { kind: 'Constant', value: true };
  return rest.kind === 'Lambda' ? { kind: 'Logical', op: '&&', left: truth, right: rest } : rest;
};

const attempt = (node: Node, ctx: Context): Sql | undefined => {
  try {
    return condition(node, ctx);
  } catch (error) {
    if (error instanceof NotPushed) return undefined;
    throw error;
  }
};

/** What must all be truthy, in the order of evaluation; `!(a || b)` is `!a && !b`. */
const conjuncts = (body: Node): Node[] => {
  const found: Node[] = [];
  const pending = [body];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === 'Logical' && node.op === '&&') pending.push(node.right, node.left);
    else if (node.kind === 'Unary' && node.op === '!' && isOr(node.operand)) {
      pending.push(not(node.operand.right), not(node.operand.left));
    } else found.push(node);
  }
  return found;
};

const isOr = (node: Node): node is Node & { kind: 'Logical'; left: Node; right: Node } =>
  node.kind === 'Logical' && node.op === '||';
const not = (operand: Node): Node => ({ kind: 'Unary', op: '!', operand });

const render = (
  pushed: readonly Sql[],
  rules: DialectRules,
): { sql: string; params: (string | number | boolean)[] } => {
  const params: (string | number | boolean)[] = [];
  const positions = new Map<Bound, number>();
  const texts = (pushed.length === 0 ? [TRUE] : pushed).map(({ parts }) =>
    parts.map((part) => {
      if (typeof part === 'string') return part;
      const known = rules.name === 'postgres' ? positions.get(part) : undefined;
      const position = known ?? params.push(rules.parameter(part));
      positions.set(part, position);
      return rules.placeholder(part, position);
    }),
  );
  return { sql: allOf(texts.map((text) => text.join(''))), params };
};

/** Balanced, for databases bound how deep an expression is. */
const allOf = (texts: readonly string[]): string => {
  if (texts.length <= 8) return texts.join(' AND ');
  const half = texts.length >> 1;
  return `(${allOf(texts.slice(0, half))}) AND (${allOf(texts.slice(half))})`;
};
