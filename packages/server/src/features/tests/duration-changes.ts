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
  testId: number,
  timed: readonly TimedRun[],
  readOthers: OtherTests,
): Promise<DurationsFound> => {
  const places = [...new Set(timed.map(({ place }) => place))];
  if (!mayHaveChanged(mediansOf(timed, (_, { log }) => log))) return { changes: [], places };
  const spells = slowSpells(await readOthers(testId, timed));
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
export type OtherTests = (testId: number, timed: readonly TimedRun[]) => Promise<Float64Array[]>;

/** Some tests, and the logarithm of the duration of each by run. */
interface Sample {
  readonly ids: readonly number[];
  readonly logs: Map<number, Float64Array>;
}

/** Reads a run once for each run that some test was in last, which for most tests is the same. */
export const createOtherTests = (
  segments: SegmentStore,
  startLargeRead: (rows: number) => Promise<void>,
): OtherTests => {
  const samples = new Map<number, Sample>();
  return async (testId, timed) => {
    const runs = timed.map(({ run }) => run);
    const latest = runs.reduce((one, other) => (other.start_time > one.start_time ? other : one));
    const sample = samples.get(latest.id) ?? {
      ids: idsOf((await segments.results([latest])).get(latest.id)),
      logs: new Map<number, Float64Array>(),
    };
    samples.set(latest.id, sample);
    const unread = runs.filter(({ id }) => !sample.logs.has(id));
    await startLargeRead(unread.reduce((sum, run) => sum + run.result_count, 0));
    await readSample(segments, sample, unread);
    return [...sample.ids.entries()]
      .filter(([, id]) => id !== testId)
      .slice(0, MOST_OTHERS)
      .map(([nth]) => Float64Array.from(runs, ({ id }) => sample.logs.get(id)?.[nth] ?? NaN));
  };
};

const readSample = async (segments: SegmentStore, { ids, logs }: Sample, runs: readonly RecentRun[]): Promise<void> => {
  const numberOf = new Map(ids.map((id, nth) => [id, nth]));
  for await (const { run, results } of readRuns(segments, runs, nextTurn)) {
    const ofRun = new Float64Array(ids.length).fill(NaN);
    logs.set(run.id, ofRun);
    if (results === null) continue;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const nth = numberOf.get(results.testId.values[row]!);
        if (nth !== undefined && isPassed(results, row)) ofRun[nth] = Math.log(results.durationMs.values[row]!);
      }
    });
  }
};

/** One more than are needed, for the test that is asked about may be among them. */
const idsOf = (results: Results | undefined): number[] => {
  if (!results) return [];
  const ids = new Set<number>();
  const every = Math.max(1, Math.floor(results.rows / (2 * MOST_OTHERS)));
  for (let row = 0; row < results.rows && ids.size <= MOST_OTHERS; row += every) {
    if (isPassed(results, row)) ids.add(results.testId.values[row]!);
  }
  return [...ids];
};

const isPassed = ({ status, retries, durationMs }: Results, row: number): boolean =>
  status.values[row] === statusCodes.passed && retries.values[row] === 0 && durationMs.values[row]! > 0;
