import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { type Position, cutPage, readCursor } from '../../http/page.ts';
import type { Tally } from '../../segments/summary.ts';
import { getProjectRow, projectRevision } from '../projects/queries.ts';
import { listRecentRuns } from '../runs/run-refs.ts';
import { findTestRevision, getTest } from './get-test.ts';
import { writeTests } from './list-json.ts';

const DEFAULT_RESULTS = 200;

export const testRoutes = (context: Context): Route[] => [
  read(endpoints.listTests, {
    revision: ({ params }) => projectRevision(context.queries, params.id),
    async answer({ params, query: { limit, cursor, history = 0 } }) {
      const project = await getProjectRow(context.queries, params.id);
      const tally = await context.tallies.of(project);
      const { ids } = tally.tests;
      const { lastStart } = tally.columns;
      const rows = latestFirst(tally, readCursor(cursor));
      const { page, nextCursor } = cutPage(rows, limit, (row) => ({ value: lastStart[row]!, id: ids[row]! }));
      const runs = history === 0 ? null : (await listRecentRuns(context.queries, params.id, history)).reverse();
      return { body: { write: (json) => writeTests(json, context, tally, page, runs) }, nextCursor };
    },
  }),
  read(endpoints.getTest, {
    revision: ({ params }) => findTestRevision(context.queries, params.id),
    answer: async ({ params, query: { limit = DEFAULT_RESULTS } }) => ({
      body: await getTest(context, params.id, limit),
    }),
  }),
];

/** The rows after a position, the test that ran last first. */
const latestFirst = ({ tests: { ids }, columns: { lastStart } }: Tally, after: Position | null): number[] => {
  const rows: number[] = [];
  for (let row = 0; row < ids.length; row++) {
    const start = lastStart[row]!;
    if (!after || start < after.value || (start === after.value && ids[row]! > after.id)) rows.push(row);
  }
  return rows.sort((a, b) => lastStart[b]! - lastStart[a]! || ids[a]! - ids[b]!);
};
