import { weightOf, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { indexAt } from '../../segments/row-indices.ts';
import { type TestRows, rowFor, startTestRows } from '../../segments/test-rows.ts';
import { inPieces, nextTurn } from '../../turns.ts';

/** What earlier runs say of the tests of one run; they are added newest first. */
export interface FailureRows {
  /** The tests of the run, each once, in its order. */
  readonly tests: TestRows;
  /** By test: what happened to it in the run, and in which row. */
  readonly weight: Uint8Array;
  readonly row: Int32Array;
  /** By test: earlier runs in a row that it failed in, up to the last one before it did not. */
  readonly failedRuns: Int32Array;
  /** By test: the newest and the oldest of these, as numbers of earlier runs, and its index in the newest. */
  readonly newestFailed: Int32Array;
  readonly oldestFailed: Int32Array;
  readonly newestFailedIndex: Int32Array;
  /** By test: whether an earlier run has it, whatever happened to it there. */
  readonly seen: Uint8Array;
  /** By test: whether a run was found that it neither failed nor missed, or nobody asks. */
  readonly ended: Uint8Array;
  /** Tests that have not ended. */
  open: number;
}

const NONE = -1;

export const startFailureRows = async (results: Results): Promise<FailureRows> => {
  const tests = startTestRows();
  const { weight, row } = await heaviest(results, tests, true);
  const count = tests.ids.length;
  // Only for what failed or passed is it of interest what went before.
  const ended = weight.subarray(0, count).map((happened) => (happened < weights.passed ? 1 : 0));
  return {
    tests,
    weight: weight.subarray(0, count),
    row: row.subarray(0, count),
    failedRuns: new Int32Array(count),
    newestFailed: new Int32Array(count).fill(NONE),
    oldestFailed: new Int32Array(count).fill(NONE),
    newestFailedIndex: new Int32Array(count),
    seen: new Uint8Array(count),
    ended,
    open: ended.reduce((sum, value) => sum + 1 - value, 0),
  };
};

/** Answers which tests of the run this one has, by test: what happened to each, and in which row. */
export const addEarlierRun = async (
  rows: FailureRows,
  earlier: number,
  results: Results,
): Promise<{ readonly weight: Uint8Array; readonly row: Int32Array }> => {
  const { weight, row } = await heaviest(results, rows.tests, false);
  for (let test = 0; test < rows.tests.ids.length; test++) {
    const happened = weight[test]!;
    if (happened !== weights.notRun) rows.seen[test] = 1;
    if (rows.ended[test] === 1 || happened === weights.notRun || happened === weights.skipped) continue;
    if (happened !== weights.failed) {
      rows.ended[test] = 1;
      rows.open--;
      continue;
    }
    rows.failedRuns[test]!++;
    rows.oldestFailed[test] = earlier;
    if (rows.newestFailed[test] === NONE) {
      rows.newestFailed[test] = earlier;
      rows.newestFailedIndex[test] = indexAt(results, row[test]!);
    }
  }
  return { weight, row };
};

/** By test: the heaviest of its results, and the last row that has it. */
const heaviest = async (
  results: Results,
  tests: TestRows,
  addTests: boolean,
): Promise<{ weight: Uint8Array; row: Int32Array }> => {
  const size = addTests ? results.rows : tests.ids.length;
  const weight = new Uint8Array(size);
  const rows = new Int32Array(size);
  const ids = results.testId.values;
  const statuses = results.status.values;
  const retries = results.retries.values;
  let test = NONE;
  await inPieces(results.rows, nextTurn, ({ from, to }) => {
    for (let row = from; row < to; row++) {
      const id = ids[row]!;
      const expected = test + 1;
      test = addTests
        ? rowFor(tests, id, expected)
        : tests.ids[expected] === id
          ? expected
          : (tests.rowOf.get(id) ?? NONE);
      if (test === NONE) continue;
      const happened = weightOf(statuses[row]!, retries[row]!);
      if (happened < weight[test]!) continue;
      weight[test] = happened;
      rows[test] = row;
    }
  });
  return { weight, row: rows };
};
