import {
  type ErrorCode,
  type Issue,
  QUERY_FIGURES,
  QUERY_ORDERS,
  type QueryFigure,
  type QueryGroup,
  type QueryOver,
  type WindowQuery,
} from '@assay/contract';
import { CLUSTER_FIELDS, RESULT_FIELDS, RUN_FIELDS, TEST_FIELDS, withStatuses } from '@assay/contract/filter';
import { type SqlFilterResult, asksForTime, fieldsIn, readFilter } from '@assay/contract/filter-sql';
import type { Dialect } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { refusal } from '../../validation.ts';
import { readRunFilter, readTestFilter } from '../filters/filter-tables.ts';
import { type Window, readWindow } from '../runs/window.ts';
import { type Position, readPosition } from './position.ts';

const DEFAULT_ROWS = 50;
const DEFAULT_GROUPS = 1_000;
const DEFAULT_FIGURES: readonly QueryFigure[] = ['count', 'share'];

const CATALOGUES = { results: RESULT_FIELDS, runs: RUN_FIELDS, tests: TEST_FIELDS, clusters: CLUSTER_FIELDS };

const GROUPS: Record<QueryOver, readonly QueryGroup[]> = {
  results: ['day', 'status', 'cause', 'owner', 'branch', 'file', 'environment'],
  runs: ['day', 'status', 'branch', 'environment'],
  tests: ['status', 'owner', 'file'],
  clusters: ['status'],
};

const DEFAULT_ORDERS: Record<QueryOver, string> = {
  results: '-started',
  runs: '-started',
  tests: '-id',
  clusters: '-last',
};

export type QueryFilter = Extract<SqlFilterResult, { readonly ok: true }> & {
  /** Null where it may ask for any. */
  readonly fields: ReadonlySet<string> | null;
  readonly isEmpty: boolean;
};

/** What a query asks, once it is known to make sense. */
export interface Question {
  readonly over: QueryOver;
  /** Known over all but runs. */
  readonly projectId: number | undefined;
  readonly window: Window;
  readonly filter: QueryFilter;
  /** Whether the answer depends on when it is asked. */
  readonly asksForTime: boolean;
  readonly order: Order;
  readonly limit: number;
  readonly after: Position | null;
  readonly by: QueryGroup | undefined;
  /** Null where rows are listed. */
  readonly figures: ReadonlySet<QueryFigure> | null;
  readonly explain: boolean;
}

export interface Order {
  readonly text: string;
  readonly field: string;
  readonly isDescending: boolean;
}

export interface Asked extends WindowQuery {
  readonly over: QueryOver;
  readonly project?: number | undefined;
  readonly filter?: unknown;
  readonly order?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly by?: QueryGroup | undefined;
  readonly figures?: string | readonly string[] | undefined;
  readonly explain?: boolean | number | undefined;
}

/** Reads what came with an address or in a body; `code` is what mistakes in it are called. */
export const readQuestion = (
  asked: Asked,
  code: Extract<ErrorCode, 'invalid_query' | 'invalid_body'>,
  dialect: Dialect,
): Question => {
  const { over, project, by, limit, cursor, filter: written = '' } = asked;
  const refuse = (path: string, message: string): Error => refusal(code, [{ path, message }]);
  if (project === undefined && over !== 'runs') throw refuse('/project', `is required over ${over}`);
  if (by !== undefined && !GROUPS[over].includes(by)) {
    throw refuse('/by', `must be one of ${GROUPS[over].join(', ')} over ${over}`);
  }
  const figures = by === undefined && asked.figures === undefined ? null : readFigures(asked.figures, refuse);
  if (figures && cursor !== undefined) throw refuse('/cursor', 'must be left out: groups have one page');
  if (figures && asked.order !== undefined)
    throw refuse('/order', 'must be left out: groups have an order of their own');
  const text = asked.order ?? DEFAULT_ORDERS[over];
  if (!QUERY_ORDERS[over].includes(text as never)) {
    throw refuse('/order', `must be one of ${QUERY_ORDERS[over].join(', ')} over ${over}`);
  }
  if (over === 'clusters' && asked.branch !== undefined) {
    throw refuse('/branch', 'must be left out over clusters: they are of all branches');
  }
  const isDescending = text.startsWith('-');
  const order = { text, field: isDescending ? text.slice(1) : text, isDescending };
  const filter = readQueryFilter(over, written, dialect, Date.now());
  if (!filter.ok) throw refusal(code, filter.issues);
  const timeless = typeof written === 'string' ? readFilter(written, catalogueOf(over, filter.statuses)) : filter.value;
  return {
    over,
    projectId: project,
    window: readWindowOf(asked, code),
    filter: filter.value,
    asksForTime: !timeless.ok || asksForTime(timeless.tree),
    order,
    limit: limit ?? (figures ? DEFAULT_GROUPS : DEFAULT_ROWS),
    after:
      cursor === undefined
        ? null
        : readPosition(cursor, over, text, () => refuse('/cursor', 'must be the `nextCursor` of the same query')),
    by,
    figures,
    explain: Boolean(asked.explain),
  };
};

const readWindowOf = (asked: WindowQuery, code: ErrorCode): Window => {
  try {
    return readWindow(asked);
  } catch (error) {
    throw error instanceof AppError ? refusal(code, error.issues ?? []) : error;
  }
};

const readFigures = (
  figures: string | readonly string[] | undefined,
  refuse: (path: string, message: string) => Error,
): ReadonlySet<QueryFigure> => {
  const names =
    typeof figures === 'string' ? figures.split(',').map((name) => name.trim()) : (figures ?? DEFAULT_FIGURES);
  const unknown = names.find((name) => !QUERY_FIGURES.includes(name as QueryFigure));
  if (unknown !== undefined) throw refuse('/figures', `must be some of ${QUERY_FIGURES.join(', ')}`);
  return new Set(names as readonly QueryFigure[]);
};

const catalogueOf = (over: QueryOver, statuses: readonly string[]) => withStatuses(CATALOGUES[over], statuses);

type Read =
  | { readonly ok: true; readonly value: QueryFilter; readonly statuses: readonly string[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * A runner may have statuses of its own, which nobody has listed: one that looks like none of ours is taken for one, and
 * one that does look so is a slip of the pen.
 */
const readQueryFilter = (over: QueryOver, written: unknown, dialect: Dialect, now: number): Read => {
  const read = (statuses: readonly string[]): SqlFilterResult => {
    if (over === 'runs') return readRunFilter(written, { dialect, statuses, now });
    if (over === 'tests') return readTestFilter(written, { dialect, statuses, now });
    return readFilter(written, catalogueOf(over, statuses), { now });
  };
  const first = read([]);
  const own = first.ok ? [] : first.issues.flatMap(ownStatus);
  const filter = own.length === 0 ? first : read(own);
  if (!filter.ok) return { ok: false, issues: filter.issues.map((issue) => presentIssue(issue, written)) };
  const fields = fieldsIn(filter.tree, catalogueOf(over, own));
  const isEmpty = typeof written === 'string' && written.trim() === '';
  return { ok: true, value: { ...filter, fields, isEmpty }, statuses: own };
};

/** The status that an issue is about, where it is not nearly one of ours; searches and functions name it alike. */
const ownStatus = ({ details }: FilterIssue): string[] => {
  const { value, nearest, values, allowed } = details ?? {};
  const isEnum = Array.isArray(values) || Array.isArray(allowed);
  return isEnum && nearest === undefined && typeof value === 'string' ? [value] : [];
};

interface FilterIssue {
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly path: string;
  readonly message: string;
  readonly span?: { readonly start: number } | undefined;
}

const presentIssue = ({ path, message, span }: FilterIssue, written: unknown): Issue =>
  typeof written === 'string'
    ? {
        path: '/filter',
        message: span ? `is wrong at character ${span.start + 1}: ${message}` : `is wrong: ${message}`,
      }
    : { path: `/filter${path}`, message: `is wrong: ${message}` };
