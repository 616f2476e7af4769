import { type PerformancePoint, endpoints, formatTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { RunRow } from '../../db/tables.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { listRunRows, projectRevision } from '../projects/queries.ts';
import { listRecentRuns } from '../runs/run-refs.ts';
import { findSlowest } from './find-slowest.ts';
import { findFlaky } from './flaky-tests.ts';
import { presentSlowTest } from './present-slow-test.ts';

const DEFAULT_PERFORMANCE_RUNS = 50;
const DEFAULT_SLOW_TEST_RUNS = 10;
const DEFAULT_FLAKY_TEST_RUNS = 100;

export const insightRoutes = ({ queries, segments, tests }: Context): Route[] => [
  read(endpoints.getPerformance, {
    revision: ({ params }) => projectRevision(queries, params.id),
    async answer({ params, query: { limit = DEFAULT_PERFORMANCE_RUNS } }) {
      const runs = await listRunRows(queries, params.id, null, limit);
      return { body: runs.reverse().map(presentPoint) };
    },
  }),
  read(endpoints.listSlowTests, {
    revision: ({ params }) => projectRevision(queries, params.id),
    async answer({ params, query: { runs = DEFAULT_SLOW_TEST_RUNS } }) {
      const oldestFirst = (await listRecentRuns(queries, params.id, runs)).reverse();
      const found = await segments.results(oldestFirst);
      const results = oldestFirst.flatMap((run) => found.get(run.id) ?? []);
      const slowest = findSlowest(results);
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
    revision: ({ params }) => projectRevision(queries, params.id),
    async answer({ params, query: { runs = DEFAULT_FLAKY_TEST_RUNS } }) {
      const oldestFirst = (await listRecentRuns(queries, params.id, runs)).reverse();
      return { body: await findFlaky({ segments, tests }, oldestFirst) };
    },
  }),
];

const presentPoint = (run: RunRow): PerformancePoint => ({
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
