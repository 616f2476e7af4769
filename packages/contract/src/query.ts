import { type Static, Type } from 'typebox';
import { TestCase } from './cases.ts';
import { Cluster } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { RunRef } from './run-refs.ts';
import { Run } from './run.ts';
import { Count, Nullable } from './schema.ts';
import { LONGEST_LISTED_ERROR } from './test-details.ts';
import { Test } from './tests.ts';
import { windowQuery } from './window.ts';
import { withCommas } from './with-commas.ts';

/** Of a filter as text; an envelope has the limits of the expression format. */
export const LONGEST_FILTER = 8_000;
export const MOST_QUERY_ROWS = 1_000;
/** Groups that are counted; what would be in further ones is counted together. */
export const MOST_QUERY_GROUPS = 10_000;
/** Results that one query looks at. */
export const MOST_QUERIED_RESULTS = 10_000_000;
/** Runs that figures of tests such as their P90 are of, unless the query names days. */
export const QUERIED_TEST_RUNS = 30;

export const QueryOver = Type.Union(
  [Type.Literal('results'), Type.Literal('runs'), Type.Literal('tests'), Type.Literal('clusters')],
  {
    description: 'What rows are',
  },
);
export type QueryOver = Static<typeof QueryOver>;

export const QueryGroup = Type.Union(
  [
    Type.Literal('day'),
    Type.Literal('status'),
    Type.Literal('cause'),
    Type.Literal('owner'),
    Type.Literal('branch'),
    Type.Literal('file'),
    Type.Literal('environment'),
  ],
  {
    description:
      'Counts the rows by this instead of listing them. Days are in UTC. A row with several owners is in the group of each. Runs have no cause, owner and file; tests no day, cause, branch and environment; clusters have statuses only',
  },
);
export type QueryGroup = Static<typeof QueryGroup>;

export const QUERY_ORDERS = {
  results: ['-started', 'started', '-duration', 'duration'],
  runs: ['started', 'duration', 'tests', 'passed', 'failed', 'skipped', 'flaky', 'avg', 'p90'].flatMap((field) => [
    `-${field}`,
    field,
  ]),
  tests: ['id', 'lastrun', 'lastfailure', 'passrate', 'flakyrate', 'avg', 'p90', 'total', 'runs', 'failed'].flatMap(
    (field) => [`-${field}`, field],
  ),
  clusters: ['last', 'first', 'failures', 'runs'].flatMap((field) => [`-${field}`, field]),
} as const satisfies Record<QueryOver, readonly string[]>;

const QueryFigure = Type.Union([
  Type.Literal('count'),
  Type.Literal('share'),
  Type.Literal('sum'),
  Type.Literal('quantiles'),
]);
export type QueryFigure = Static<typeof QueryFigure>;
export const QUERY_FIGURES: readonly QueryFigure[] = ['count', 'share', 'sum', 'quantiles'];

const question = {
  over: QueryOver,
  project: Type.Optional({ ...Id, description: 'Required over results, tests and clusters' }),
  ...windowQuery,
  order: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: `A field, descending with \`-\` before it. Results: ${QUERY_ORDERS.results.join(', ')}; runs: ${QUERY_ORDERS.runs.join(', ')}; tests: ${QUERY_ORDERS.tests.join(', ')}; clusters: ${QUERY_ORDERS.clusters.join(', ')}. The newest come first when it is left out; rows without a value come last. Groups are in the order of their counts, days newest first`,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_QUERY_ROWS, description: 'Most rows, 50 when left out; or most groups' }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 400, description: '`nextCursor` of the page before' })),
  by: Type.Optional(QueryGroup),
};

const Durations = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'Rows that have a duration and were not skipped' }),
    sum: Type.Number(),
    p50: Type.Optional(Nullable(Type.Number())),
    p90: Type.Optional(Nullable(Type.Number())),
    p99: Type.Optional(Nullable(Type.Number())),
  },
  { title: 'QueryDurations', description: 'In milliseconds. Quantiles are within 1 % of the exact ones' },
);

export const QueryGroupRow = Type.Object(
  {
    key: Nullable(Type.String(), { description: 'Null for rows that have none' }),
    count: Count,
    share: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Of all rows that the filter finds' })),
    duration: Type.Optional(Durations),
  },
  { title: 'QueryGroup' },
);
export type QueryGroupRow = Static<typeof QueryGroupRow>;

export const QueriedResult = Type.Intersect([TestCase, Type.Object({ testRun: RunRef })], { title: 'QueriedResult' });
export type QueriedResult = Static<typeof QueriedResult>;

const Condition = Type.Object(
  {
    text: Type.String({ description: 'As JavaScript' }),
    reads: Type.Array(Type.String(), { description: 'Fields that it asks for' }),
    asked: Type.Integer({
      minimum: 0,
      description: 'Rows that it was asked for; others with the same values share the answer',
    }),
  },
  { title: 'QueryCondition' },
);

export const QueryExplanation = Type.Object(
  {
    filter: Type.String({ description: 'The filter as JavaScript' }),
    sql: Nullable(Type.Object({ text: Type.String(), params: Type.Array(Type.Unknown()) }), {
      description: 'What the database was asked first; null where only runs were listed',
    }),
    residual: Nullable(Type.String(), { description: 'What the database could not decide, as JavaScript' }),
    conditions: Type.Array(Condition, { description: 'Over results: in the order in which they are evaluated' }),
    runs: Type.Integer({ minimum: 0, description: 'Runs whose results were looked at' }),
    skippedRuns: Type.Integer({
      minimum: 0,
      description: 'Runs that were not looked at, because what is known of them shows that no result can match',
    }),
    blocks: Type.Integer({ minimum: 0, description: 'Blocks that hold these results' }),
    rows: Type.Integer({ minimum: 0, description: 'Rows looked at' }),
  },
  { title: 'QueryExplanation' },
);
export type QueryExplanation = Static<typeof QueryExplanation>;

export const QueryReply = Type.Object(
  {
    results: Type.Optional(
      Type.Array(QueriedResult, {
        description: `Without details; errors have at most ${withCommas(LONGEST_LISTED_ERROR)} characters`,
      }),
    ),
    runs: Type.Optional(Type.Array(Run)),
    tests: Type.Optional(Type.Array(Test)),
    clusters: Type.Optional(
      Type.Array(Cluster, { description: 'Of failures; `since` and `until` are about when they were last seen' }),
    ),
    groups: Type.Optional(Type.Array(QueryGroupRow)),
    found: Type.Optional(
      Type.Integer({ minimum: 0, description: 'With `by` or `figures`: rows that the filter finds' }),
    ),
    totalGroups: Type.Optional(Count),
    uncounted: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Rows in none of the first ${withCommas(MOST_QUERY_GROUPS)} groups`,
      }),
    ),
    nextCursor: Nullable(Type.String(), { description: 'Of the next page, which may be empty; null after the last' }),
    complete: Type.Boolean({
      description: `False when the query ended after ${withCommas(MOST_QUERIED_RESULTS)} results: older ones may match too`,
    }),
    explain: Type.Optional(QueryExplanation),
  },
  { title: 'QueryReply' },
);
export type QueryReply = Static<typeof QueryReply>;

const description =
  'Rows that a filter finds, or their figures by group. Filters are those of the pages: a search such as `status:failed duration:>2s`, or JavaScript such as `t => t.retries > 1`; docs/query.md has the fields. Rows for which a filter cannot be evaluated are not found. A run that arrives between two pages moves no row from one to the other.';

const errors = ['project_not_found', 'query_too_costly', 'unavailable'] as const;

export const queryEndpoints = {
  query: endpoint({
    method: 'GET',
    path: '/api/query',
    access: 'public',
    group: 'Query',
    summary: 'Results, runs, tests or clusters of failures that a filter finds, listed or counted',
    description: `${description} The \`Link\` header names the next page too.`,
    query: Type.Object({
      ...question,
      filter: Type.Optional(Type.String({ maxLength: LONGEST_FILTER, description: 'A search or JavaScript' })),
      figures: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            'Of the groups, or of all rows when `by` is left out; separated by commas: `count`, `share`, `sum` and `quantiles` of durations. `count,share` when left out',
        }),
      ),
      explain: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1, description: '`1` adds how the query was answered' }),
      ),
    }),
    reply: QueryReply,
    errors: ['invalid_query', ...errors],
  }),
  postQuery: endpoint({
    method: 'POST',
    path: '/api/query',
    access: 'public',
    group: 'Query',
    summary: 'The same for filters too long for an address, and for expressions as JSON',
    description,
    body: Type.Object({
      ...question,
      filter: Type.Optional(
        Type.Unknown({ description: 'A text, or an envelope of the expression format: `{"v": 1, "root": …}`' }),
      ),
      figures: Type.Optional(
        Type.Array(QueryFigure, {
          maxItems: 4,
          description: 'Of the groups, or of all rows when `by` is left out; count and share when left out',
        }),
      ),
      explain: Type.Optional(Type.Boolean({ description: 'Adds how the query was answered' })),
    }),
    reply: QueryReply,
    errors: ['invalid_body', 'body_too_large', 'unsupported_media_type', ...errors],
  }),
};
