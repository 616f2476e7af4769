import { type SlowTest, SLOWEST_TESTS, durationFigures, trendOf } from '@assay/contract';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import type { Results } from '../../segments/results.ts';
import { rowFor, startTestRows } from '../../segments/test-rows.ts';

/** The tests with the highest mean duration over some runs, slowest first. */
export const findSlowest = (runs: readonly Results[]): number[] => {
  const tests = startTestRows();
  const sums: number[] = [];
  const counts: number[] = [];
  for (const { rows, testId, durationMs } of runs) {
    const ids = testId.values;
    const durations = durationMs.values;
    let at = -1;
    for (let row = 0; row < rows; row++) {
      const duration = durations[row]!;
      if (duration !== duration) continue;
      at = rowFor(tests, ids[row]!, at + 1);
      sums[at] = (sums[at] ?? 0) + duration;
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return tests.ids
    .map((testId, row) => ({ testId, mean: sums[row]! / counts[row]! }))
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
