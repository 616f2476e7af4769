import { MOST_FLAKY_TESTS, type PerformancePoint, endpoints, formatTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import { readRuns } from '../../history/read-runs.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { readCursor, writeCursor } from '../../http/page.ts';
import type { Results } from '../../segments/results.ts';
import type { ReadableRun, SegmentStore } from '../../segments/store.ts';
import { nextTurn } from '../../turns.ts';
import { clustersRevision } from '../clusters/cluster-index.ts';
import { projectRevision } from '../projects/queries.ts';
import { findAllOutages } from '../runs/partial-outages.ts';
import type { RecentRun } from '../runs/run-refs.ts';
import { listWindowRuns, presentWindow, readWindow, resultsIn } from '../runs/window.ts';
import { findCauseTests, findCauses } from './causes.ts';
import { findSlowest } from './find-slowest.ts';
import { findFlakeCost } from './flake-cost.ts';
import { findFlaky } from './flaky-tests.ts';
import { presentSlowTest } from './present-slow-test.ts';

const DEFAULT_PERFORMANCE_RUNS = 50;
const DEFAULT_SLOW_TEST_RUNS = 10;
const DEFAULT_FLAKY_TEST_RUNS = 100;
const DEFAULT_CAUSE_RUNS = 100;

export const insightRoutes = (context: Context): Route[] => {
  const { queries, segments, tests } = context;
  const outagesIn = async (projectId: number, runs: readonly RecentRun[]): Promise<ReadonlySet<number>> =>
    new Set((await findAllOutages(queries, projectId, runs)).map(({ run }) => run.id));
  return [
    read(endpoints.getWindow, {
      revision: ({ params }) => clustersRevision(context, params.id),
      answer: async ({ params, query: { runs, ...query } }) => ({
        body: await presentWindow(queries, params.id, readWindow(query), runs),
      }),
    }),
    read(endpoints.getPerformance, {
      revision: ({ params }) => projectRevision(queries, params.id),
      async answer({ params, query: { limit, ...query } }) {
        const runs = await listWindowRuns(queries, params.id, readWindow(query), limit, DEFAULT_PERFORMANCE_RUNS);
        return { body: runs.reverse().map(presentPoint) };
      },
    }),
    read(endpoints.listSlowTests, {
      revision: ({ params }) => projectRevision(queries, params.id),
      async answer({ params, query: { runs, ...query }, startLargeRead }) {
        const newestFirst = await listWindowRuns(queries, params.id, readWindow(query), runs, DEFAULT_SLOW_TEST_RUNS);
        const oldestFirst = newestFirst.reverse();
        await startLargeRead(resultsIn(oldestFirst));
        const slowest = await findSlowest(() => resultsOf(segments, oldestFirst));
        const names = await tests.find(slowest.map(({ testId }) => testId));
        return {
          body: slowest.flatMap(({ testId, durations }) => {
            const test = names.get(testId);
            return test ? presentSlowTest(test, durations) : [];
          }),
        };
      },
    }),
    read(endpoints.listFlakyTests, {
      revision: ({ params }) => clustersRevision(context, params.id),
      async answer({ params, query: { runs, limit = MOST_FLAKY_TESTS, cursor, test, ...query }, startLargeRead }) {
        const newestFirst = await listWindowRuns(queries, params.id, readWindow(query), runs, DEFAULT_FLAKY_TEST_RUNS);
        const oldestFirst = newestFirst.reverse();
        await startLargeRead(resultsIn(oldestFirst));
        const { body, next } = await findFlaky({ segments, tests }, oldestFirst, {
          outages: await outagesIn(params.id, oldestFirst),
          after: readCursor(cursor),
          limit,
          only: test,
        });
        return { body, nextCursor: next && writeCursor(next) };
      },
    }),
    read(endpoints.getFlakeCost, {
      revision: ({ params }) => clustersRevision(context, params.id),
      async answer({ params, query: { runs, ...query }, startLargeRead }) {
        const newestFirst = await listWindowRuns(queries, params.id, readWindow(query), runs, DEFAULT_FLAKY_TEST_RUNS);
        const oldestFirst = newestFirst.reverse();
        await startLargeRead(resultsIn(oldestFirst));
        return { body: await findFlakeCost({ segments, tests }, oldestFirst, await outagesIn(params.id, oldestFirst)) };
      },
    }),
    read(endpoints.listCauses, {
      revision: ({ params }) => projectRevision(queries, params.id),
      async answer({ params, query: { runs, q, ...query }, startLargeRead }) {
        const newestFirst = await listWindowRuns(queries, params.id, readWindow(query), runs, DEFAULT_CAUSE_RUNS);
        await startLargeRead(resultsIn(newestFirst));
        return { body: await findCauses(segments, newestFirst, q) };
      },
    }),
    read(endpoints.listCauseTests, {
      revision: ({ params }) => projectRevision(queries, params.id),
      async answer({ params, query: { runs, cause, ...query }, startLargeRead }) {
        const newestFirst = await listWindowRuns(queries, params.id, readWindow(query), runs, DEFAULT_CAUSE_RUNS);
        await startLargeRead(resultsIn(newestFirst));
        return { body: await findCauseTests({ segments, tests }, newestFirst, new Set([cause])) };
      },
    }),
  ];
};

async function* resultsOf(segments: SegmentStore, runs: readonly ReadableRun[]): AsyncGenerator<Results> {
  for await (const { results } of readRuns(segments, runs, nextTurn)) if (results) yield results;
}

const presentPoint = (run: RecentRun): PerformancePoint => ({
  id: run.id,
  startTime: formatTime(run.start_time),
  duration: run.duration,
  avgTestDuration: run.avg_test_duration,
  p90TestDuration: run.p90_test_duration,
  status: run.status,
  totalTests: run.total_tests,
  flakyTests: run.flaky_tests,
  commit: run.commit_hash,
  branch: run.branch,
});
