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
