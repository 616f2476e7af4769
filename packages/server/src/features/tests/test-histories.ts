import { nearestRank } from '@assay/contract';
import { readRuns } from '../../history/read-runs.ts';
import { lettersOf, weightOf } from '../../segments/letters.ts';
import { isTimed } from '../../segments/results.ts';
import type { ReadableRun, SegmentStore } from '../../segments/store.ts';
import type { TestRows } from '../../segments/test-rows.ts';
import { inPieces, nextTurn } from '../../turns.ts';

export interface HistoryRun extends ReadableRun {
  readonly start_time: number;
}

/** What happened to some tests in some runs. */
export interface TestHistories {
  /** One letter for each run. */
  text(place: number): string;
  p90DurationMs(place: number): number | null;
}

const NONE = -1;

/** `placeOf` says for each row of `tests` which place its test has among `count`, or -1. Runs are oldest first. */
export const readHistories = async (
  segments: SegmentStore,
  runs: readonly HistoryRun[],
  tests: TestRows,
  placeOf: Int32Array,
  count: number,
): Promise<TestHistories> => {
  const width = runs.length;
  const letters = new Uint8Array(count * width);
  const durations = createDurations(count, width);
  for await (const { index, results } of readRuns(segments, runs, nextTurn)) {
    if (results === null) continue;
    const ids = results.testId.values;
    const statuses = results.status.values;
    const retries = results.retries.values;
    const durationsMs = results.durationMs.values;
    let testRow = NONE;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const expected = testRow + 1;
        testRow = tests.ids[expected] === ids[row] ? expected : (tests.rowOf.get(ids[row]!) ?? NONE);
        const place = placeOf[testRow] ?? NONE;
        if (place === NONE) continue;
        const weight = weightOf(statuses[row]!, retries[row]!);
        const cell = place * width + index;
        if (weight > letters[cell]!) letters[cell] = weight;
        if (isTimed(statuses[row]!, durationsMs[row]!)) durations.add(place, durationsMs[row]!);
      }
    });
  }
  return {
    text: (place) => lettersOf(letters.subarray(place * width, (place + 1) * width)),
    p90DurationMs: (place) => nearestRank(durations.of(place), 90),
  };
};

/** A test has mostly one result in a run; what it has beyond that is kept aside. */
const createDurations = (count: number, width: number) => {
  const usual = new Float64Array(count * width);
  const lengths = new Int32Array(count);
  const beyond = new Map<number, number[]>();
  return {
    add(place: number, durationMs: number): void {
      const length = lengths[place]!;
      if (length < width) {
        usual[place * width + length] = durationMs;
        lengths[place] = length + 1;
      } else if (beyond.has(place)) beyond.get(place)!.push(durationMs);
      else beyond.set(place, [durationMs]);
    },
    of(place: number): ArrayLike<number> {
      const values = usual.subarray(place * width, place * width + lengths[place]!);
      const more = beyond.get(place);
      return more ? [...values, ...more] : values;
    },
  };
};
