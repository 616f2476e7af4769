import { type SlowTest, SLOWEST_TESTS, durationFigures, trendOf } from '@assay/contract';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import type { Results } from '../../segments/results.ts';
import { rowFor, startTestRows } from '../../segments/test-rows.ts';

export interface DurationSeries {
  readonly testId: number;
  /** In the order of the runs. */
  readonly durations: number[];
}

/** The tests with the highest mean duration over some runs, slowest first. */
export const findSlowest = (runs: readonly Results[]): DurationSeries[] => {
  const tests = startTestRows();
  const sums: number[] = [];
  const counts: number[] = [];
  const testRows = runs.map(({ rows, testId, durationMs }) => {
    const ids = testId.values;
    const durations = durationMs.values;
    const found = new Int32Array(rows).fill(NO_DURATION);
    let at = -1;
    for (let row = 0; row < rows; row++) {
      const duration = durations[row]!;
      if (duration !== duration) continue;
      at = rowFor(tests, ids[row]!, at + 1);
      if (at === sums.length) {
        sums.push(0);
        counts.push(0);
      }
      sums[at]! += duration;
      counts[at]!++;
      found[row] = at;
    }
    return found;
  });
  const slowest = tests.ids
    .map((testId, at) => ({ testId, at, mean: sums[at]! / counts[at]! }))
    .sort((a, b) => b.mean - a.mean || a.testId - b.testId)
    .slice(0, SLOWEST_TESTS)
    .map(({ testId, at }) => ({ testId, at, durations: [] as number[] }));

  const durationsAt: (number[] | undefined)[] = Array.from({ length: tests.ids.length });
  for (const { at, durations } of slowest) durationsAt[at] = durations;
  for (const [run, { rows, durationMs }] of runs.entries()) {
    const durations = durationMs.values;
    const found = testRows[run]!;
    for (let row = 0; row < rows; row++) {
      const at = found[row]!;
      if (at !== NO_DURATION) durationsAt[at]?.push(durations[row]!);
    }
  }
  return slowest;
};

const NO_DURATION = -1;

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
