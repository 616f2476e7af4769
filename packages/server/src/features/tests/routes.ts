import { endpoints, formatTime } from '@assay/contract';
import { toByteText } from '../../byte-text.ts';
import type { Context } from '../../context.ts';
import type { TestJson } from '../../history/test-catalogue.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { type Position, cutPage, readCursor } from '../../http/page.ts';
import { memoise } from '../../memoise.ts';
import type { Tally } from '../../segments/summary.ts';
import { getProjectRow, projectRevision } from '../projects/queries.ts';

export const testRoutes = (context: Context): Route[] => [
  read(endpoints.listTests, {
    revision: ({ params }) => projectRevision(context.queries, params.id),
    async answer({ params, query: { limit, cursor } }) {
      const project = await getProjectRow(context.queries, params.id);
      const tally = await context.tallies.of(project);
      const { ids } = tally.tests;
      const { lastStart } = tally.columns;
      const rows = latestFirst(tally, readCursor(cursor));
      const { page, nextCursor } = cutPage(rows, limit, (row) => ({ value: lastStart[row]!, id: ids[row]! }));
      const names = await context.tests.find(page.map((row) => ids[row]!));
      const writeTest = createTestWriter(tally);
      const tests = page.flatMap((row) => {
        const name = names.get(ids[row]!);
        return name ? writeTest(row, name.json) : [];
      });
      return { body: { chunks: oneChunk(`[${tests.join(',')}]`) }, nextCursor };
    },
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

/** Writes JSON by hand, because projects have thousands of tests; what they are called is kept as JSON. */
const createTestWriter = ({ tests, columns, lastStatus }: Tally): ((row: number, name: TestJson) => string) => {
  const timeOf = memoise(formatTime);
  const statusJson = memoise((status: string) => toByteText(JSON.stringify(status)));
  return (row, { titleJson, fileJson, browserJson }) => {
    const timed = columns.timed[row]!;
    return (
      `{"id":${tests.ids[row]!},"filePath":"${fileJson}","title":${titleJson},"browser":${browserJson}` +
      `,"totalRuns":${columns.results[row]!},"passedRuns":${columns.passed[row]!},"failedRuns":${columns.failed[row]!}` +
      `,"skippedRuns":${columns.skipped[row]!},"flakyRuns":${columns.flaky[row]!}` +
      `,"avgDuration":${timed === 0 ? 'null' : Math.round(columns.durationSumMs[row]! / timed)}` +
      `,"lastRun":"${timeOf(columns.lastStart[row]!)}","lastStatus":${statusJson(lastStatus[row]!)}}`
    );
  };
};

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text;
}
