import { CHANGED_WITHIN_DAYS } from '@assay/contract';
import { readRuns } from '../../history/read-runs.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import { statusCodes } from '../../segments/status-code.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { rowFor, startTestRows } from '../../segments/test-rows.ts';
import { type Hint, hintOfFlakiness, hintOfSlowness } from '../../statistics/change-hints.ts';
import { slowSpells } from '../../statistics/duration-changes.ts';
import { inPieces, inTurns, nextTurn } from '../../turns.ts';
import { findOutages } from '../runs/outages.ts';
import type { RecentRun } from '../runs/run-refs.ts';

const DAY_MS = 24 * 3_600_000;

/** A test that none of so many latest runs ran is gone, has another name, or is skipped. */
const LATEST_RUNS = 10;
/** Tests whose durations say whether all were slow. */
const MOST_SAMPLED = 60;

export interface Candidates {
  /** Tests that may have changed, by id; the clearest first. */
  readonly flaky: readonly number[];
  readonly slower: readonly number[];
}

/** Tests that may lately have become flaky or slower: some runs are read once, oldest first, and each test is looked at for little. */
export const findCandidates = async (segments: SegmentStore, runs: readonly RecentRun[]): Promise<Candidates> => {
  const { tests, resultsOf } = await readSeries(segments, runs);
  const outages = new Set(findOutages(runs).map(({ id }) => id));
  const isOutage = runs.map(({ id }) => outages.has(id));
  const newsSince = (runs.at(-1)?.start_time ?? 0) - CHANGED_WITHIN_DAYS * DAY_MS;
  const isNews = (run: number): boolean => runs[run]!.start_time >= newsSince;
  return inTurns(judge());

  function* judge(): Generator<undefined, Candidates> {
    const spells = slowSpells(sampleOf(tests.length, resultsOf, runs.length));
    const flaky: Candidate[] = [];
    const slower: Candidate[] = [];
    for (const [row, id] of tests.entries()) {
      if (row % TESTS_PER_STEP === 0) yield;
      const results = resultsOf(row);
      if (!results.some(({ run }) => run >= runs.length - LATEST_RUNS)) continue;
      const usual = results.filter(({ run }) => !isOutage[run]);
      const unsteady = hintOfFlakiness(
        usual.map(({ isGood }) => !isGood),
        (at) => isNews(usual[at]!.run),
      );
      if (unsteady) flaky.push({ id, hint: unsteady });
      const timed = results.filter(({ log }) => !Number.isNaN(log));
      const slow = hintOfSlowness(
        timed.map(({ log, run }) => log - spells[run]!),
        (at) => isNews(timed[at]!.run),
      );
      if (slow) slower.push({ id, hint: slow });
    }
    return { flaky: clearestFirst(flaky), slower: clearestFirst(slower) };
  }
};

const TESTS_PER_STEP = 20;

interface Candidate {
  readonly id: number;
  readonly hint: Hint;
}

const clearestFirst = (candidates: readonly Candidate[]): number[] =>
  candidates.toSorted((a, b) => b.hint.score - a.hint.score || a.id - b.id).map(({ id }) => id);

/** What one run says of a test. */
interface SeenResult {
  readonly run: number;
  readonly isGood: boolean;
  /** Of its duration, if it passed at once; NaN otherwise. */
  readonly log: number;
}

/** The results of all tests, as flat as they fit into memory: skipped and interrupted ones say nothing. */
const readSeries = async (segments: SegmentStore, runs: readonly RecentRun[]) => {
  const rows = startTestRows();
  const most = runs.reduce((sum, { result_count }) => sum + result_count, 0);
  const [testOf, runOf] = [new Int32Array(most), new Uint16Array(most)];
  const [isGood, logs] = [new Uint8Array(most), new Float32Array(most)];
  let count = 0;
  for await (const { index, results } of readRuns(segments, runs, nextTurn)) {
    if (results === null) continue;
    const { testId, status, retries, durationMs } = results;
    let at = -1;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        at = rowFor(rows, testId.values[row]!, at + 1);
        const weight = weightOf(status.values[row]!, retries.values[row]!);
        // A run that goes on may have more results by now.
        if (weight < weights.passed || status.values[row] === statusCodes.interrupted || count === most) continue;
        testOf[count] = at;
        runOf[count] = index;
        isGood[count] = Number(weight === weights.passed);
        const duration = durationMs.values[row]!;
        logs[count++] = weight === weights.passed && duration > 0 ? Math.log(duration) : NaN;
      }
    });
  }
  const { order, firstOf } = groupByTest(testOf.subarray(0, count), rows.ids.length);
  const resultsOf = (test: number): SeenResult[] =>
    Array.from(order.subarray(firstOf[test], firstOf[test + 1]), (nth) => ({
      run: runOf[nth]!,
      isGood: isGood[nth] === 1,
      log: logs[nth]!,
    }));
  return { tests: rows.ids, resultsOf };
};

/** The numbers of the results of each test after another, each in their order. */
const groupByTest = (testOf: Int32Array, tests: number) => {
  const firstOf = new Int32Array(tests + 1);
  for (const test of testOf) firstOf[test + 1]!++;
  for (let test = 0; test < tests; test++) firstOf[test + 1]! += firstOf[test]!;
  const next = firstOf.slice();
  const order = new Int32Array(testOf.length);
  for (const [nth, test] of testOf.entries()) order[next[test]!++] = nth;
  return { order, firstOf };
};

const sampleOf = (tests: number, resultsOf: (test: number) => readonly SeenResult[], runs: number): Float64Array[] => {
  const every = Math.max(1, Math.floor(tests / MOST_SAMPLED));
  const sampled = Array.from({ length: Math.min(tests, MOST_SAMPLED) }, (_, nth) => resultsOf(nth * every));
  return sampled.map((results) => {
    const logs = new Float64Array(runs).fill(NaN);
    for (const { run, log } of results) logs[run] = log;
    return logs;
  });
};
