import type { Test } from '@assay/contract';
import type { TestTally } from '../../segments/summary.ts';

type Figures = Pick<Test, 'totalRuns' | 'passedRuns' | 'failedRuns' | 'skippedRuns' | 'flakyRuns' | 'avgDuration'>;

export const presentFigures = (tally: TestTally): Figures => ({
  totalRuns: tally.results,
  passedRuns: tally.passed,
  failedRuns: tally.failed,
  skippedRuns: tally.skipped,
  flakyRuns: tally.flaky,
  avgDuration: tally.timed === 0 ? null : Math.round(tally.durationSumMs / tally.timed),
});

/** Of a test that did not run. */
export const NO_FIGURES: Figures = {
  totalRuns: 0,
  passedRuns: 0,
  failedRuns: 0,
  skippedRuns: 0,
  flakyRuns: 0,
  avgDuration: null,
};
