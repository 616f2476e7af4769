import { type ProjectName, type ProjectOfCode, type Run, type Shards, formatTime } from '@assay/contract';
import type { ProjectRow, RunRow } from '../../db/tables.ts';

/** What lists show of a run: not its metadata, which may be large. */
export const SHOWN_RUN_COLUMNS = [
  'id',
  'project_id',
  'status',
  'start_time',
  'duration',
  'total_tests',
  'passed_tests',
  'failed_tests',
  'skipped_tests',
  'flaky_tests',
  'avg_test_duration',
  'p90_test_duration',
  'branch',
  'commit_hash',
  'author',
  'commit_message',
  'environment',
  'pull_request',
  'base_commit',
  'filtered',
  'created_at',
  'expected_tests',
  'shard_total',
  'damage',
  'pinned_at',
  'files_removed_at',
  'result_count',
  'version',
] as const;
export type ShownRun = Pick<RunRow, (typeof SHOWN_RUN_COLUMNS)[number]>;

export const presentRun = (run: ShownRun, shards: Shards | undefined): Run => ({
  id: run.id,
  projectId: run.project_id,
  status: run.status,
  startTime: formatTime(run.start_time),
  duration: run.duration,
  totalTests: run.total_tests,
  passedTests: run.passed_tests,
  failedTests: run.failed_tests,
  skippedTests: run.skipped_tests,
  flakyTests: run.flaky_tests,
  avgTestDuration: run.avg_test_duration,
  p90TestDuration: run.p90_test_duration,
  branch: run.branch,
  commit: run.commit_hash,
  author: run.author,
  commitMessage: run.commit_message,
  environment: run.environment,
  pullRequest: run.pull_request,
  baseCommit: run.base_commit,
  filtered: run.filtered === null ? null : run.filtered === 1,
  createdAt: formatTime(run.created_at),
  expectedTests: run.status === 'running' ? run.expected_tests : null,
  ...missingTests(run),
  shards: shards ?? null,
  ...(run.pinned_at === null ? {} : { pinned: true as const }),
  ...(run.files_removed_at === null ? {} : { filesRemovedAt: formatTime(run.files_removed_at) }),
  ...(run.damage === null ? {} : { damaged: true as const }),
});

export const presentProjectName = ({ id, name, label }: Pick<ProjectRow, 'id' | 'name' | 'label'>): ProjectName => ({
  id,
  name,
  label,
});

export const presentProjectOfCode = (
  project: Pick<ProjectRow, 'id' | 'name' | 'label' | 'repository_url'>,
): ProjectOfCode => ({ ...presentProjectName(project), repositoryUrl: project.repository_url });

const missingTests = ({ status, expected_tests, total_tests }: ShownRun): Pick<Run, 'missingTests'> =>
  status !== 'running' && expected_tests !== null && expected_tests > total_tests
    ? { missingTests: expected_tests - total_tests }
    : {};
