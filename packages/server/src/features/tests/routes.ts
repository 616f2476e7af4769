import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { type Position, cutPage, readCursor } from '../../http/page.ts';
import type { Tally } from '../../segments/summary.ts';
import { getProjectRow, projectRevision } from '../projects/queries.ts';
import { findHistory, listWindowRuns, readWindow, resultsIn } from '../runs/window.ts';
import { createChangedTests } from './changed-tests.ts';
import { findFlakeFactors } from './flake-factors.ts';
import { findTestRevision, getTest, tallyOf } from './get-test.ts';
import { writeTests } from './list-json.ts';
import { findTestSince, shareReads } from './test-since.ts';

const DEFAULT_RESULTS = 200;

export const testRoutes = (context: Context): Route[] => {
  const findChangedTests = createChangedTests(context);
  return [
    read(endpoints.listTests, {
      revision: ({ params }) => projectRevision(context.queries, params.id),
      async answer({ params, query: { limit, cursor, history = 0, runs: count, ...query }, startLargeRead }) {
        const { queries } = context;
        const window = readWindow(query);
        const project = await getProjectRow(queries, params.id);
        const of = await findHistory(queries, project, window, count);
        await startLargeRead(Math.max(limit ?? project.total_tests, resultsIn(of.runs ?? [])));
        const tally = await tallyOf(context, of);
        const { ids } = tally.tests;
        const { lastStart } = tally.columns;
        const rows = latestFirst(tally, readCursor(cursor), limit ?? Infinity);
        const { page, nextCursor } = cutPage(rows, limit, (row) => ({ value: lastStart[row]!, id: ids[row]! }));
        const runs =
          history === 0 ? null : (of.runs ?? (await listWindowRuns(queries, params.id, window, history))).toReversed();
        return { body: { pieces: writeTests(context, project.id, tally, page, runs, history) }, nextCursor };
      },
    }),
    read(endpoints.getTest, {
      revision: ({ params }) => findTestRevision(context.queries, params.id),
      answer: async ({ params, query: { limit = DEFAULT_RESULTS, runs, ...query } }) => ({
        body: await getTest(context, params.id, readWindow(query), { limit, runs }),
      }),
    }),
    read(endpoints.getTestSince, {
      revision: ({ params }) => findTestRevision(context.queries, params.id),
      answer: async ({ params, query: { branch }, startLargeRead }) => ({
        body: await findTestSince(context, params.id, branch, shareReads(context, startLargeRead)),
      }),
    }),
    read(endpoints.listChangedTests, {
      revision: ({ params }) => projectRevision(context.queries, params.id),
      answer: async ({ params, startLargeRead }) => ({ body: await findChangedTests(params.id, startLargeRead) }),
    }),
    read(endpoints.listFlakeFactors, {
      revision: ({ params }) => findTestRevision(context.queries, params.id),
      answer: async ({ params, query: { branch }, startLargeRead }) => ({
        body: await findFlakeFactors(context, params.id, branch, startLargeRead),
      }),
    }),
  ];
};

/**
 * The rows after a position, the test that ran last first; at least one more than `enough` if there are as many. Most tests
 * ran in the same few runs, so that there are far fewer times to sort than rows.
 */
const latestFirst = (
  { tests: { ids }, columns: { lastStart } }: Tally,
  after: Position | null,
  enough: number,
): number[] => {
  const byStart = new Map<number, number[]>();
  for (let row = 0; row < ids.length; row++) {
    const start = lastStart[row]!;
    if (after && (start > after.value || (start === after.value && ids[row]! <= after.id))) continue;
    const others = byStart.get(start);
    if (others) others.push(row);
    else byStart.set(start, [row]);
  }
  const rows: number[] = [];
  for (const start of [...byStart.keys()].sort((a, b) => b - a)) {
    for (const row of inOrder(byStart.get(start)!, ids)) rows.push(row);
    if (rows.length > enough) break;
  }
  return rows;
};

/** Tests are mostly in the order of their ids already, which is sooner seen than sorted. */
const inOrder = (rows: number[], ids: readonly number[]): number[] =>
  rows.every((row, at) => at === 0 || ids[rows[at - 1]!]! < ids[row]!) ? rows : rows.sort((a, b) => ids[a]! - ids[b]!);
