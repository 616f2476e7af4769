import { type ProjectName, type Run, type Shards, formatTime } from '@assay/contract';
import type { ProjectRow, RunRow } from '../../db/tables.ts';

export const presentRun = (run: RunRow, shards: Shards | undefined): Run => ({
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
  metadata: run.metadata === null ? null : (JSON.parse(run.metadata) as unknown),
  createdAt: formatTime(run.created_at),
  expectedTests: run.expected_tests,
  shards: shards ?? null,
});

export const presentProjectName = ({ id, name, label }: Pick<ProjectRow, 'id' | 'name' | 'label'>): ProjectName => ({
  id,
  name,
  label,
});
