import { type SlowTest, SLOWEST_TESTS, durationFigures, trendOf } from '@assay/contract';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import { valueAt } from '../../segments/block.ts';
import type { Results } from '../../segments/results.ts';

/** The tests with the highest mean duration over some runs, slowest first. */
export const findSlowest = (runs: readonly Results[]): number[] => {
  const tests = new Map<number, { sum: number; count: number }>();
  for (const { rows, testId, durationMs } of runs) {
    for (let row = 0; row < rows; row++) {
      const duration = valueAt(durationMs, row);
      if (duration !== duration) continue;
      const id = valueAt(testId, row);
      const test = tests.get(id);
      if (test) {
        test.sum += duration;
        test.count++;
      } else tests.set(id, { sum: duration, count: 1 });
    }
  }
  return [...tests]
    .map(([id, { sum, count }]) => ({ id, mean: sum / count }))
    .sort((a, b) => b.mean - a.mean || a.id - b.id)
    .slice(0, SLOWEST_TESTS)
    .map(({ id }) => id);
};

/** The durations of some tests, in the order of the runs. */
export const durationSeries = (runs: readonly Results[], tests: readonly number[]): Map<number, number[]> => {
  const series = new Map<number, number[]>(tests.map((test) => [test, []]));
  for (const { rows, testId, durationMs } of runs) {
    for (let row = 0; row < rows; row++) {
      const durations = series.get(valueAt(testId, row));
      const duration = valueAt(durationMs, row);
      if (durations && duration === duration) durations.push(duration);
    }
  }
  return series;
};

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
