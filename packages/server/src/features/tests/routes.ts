import { type Test, endpoints, formatTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import { tallyProject } from '../../history/read-history.ts';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
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
      return {
        body: page.flatMap((test) => {
          const name = names.get(test.testId);
          return name ? presentTest(name, test) : [];
        }),
        nextCursor,
      };
    },
  }),
];

const latestFirst = (a: TestTally, b: TestTally): number => b.lastStart - a.lastStart || a.testId - b.testId;

const isAfter = (test: TestTally, { value, id }: Position): boolean =>
  test.lastStart < value || (test.lastStart === value && test.testId > id);

const presentTest = ({ id, file, title, browser }: CataloguedTest, test: TestTally): Test => ({
  id,
  filePath: file,
  title,
  browser,
  totalRuns: test.results,
  passedRuns: test.passed,
  failedRuns: test.failed,
  skippedRuns: test.skipped,
  flakyRuns: test.flaky,
  avgDuration: test.timed === 0 ? null : Math.round(test.durationSumMs / test.timed),
  lastRun: formatTime(test.lastStart),
  lastStatus: test.lastStatus,
});
