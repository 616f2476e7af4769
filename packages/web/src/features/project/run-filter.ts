import { lookOfRun } from '../status/outcome.ts';
import type { Run } from './runs.ts';

export const STATUS_FILTERS = ['all', 'failed', 'flaky', 'passed'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export const ofStatus = (runs: readonly Run[], status: StatusFilter): readonly Run[] => {
  if (status === 'all') return runs;
  if (status === 'flaky') return runs.filter(({ flakyTests }) => flakyTests > 0);
  return runs.filter((run) => lookOfRun(run.status) === status);
};
