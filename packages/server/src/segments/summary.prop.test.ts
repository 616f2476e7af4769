import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Result,
  type Results,
  addOutcome,
  decodeResults,
  finishResults,
  putPlace,
  startResults,
} from './results.ts';
import {
  type Tally,
  addRun,
  addSummary,
  decodeSummary,
  encodeSummary,
  findTest,
  startTally,
  tallyAt,
} from './summary.ts';

const result: fc.Arbitrary<Result> = fc.record({
  testId: fc.integer({ min: 1, max: 40 }),
  status: fc.constantFrom('passed', 'failed', 'skipped', 'timedOut', 'interrupted', 'odd'),
  durationMs: fc.option(fc.nat(4_000).map((quarters) => quarters / 4)),
  retries: fc.nat(2),
  line: fc.constant(null),
  column: fc.constant(null),
  error: fc.constant(null),
  tags: fc.constant([]),
  startMs: fc.constant(null),
  lane: fc.constant(null),
  notRun: fc.constant([]),
  failedMs: fc.constant(null),
  cause: fc.constant(null),
});

const encode = (results: readonly Result[]): Results => {
  const growing = startResults(results.length);
  results.forEach((one, row) => {
    addOutcome(growing, { ...one, failedError: null });
    putPlace(growing, row, one);
  });
  return decodeResults(finishResults(growing));
};

const run = fc.record({ startTime: fc.nat(50), results: fc.array(result, { maxLength: 60 }).map(encode) });

const tallyOf = (runs: readonly { startTime: number; results: Results }[], firstRunId: number): Tally => {
  const tally = startTally();
  runs.forEach(({ startTime, results }, index) => addRun(tally, { runId: firstRunId + index, startTime }, results));
  return tally;
};

const byTest = (tally: Tally) =>
  Array.from({ length: tally.tests.ids.length }, (_, row) => tallyAt(tally, row)).sort((a, b) => a.testId - b.testId);

describe('a summary', () => {
  it('of all runs is the merge of the summaries of any two parts, in either order', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 8 }), fc.nat(8), (runs, cut) => {
        const whole = tallyOf(runs, 1);
        const parts = [tallyOf(runs.slice(0, cut), 1), tallyOf(runs.slice(cut), 1 + Math.min(cut, runs.length))];
        for (const order of [parts, parts.toReversed()]) {
          const merged = startTally();
          for (const part of order) addSummary(merged, decodeSummary(encodeSummary(part)));
          expect(byTest(merged)).toEqual(byTest(whole));
        }
      }),
    );
  });

  it('finds exactly the tests that it holds', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 3 }), (runs) => {
        const tally = tallyOf(runs, 1);
        const summary = decodeSummary(encodeSummary(tally));
        for (let testId = 0; testId <= 41; testId++)
          expect(findTest(summary, testId) >= 0).toBe(tally.tests.rowOf.has(testId));
      }),
    );
  });

  it('grows with the number of tests', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      testId: index + 1,
      status: 'passed',
      durationMs: 1,
      retries: 0,
      line: null,
      column: null,
      error: null,
      tags: [],
      startMs: null,
      lane: null,
      notRun: [],
      failedMs: null,
      cause: null,
    }));
    const tally = tallyOf([{ startTime: 1, results: encode(many) }], 1);
    expect(byTest(tally).map(({ testId, results }) => [testId, results])).toEqual(
      many.map(({ testId }) => [testId, 1]),
    );
  });
});
