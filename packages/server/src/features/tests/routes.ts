import { endpoints, formatTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import { tallyProject } from '../../history/read-history.ts';
import type { TestJson } from '../../history/test-catalogue.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { type Position, cutPage, readCursor } from '../../http/page.ts';
import { type TestTally, tallyAt } from '../../segments/summary.ts';
import { getProjectRow, projectRevision } from '../projects/queries.ts';

export const testRoutes = (context: Context): Route[] => [
  read(endpoints.listTests, {
    revision: ({ params }) => projectRevision(context.queries, params.id),
    async answer({ params, query: { limit, cursor } }) {
      const project = await getProjectRow(context.queries, params.id);
      const tally = await tallyProject(context, project);
      const after = readCursor(cursor);
      const ordered = Array.from({ length: tally.rowOf.size }, (_, row) => tallyAt(tally, row))
        .filter((test) => !after || isAfter(test, after))
        .sort(latestFirst);
      const { page, nextCursor } = cutPage(ordered, limit, ({ lastStart, testId }) => ({
        value: lastStart,
        id: testId,
      }));
      const names = await context.tests.find(page.map((test) => test.testId));
      const known = page.filter((test) => names.has(test.testId));
      const body = known.map((test) => testJson(names.get(test.testId)!.json, test)).join(',');
      return { body: { chunks: oneChunk(`[${body}]`) }, nextCursor };
    },
  }),
];

const latestFirst = (a: TestTally, b: TestTally): number => b.lastStart - a.lastStart || a.testId - b.testId;

const isAfter = (test: TestTally, { value, id }: Position): boolean =>
  test.lastStart < value || (test.lastStart === value && test.testId > id);

/** Written by hand, because projects have thousands of tests; what they are called is kept as JSON. */
const testJson = ({ titleJson, fileJson, browserJson }: TestJson, test: TestTally): string =>
  `{"id":${test.testId},"filePath":"${fileJson}","title":${titleJson},"browser":${browserJson}` +
  `,"totalRuns":${test.results},"passedRuns":${test.passed},"failedRuns":${test.failed}` +
  `,"skippedRuns":${test.skipped},"flakyRuns":${test.flaky}` +
  `,"avgDuration":${test.timed === 0 ? 'null' : Math.round(test.durationSumMs / test.timed)}` +
  `,"lastRun":"${formatTime(test.lastStart)}","lastStatus":${JSON.stringify(test.lastStatus)}}`;

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text;
}
