import { type SlowTest, SLOWEST_TESTS, durationFigures, trendOf } from '@assay/contract';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import type { Results } from '../../segments/results.ts';

interface MeanDuration {
  readonly testId: number;
  sum: number;
  count: number;
}

/** The tests with the highest mean duration over some runs, slowest first. */
export const findSlowest = (runs: readonly Results[]): number[] => {
  const known = new Map<number, MeanDuration>();
  const tests: MeanDuration[] = [];
  for (const { rows, testId, durationMs } of runs) {
    const ids = testId.values;
    const durations = durationMs.values;
    for (let row = 0; row < rows; row++) {
      const duration = durations[row]!;
      if (duration !== duration) continue;
      const id = ids[row]!;
      // Runs list their tests in much the same order, so a test is mostly where it was before.
      let test = tests[row]?.testId === id ? tests[row] : known.get(id);
      if (!test) {
        test = { testId: id, sum: 0, count: 0 };
        known.set(id, test);
        tests.push(test);
      }
      test.sum += duration;
      test.count++;
    }
  }
  return tests
    .map(({ testId, sum, count }) => ({ testId, mean: sum / count }))
    .sort((a, b) => b.mean - a.mean || a.testId - b.testId)
    .slice(0, SLOWEST_TESTS)
    .map(({ testId }) => testId);
};

/** The durations of some tests, in the order of the runs. */
export const durationSeries = (runs: readonly Results[], tests: readonly number[]): Map<number, number[]> => {
  const series = new Map<number, number[]>(tests.map((test) => [test, []]));
  for (const { testId, durationMs } of runs) {
    const ids = testId.values;
    const durations = durationMs.values;
    for (const [test, found] of series) {
      for (let row = ids.indexOf(test); row >= 0; row = ids.indexOf(test, row + 1)) {
        const duration = durations[row]!;
        if (duration === duration) found.push(duration);
      }
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
