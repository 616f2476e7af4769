import { outcomeOf, type Test } from '@assay/contract';
import { failedTerm } from '../filter/failed-term.ts';
import type { QuickFilter } from '../filter/quick-filters.tsx';

/** The filters that tests are most often looked for by, with how many there are. */
export const commonFilters = (tests: readonly Test[]): QuickFilter[] => {
  const count = (is: (test: Test) => boolean): number => tests.filter(is).length;
  const failing = failedTerm(tests.map(({ lastStatus }) => lastStatus));
  return [
    {
      label: 'Failing now',
      term: failing,
      look: 'failed',
      count: count(({ lastStatus }) => outcomeOf(lastStatus) === 'failed'),
    },
    { label: 'Flaky', term: 'flakyrate:>0', look: 'flaky', count: count(({ flakyRuns }) => flakyRuns > 0) },
    {
      label: 'Skipped',
      term: 'status:skipped',
      look: 'skipped',
      count: count(({ lastStatus }) => lastStatus === 'skipped'),
    },
    { label: 'Ever failed', term: 'failed:>0', count: count(({ failedRuns }) => failedRuns > 0) },
  ];
};
