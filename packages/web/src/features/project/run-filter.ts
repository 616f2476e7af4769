import type { Run } from '@assay/contract';
import { lookOfRun } from '../status/outcome.ts';

export const STATUS_FILTERS = ['all', 'failed', 'flaky', 'passed'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export const ofStatus = <R extends Pick<Run, 'status' | 'flakyTests'>>(
  runs: readonly R[],
  status: StatusFilter,
): readonly R[] => {
  if (status === 'all') return runs;
  if (status === 'flaky') return runs.filter(({ flakyTests }) => flakyTests > 0);
  return runs.filter((run) => lookOfRun(run.status) === status);
};
