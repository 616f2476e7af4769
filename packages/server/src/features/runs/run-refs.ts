import { type ResultRef, type RunOfResult, type RunPoint, type RunRef, formatTime, resultId } from '@assay/contract';
import type { RunRow } from '../../db/tables.ts';

export const RUN_REF_COLUMNS = ['id', 'status', 'start_time', 'duration', 'branch', 'commit_hash'] as const;
export type RunRefRow = Pick<RunRow, (typeof RUN_REF_COLUMNS)[number]>;

export const RECENT_RUN_COLUMNS = [
  ...RUN_REF_COLUMNS,
  'total_tests',
  'passed_tests',
  'failed_tests',
  'skipped_tests',
  'flaky_tests',
  'avg_test_duration',
  'p90_test_duration',
  'result_count',
  'version',
  'shard_total',
] as const;
/** A run without what only its own page shows, which may be large. */
export type RecentRun = Pick<RunRow, (typeof RECENT_RUN_COLUMNS)[number]>;

export const presentRunRef = (run: RunRefRow): RunRef => ({
  id: run.id,
  status: run.status,
  startTime: formatTime(run.start_time),
  duration: run.duration,
  branch: run.branch,
  commit: run.commit_hash,
});

export const presentRunOfResult = (run: RunRefRow, index: number): RunOfResult => ({
  ...presentRunRef(run),
  testCaseId: resultId(run.id, index),
});

export const presentResultRef = (runId: number, startTime: number, index: number): ResultRef => ({
  testRunId: runId,
  testCaseId: resultId(runId, index),
  startTime: formatTime(startTime),
});

export const presentRunPoint = (run: RecentRun): RunPoint => ({
  id: run.id,
  status: run.status,
  startTime: formatTime(run.start_time),
  duration: run.duration,
  totalTests: run.total_tests,
  passedTests: run.passed_tests,
  failedTests: run.failed_tests,
  skippedTests: run.skipped_tests,
  flakyTests: run.flaky_tests,
});
