import {
  type Catalogue,
  type Dialect,
  ExpressionError,
  type Node,
  parseEnvelope,
  type SqlPredicate,
  toSql,
} from '@assay/expression';
import { conjuncts } from './filter-conditions.ts';
import {
  checkFilter,
  type Filter,
  FILTER_LIMITS,
  type FilterResult,
  readFilterText,
  type TextOptions,
} from './filter.ts';

export * from './filter-conditions.ts';

// Apart from `filter.ts`, because pages that filter in memory load neither the reader of envelopes nor the translation.

/** Rows for which the condition holds and the residual is truthy are those that the filter finds. */
export interface FilterSql {
  readonly condition: string;
  readonly params: SqlPredicate['params'];
  readonly residual: Node | null;
}

/** The columns that hold fields; what asks for any other field stays in the residual. */
export interface FilterTable {
  readonly dialect: Dialect;
  readonly name?: string | undefined;
  readonly columns: Readonly<Record<string, string>>;
}

export interface FilterOptions extends TextOptions {
  readonly table?: FilterTable | undefined;
}

/** A filter, with its SQL where the options name a table. */
export type SqlFilterResult =
  | (Filter & { readonly sql: FilterSql | undefined })
  | Exclude<FilterResult, { readonly ok: true }>;

/** Reads a filter: a string is a text in either language, anything else an envelope. */
export const readFilter = (written: unknown, catalogue: Catalogue, options: FilterOptions = {}): SqlFilterResult => {
  const filter =
    typeof written === 'string' ? readFilterText(written, catalogue, options) : readEnvelope(written, catalogue);
  return filter.ok ? { ...filter, sql: options.table && sqlOf(filter.tree, catalogue, options.table) } : filter;
};

const readEnvelope = (envelope: unknown, catalogue: Catalogue): FilterResult => {
  const parsed = parseEnvelope(envelope, { limits: FILTER_LIMITS });
  return parsed.ok ? checkFilter(parsed.tree, catalogue) : parsed;
};

const sqlOf = (tree: Node, catalogue: Catalogue, { dialect, name, columns }: FilterTable): FilterSql => {
  const stored = Object.entries(catalogue.fields).filter(([field]) => Object.hasOwn(columns, field));
  const fields = Object.fromEntries(stored.map(([field, about]) => [field, { ...about, column: columns[field] }]));
  const translate = (part: Node): SqlPredicate | undefined => {
    try {
      return toSql(part, { ...catalogue, fields }, dialect, { table: name });
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  };
  const whole = translate(tree);
  if (whole) return { condition: whole.sql, params: whole.params, residual: whole.residual };
  const parts = conjuncts(tree.kind === 'Lambda' ? tree.body : tree);
  const like = (body: Node): Node => (tree.kind === 'Lambda' ? { ...tree, body } : body);
  const pushable = parts.filter((part) => translate(like(part)));
  const all =
    pushable.length === 0 ? TRUTH : pushable.reduce((left, right) => ({ kind: 'Logical', op: '&&', left, right }));
  const { sql, params } = translate(like(all)) ?? { sql: 'TRUE', params: [] };
  // As a whole: a conjunct may guard a later one against null, whichever of them the database could answer.
  return { condition: sql, params, residual: tree };
};

const TRUTH: Node = { kind: 'Constant', value: true };
