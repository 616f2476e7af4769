import {
  type Catalogue,
  check,
  compile,
  DASHBOARD_LIMITS,
  ExpressionError,
  type Issue,
  type Limits,
  type Node,
  parseSearch,
  parseText,
} from '@assay/expression';
import type { FilterRow } from './filter-fields.ts';

export * from './filter-fields.ts';

/** For filters that come with an address or a request, which anybody may have written. `steps` is for one row. */
export const FILTER_LIMITS: Limits = { ...DASHBOARD_LIMITS, steps: 20_000 };
/** For all rows together. */
const MOST_MS = 1_000;
const TOO_COSTLY = 'The filter is too costly for so many: it was stopped after a second. Ask for less.';

/** Something in a list, with what a filter may ask of it. */
export interface Asked {
  readonly row: FilterRow;
}

export interface Found<Entry> {
  readonly found: readonly Entry[];
  /** How many could not be asked, and why the first of them could not. */
  readonly failed: { readonly count: number; readonly message: string } | null;
}

export type Predicate = (row: FilterRow) => boolean;

/** Asks all of a list, within the limits for one row and for all of them. */
export type Find = <Entry extends Asked>(entries: readonly Entry[]) => Found<Entry>;

export interface Filter {
  readonly ok: true;
  readonly tree: Node;
  /** Throws an `ExpressionError` for a row that cannot be asked. */
  readonly predicate: Predicate;
  readonly find: Find;
  /** What is odd about it though it can be asked. */
  readonly issues: readonly Issue[];
}

export type FilterResult = Filter | { readonly ok: false; readonly issues: readonly Issue[] };

/** What a filter is written in: `t => t.status === 'failed'` or `status:failed`. */
export type FilterLanguage = 'js' | 'search';

export interface TextOptions {
  /** Left out, the text itself tells. */
  readonly language?: FilterLanguage | undefined;
  /** What relative times such as `-7d` count from; left out, the filter asks the clock for each row. */
  readonly now?: number | undefined;
}

const NEVER_RUNS = new Set([
  'field.unknown',
  'param.unknown',
  'enum.unknownValue',
  'member.unknown',
  'call.unknownMethod',
  'call.unknownFunction',
  'call.noFunction',
  'lambda.noValue',
  'lambda.missing',
]);

const ARROW = /^\s*(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|\([^()]*\))\s*=>/u;
const MEMBER_OF_ROW = /^[\s!(]*t\s*\??\.\s*[\p{ID_Start}$_"]/u;

/** A function such as `t => …`, or an expression that begins with a field as `t.status`, is JavaScript. */
export const languageOf = (text: string): FilterLanguage =>
  ARROW.test(text) || MEMBER_OF_ROW.test(text) ? 'js' : 'search';

/** Reads a filter as a person writes it. */
export const readFilterText = (
  text: string,
  catalogue: Catalogue,
  { language = languageOf(text), now }: TextOptions = {},
): FilterResult => {
  const isEmpty = text.trim() === '';
  const options = { spans: true, limits: FILTER_LIMITS };
  const parsed =
    isEmpty || language === 'search' ? parseSearch(text, catalogue, { ...options, now }) : parseText(text, options);
  if (!parsed.ok) return parsed;
  const filter = checkFilter(parsed.tree, catalogue);
  return filter.ok && isEmpty ? { ...filter, find: findAll } : filter;
};

/** A tree as a filter, if it can be one. */
export const checkFilter = (tree: Node, catalogue: Catalogue): FilterResult => {
  if (tree.kind === 'Lambda' && tree.params.length !== 1) {
    const message = 'A filter has one parameter, the row';
    return { ok: false, issues: [{ code: 'predicate.parameters', path: '/root', span: tree.span, message }] };
  }
  const { issues } = check(tree, catalogue);
  const wrong = issues.filter(({ code }) => NEVER_RUNS.has(code));
  if (wrong.length > 0) return { ok: false, issues: wrong };
  try {
    const predicate = predicateOf(tree, catalogue);
    return { ok: true, tree, predicate, find: finderOf(predicate), issues };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, path, message, span, details } = error;
    return { ok: false, issues: [{ code, path, message, span, details }] };
  }
};

/** What a filter or a residual says of a row. Closures, since the policy of a page lets no code be made from text. */
export const predicateOf = (tree: Node, catalogue: Catalogue): Predicate => {
  const matches = compile(tree, { mode: 'closure', data: 'plain', clock: Date.now, limits: FILTER_LIMITS });
  const name = (tree.kind === 'Lambda' ? tree.params[0] : undefined) ?? catalogue.row ?? 't';
  const input: Record<string, FilterRow> = {};
  return (row) => {
    input[name] = row;
    return Boolean(matches(input));
  };
};

export const findAll: Find = (entries) => ({ found: entries, failed: null });

const finderOf =
  (predicate: Predicate): Find =>
  (entries) => {
    const until = performance.now() + MOST_MS;
    let count = 0;
    let message: string | null = null;
    const found: (typeof entries)[number][] = [];
    for (const [nth, entry] of entries.entries()) {
      if (performance.now() > until) {
        count += entries.length - nth;
        message = TOO_COSTLY;
        break;
      }
      try {
        if (predicate(entry.row)) found.push(entry);
      } catch (error) {
        count++;
        message ??= (error as Error).message;
      }
    }
    return { found, failed: message === null ? null : { count, message } };
  };
