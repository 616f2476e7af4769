import { SLOWEST_TESTS } from '@assay/contract';
import type { Column } from '../../segments/block.ts';
import { type Results, isTimed } from '../../segments/results.ts';
import { type RowSpan, inPieces, nextTurn } from '../../turns.ts';

export interface DurationSeries {
  readonly testId: number;
  /** In the order of the runs. */
  readonly durations: number[];
}

type Durations = Pick<Results, 'rows'> & Record<'testId' | 'status' | 'durationMs', Pick<Column, 'values'>>;

/** One place for each test, in the order in which the tests are first seen. */
interface Totals {
  tests: number;
  readonly placeOf: Map<number, number>;
  ids: Float64Array;
  sums: Float64Array;
  counts: Float64Array;
}

const FIRST_CAPACITY = 1024;
/** A power of two. */
const HINTS = 1024;

/**
 * The tests with the highest mean duration over some runs, slowest first. Millions of rows may be looked at, so the runs
 * are read twice, a few in memory at a time, and durations are collected only of the tests that are named.
 */
export const findSlowest = async (runs: () => AsyncIterable<Durations>): Promise<DurationSeries[]> => {
  const totals: Totals = {
    tests: 0,
    placeOf: new Map(),
    ids: new Float64Array(FIRST_CAPACITY),
    sums: new Float64Array(FIRST_CAPACITY),
    counts: new Float64Array(FIRST_CAPACITY),
  };
  for await (const run of runs()) await inPieces(run.rows, nextTurn, (span) => addDurations(totals, run, span));
  const slowest = pickSlowest(totals).map((testId): DurationSeries => ({ testId, durations: [] }));
  await collectDurations(slowest, runs());
  return slowest;
};

/** Runs list tests in much the same order, so a test is mostly at the place after that of the test before. */
const addDurations = (totals: Totals, { testId, status, durationMs }: Durations, { from, to }: RowSpan): void => {
  const testIds = testId.values;
  const statuses = status.values;
  const durations = durationMs.values;
  let { ids, sums, counts } = totals;
  let place = -1;
  for (let row = from; row < to; row++) {
    const id = testIds[row]!;
    place++;
    if (place >= totals.tests || ids[place] !== id) {
      place = placeFor(totals, id);
      ({ ids, sums, counts } = totals);
    }
    const duration = durations[row]!;
    if (!isTimed(statuses[row]!, duration)) continue;
    sums[place]! += duration;
    counts[place]!++;
  }
};

const placeFor = (totals: Totals, id: number): number => {
  const known = totals.placeOf.get(id);
  if (known !== undefined) return known;
  const place = totals.tests++;
  if (place === totals.ids.length) {
    totals.ids = widened(totals.ids);
    totals.sums = widened(totals.sums);
    totals.counts = widened(totals.counts);
  }
  totals.ids[place] = id;
  totals.placeOf.set(id, place);
  return place;
};

const widened = (values: Float64Array): Float64Array => {
  const wider = new Float64Array(2 * values.length);
  wider.set(values);
  return wider;
};

/** The ids of the slowest, found by keeping the slowest so far in order. */
const pickSlowest = ({ tests, ids, sums, counts }: Totals): number[] => {
  const picked: { id: number; mean: number }[] = [];
  let slowEnough = -Infinity;
  for (let place = 0; place < tests; place++) {
    if (counts[place] === 0) continue;
    const mean = sums[place]! / counts[place]!;
    if (mean < slowEnough) continue;
    const id = ids[place]!;
    const slower = picked.findLastIndex((other) => other.mean > mean || (other.mean === mean && other.id < id));
    if (slower === SLOWEST_TESTS - 1) continue;
    picked.splice(slower + 1, 0, { id, mean });
    if (picked.length > SLOWEST_TESTS) picked.pop();
    if (picked.length === SLOWEST_TESTS) slowEnough = picked.at(-1)!.mean;
  }
  return picked.map(({ id }) => id);
};

const collectDurations = async (series: readonly DurationSeries[], runs: AsyncIterable<Durations>): Promise<void> => {
  const seriesOf = new Map(series.map(({ testId, durations }) => [testId, durations]));
  // Tells of nearly all other tests that they are none of these, for less than a look into the map.
  const hints = new Uint8Array(HINTS);
  for (const { testId } of series) hints[testId & (HINTS - 1)] = 1;
  for await (const { rows, testId, status, durationMs } of runs) {
    const testIds = testId.values;
    const statuses = status.values;
    const durations = durationMs.values;
    await inPieces(rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const id = testIds[row]!;
        if (hints[id & (HINTS - 1)] === 0) continue;
        const duration = durations[row]!;
        if (isTimed(statuses[row]!, duration)) seriesOf.get(id)?.push(duration);
      }
    });
  }
};
