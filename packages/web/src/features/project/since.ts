import type { Endpoints, Reply } from '@assay/contract';

export type Comparison = Reply<Endpoints['compareRun']>;
export type FailedTest = Comparison['failures'][number];
export type FixedTest = Comparison['fixed'][number];

export interface Since {
  readonly newlyFailing: readonly FailedTest[];
  /** Those that have failed for the most runs first. */
  readonly stillFailing: readonly FailedTest[];
  readonly fixed: readonly FixedTest[];
  /** Whether the two runs have no test in common. */
  readonly sharesNoTest: boolean;
}

export const sinceOf = ({ failures, fixed, comparedWith, sharedTests }: Comparison): Since => ({
  sharesNoTest: comparedWith !== null && sharedTests === 0,
  newlyFailing: failures.filter(({ isNew }) => isNew),
  stillFailing: failures.filter(({ isNew }) => !isNew).sort((a, b) => b.failedRuns - a.failedRuns),
  fixed,
});

/** One sentence for a run that broke nothing and fixed nothing; null when there is something to list. */
export const unchanged = ({ newlyFailing, stillFailing, fixed, sharesNoTest }: Since): string | null => {
  if (sharesNoTest) return newlyFailing.length > 0 ? null : 'Nothing to compare: the two runs share no test.';
  if (newlyFailing.length > 0 || fixed.length > 0) return null;
  return stillFailing.length === 0
    ? 'Nothing changed: no test is failing.'
    : 'Nothing changed: the same tests are failing.';
};

/** The filter of a run's page that leaves just what failed. */
export const failedFilter = (failures: readonly { readonly status: string }[]): string =>
  `status:${[...new Set(failures.map(({ status }) => status))].sort().join(',') || 'failed'}`;
