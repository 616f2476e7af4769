import { SLOWEST_TESTS } from '@assay/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statusCodes } from '../../segments/status-code.ts';
import { findSlowest } from './find-slowest.ts';

type Row = readonly [testId: number, durationMs: number, status?: number];

const runOf = (rows: readonly Row[]) => ({
  rows: rows.length,
  testId: { values: Float64Array.from(rows, ([testId]) => testId) },
  status: { values: Float64Array.from(rows, ([, , status]) => status ?? statusCodes.passed) },
  durationMs: { values: Float64Array.from(rows, ([, durationMs]) => durationMs) },
});

async function* readEach(runs: readonly (readonly Row[])[]) {
  for (const run of runs) yield runOf(run);
}

const naively = (runs: readonly (readonly Row[])[]) => {
  const timed = runs
    .flat()
    .filter(([, durationMs, status]) => !Number.isNaN(durationMs) && status !== statusCodes.skipped);
  const series = Map.groupBy(timed, ([testId]) => testId)
    .entries()
    .map(([testId, rows]) => ({ testId, durations: rows.map(([, durationMs]) => durationMs) }))
    .toArray();
  const meanOf = (durations: readonly number[]): number => durations.reduce((a, b) => a + b, 0) / durations.length;
  return series
    .sort((a, b) => meanOf(b.durations) - meanOf(a.durations) || a.testId - b.testId)
    .slice(0, SLOWEST_TESTS);
};

test('the slowest tests are those of a naive computation, in the same order', async () => {
  const testId = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1025, 2049, 2 ** 31 + 1, 2 ** 40 + 1));
  const durationMs = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(NaN));
  const status = fc.constantFrom(statusCodes.passed, statusCodes.failed, statusCodes.skipped);
  const run = fc.array(fc.tuple(testId, durationMs, status), { maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(fc.array(run, { maxLength: 8 }), async (runs) => {
      expect(await findSlowest(() => readEach(runs))).toEqual(naively(runs));
    }),
  );
});

test('more tests than there was room for at first have places of their own', async () => {
  const runs = [0, 1].map((run) =>
    Array.from({ length: 5_000 }, (_, n): Row => [(n * 7 + run) % 5_003, (n * 31 + run) % 997]),
  );
  expect(await findSlowest(() => readEach(runs))).toEqual(naively(runs));
});
