import { lookOfRun } from '../status/outcome.ts';
import type { Run } from './runs.ts';

export const STATUS_FILTERS = ['all', 'failed', 'flaky', 'passed'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

/** In the address; no branch of git can be called like these. */
export const ALL_BRANCHES = '';
const NO_BRANCH = '-';

const branchKey = ({ branch }: Run): string => branch ?? NO_BRANCH;

export interface BranchOption {
  readonly value: string;
  readonly label: string;
}

/** The branches of the runs, the one with the latest run first. */
export const branchOptions = (runs: readonly Run[], chosen: string): readonly BranchOption[] => {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(branchKey(run), (counts.get(branchKey(run)) ?? 0) + 1);
  if (chosen !== ALL_BRANCHES && !counts.has(chosen)) counts.set(chosen, 0);
  return [...counts].map(([value, count]) => ({
    value,
    label: `${value === NO_BRANCH ? 'No branch' : value} (${count})`,
  }));
};

export const ofBranch = (runs: readonly Run[], branch: string): readonly Run[] =>
  branch === ALL_BRANCHES ? runs : runs.filter((run) => branchKey(run) === branch);

export const ofStatus = (runs: readonly Run[], status: StatusFilter): readonly Run[] => {
  if (status === 'all') return runs;
  if (status === 'flaky') return runs.filter(({ flakyTests }) => flakyTests > 0);
  return runs.filter((run) => lookOfRun(run.status) === status);
};
