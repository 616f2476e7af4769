import { type SlowTest, durationFigures, trendOf } from '@assay/contract';
import type { CataloguedTest } from '../../history/test-catalogue.ts';

export const presentSlowTest = (
  { id, title, file, browser }: CataloguedTest,
  durations: readonly number[],
): SlowTest => {
  const { mean, min, max, p90 } = durationFigures(durations);
  return {
    id,
    title,
    filePath: file,
    browser,
    avgDuration: mean!,
    maxDuration: max!,
    minDuration: min!,
    p90Duration: p90!,
    runCount: durations.length,
    trend: trendOf(durations),
    latestDuration: durations.at(-1)!,
    durations: [...durations],
  };
};
