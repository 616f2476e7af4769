import { readRuns } from '../../history/read-runs.ts';
import type { Results } from '../../segments/results.ts';
import { statusCodes } from '../../segments/status-code.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { type Change, findChanges, mayHaveChanged, slowSpells } from '../../statistics/duration-changes.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import type { RecentRun } from '../runs/run-refs.ts';

export interface TimedRun {
  readonly run: RecentRun;
  readonly log: number;
  /** Runs of one commit count once, with their median: they differ for other reasons. */
  readonly place: number;
}

/** Tests whose durations say whether all were slow. */
const MOST_OTHERS = 60;
/** Shorter differences are nothing, whatever their factor. */
const LEAST_DIFFERENCE_MS = 20;

export interface DurationsFound {
  readonly changes: readonly Change[];
  /** The place of each duration that changes are told by. */
  readonly places: readonly number[];
}

/**
 * Where the durations of a test changed. What slowed all tests down for a while is taken off; only where there is
 * something to tell, since that takes to read the results of the other tests.
 */
export const findDurationChanges = async (
  segments: SegmentStore,
  testId: number,
  timed: readonly TimedRun[],
  startLargeRead: (rows: number) => Promise<void>,
): Promise<DurationsFound> => {
  const places = [...new Set(timed.map(({ place }) => place))];
  if (!mayHaveChanged(mediansOf(timed, (_, { log }) => log))) return { changes: [], places };
  await startLargeRead(timed.reduce((sum, { run }) => sum + run.result_count, 0));
  const spells = slowSpells(await readOthers(segments, testId, timed));
  const changes = findChanges(mediansOf(timed, (nth, { log }) => log - (spells[nth] ?? 0)));
  return { changes: changes.filter(isWorthTelling), places };
};

const isWorthTelling = ({ before, after }: Change): boolean =>
  Math.abs(Math.exp(after) - Math.exp(before)) >= LEAST_DIFFERENCE_MS;

const mediansOf = (timed: readonly TimedRun[], logOf: (nth: number, run: TimedRun) => number): number[] => {
  const logs = new Map<number, number[]>();
  for (const [nth, run] of timed.entries()) {
    const some = logs.get(run.place);
    if (some) some.push(logOf(nth, run));
    else logs.set(run.place, [logOf(nth, run)]);
  }
  return [...logs.values()].map((some) => some.sort((a, b) => a - b)[some.length >>> 1]!);
};

/** Some other tests of the latest run, each with the logarithms of its durations in all runs, NaN where it did not pass. */
const readOthers = async (
  segments: SegmentStore,
  testId: number,
  timed: readonly TimedRun[],
): Promise<Float64Array[]> => {
  const runs = timed.map(({ run }) => run);
  const latest = runs.reduce((one, other) => (other.start_time > one.start_time ? other : one));
  const ids = idsOf((await segments.results([latest])).get(latest.id), testId);
  const numberOf = new Map(ids.map((id, nth) => [id, nth]));
  const others = ids.map(() => new Float64Array(runs.length).fill(NaN));
  for await (const { index, results } of readRuns(segments, runs, nextTurn)) {
    if (results === null) continue;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const nth = numberOf.get(results.testId.values[row]!);
        if (nth !== undefined && isPassed(results, row))
          others[nth]![index] = Math.log(results.durationMs.values[row]!);
      }
    });
  }
  return others;
};

const idsOf = (results: Results | undefined, testId: number): number[] => {
  if (!results) return [];
  const ids = new Set<number>();
  const every = Math.max(1, Math.floor(results.rows / (2 * MOST_OTHERS)));
  for (let row = 0; row < results.rows && ids.size < MOST_OTHERS; row += every) {
    const id = results.testId.values[row]!;
    if (id !== testId && isPassed(results, row)) ids.add(id);
  }
  return [...ids];
};

const isPassed = ({ status, retries, durationMs }: Results, row: number): boolean =>
  status.values[row] === statusCodes.passed && retries.values[row] === 0 && durationMs.values[row]! > 0;
