import { type FlakyTest, rateFigures } from '@assay/contract';
import { readRuns } from '../../history/read-runs.ts';
import type { TestCatalogue } from '../../history/test-catalogue.ts';
import type { Position } from '../../http/page.ts';
import { lettersOf, weightOf, weights } from '../../segments/letters.ts';
import { indexAt } from '../../segments/row-indices.ts';
import { statusCodes } from '../../segments/status-code.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { type TestRows, rowFor, startTestRows } from '../../segments/test-rows.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import { type RecentRun, presentRunOfResult } from '../runs/run-refs.ts';
import { repeatedCommits } from '../runs/window.ts';

interface Place {
  readonly run: RecentRun;
  readonly index: number;
  /** Results of a run are in the order of their rows; indices go by arrival. */
  readonly row: number;
}

interface FlakyCount {
  readonly testId: number;
  flaky: number;
  retried: number;
  readonly mixedCommits: Set<string>;
  ran: number;
  first: Place;
  last: Place;
}

/** A page of the tests that were flaky in some runs, oldest first; the most flaky test first. */
export const findFlaky = async (
  { segments, tests }: { readonly segments: SegmentStore; readonly tests: TestCatalogue },
  runs: readonly RecentRun[],
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<{ body: FlakyTest[]; next: Position | null }> => {
  const ordered = (await countFlaky(segments, runs))
    .map((count) => ({ ...count, place: { value: flakiness(count), id: count.testId } }))
    .filter(({ place }) => after === null || comparePlaces(after, place) < 0)
    .sort((a, b) => comparePlaces(a.place, b.place));
  const counts = ordered.slice(0, limit);
  const histories = await readLetters(
    segments,
    runs,
    counts.map(({ testId }) => testId),
  );
  const names = await tests.find(counts.map(({ testId }) => testId));
  const body = counts.flatMap(({ testId, flaky, retried, mixedCommits, ran, first, last }, index): FlakyTest[] => {
    const name = names.get(testId);
    if (!name) return [];
    const { rate, low, high } = rateFigures(flaky, ran);
    return [
      {
        id: testId,
        title: name.title,
        filePath: name.file,
        browser: name.browser,
        flakyRuns: flaky,
        retriedRuns: retried,
        mixedCommits: mixedCommits.size,
        totalRuns: ran,
        flakyRate: rate,
        rateLow: low,
        rateHigh: high,
        firstFlaky: presentRunOfResult(first.run, first.index),
        lastFlaky: presentRunOfResult(last.run, last.index),
        history: lettersOf(histories[index]!),
      },
    ];
  });
  return { body, next: ordered.length > limit ? counts.at(-1)!.place : null };
};

const MOST_FLAKY_RUNS = 1_000_000;

/** Orders by the lower end of the interval, then by how often, as one number. */
const flakiness = ({ flaky, ran }: FlakyCount): number =>
  Math.round(rateFigures(flaky, ran).low * 10) * MOST_FLAKY_RUNS + Math.min(flaky, MOST_FLAKY_RUNS - 1);

const comparePlaces = (a: Position, b: Position): number => b.value - a.value || a.id - b.id;

const countFlaky = async (segments: SegmentStore, runs: readonly RecentRun[]): Promise<FlakyCount[]> => {
  const seen = startTestRows();
  const ran: number[] = [];
  const counts = new Map<number, FlakyCount>();
  const repeated = repeatedCommits(runs);
  const failures: Failures = new Map();
  for await (const { run, results } of readRuns(segments, runs, nextTurn)) {
    if (results === null) continue;
    const ids = results.testId.values;
    const statuses = results.status.values;
    const retries = results.retries.values;
    let at = -1;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        at = rowFor(seen, ids[row]!, at + 1);
        if (at === ran.length) ran.push(0);
        const weight = weightOf(statuses[row]!, retries[row]!);
        if (weight !== weights.skipped) ran[at]!++;
        if (weight === weights.failed && run.commit_hash !== null && repeated.has(run.commit_hash)) {
          const places = failuresOf(failures, run.commit_hash, at);
          places.push({ run, index: indexAt(results, row), row });
        }
        if (weight !== weights.flaky) continue;
        countFor(counts, at, ids[row]!, { run, index: indexAt(results, row), row }).retried++;
      }
    });
  }
  await addMixed(segments, runs, { seen, counts, failures });
  for (const [at, count] of counts) count.ran = ran[at]!;
  return [...counts.values()];
};

/** What failed on commits that ran several times: by commit and row of the test, oldest first. */
type Failures = Map<string, Map<number, Place[]>>;

const failuresOf = (failures: Failures, commit: string, at: number): Place[] => {
  const ofCommit = failures.get(commit) ?? new Map<number, Place[]>();
  failures.set(commit, ofCommit);
  const places = ofCommit.get(at) ?? [];
  ofCommit.set(at, places);
  return places;
};

const countFor = (counts: Map<number, FlakyCount>, at: number, testId: number, place: Place): FlakyCount => {
  const known = counts.get(at);
  const count = known ?? {
    testId,
    flaky: 0,
    retried: 0,
    mixedCommits: new Set(),
    ran: 0,
    first: place,
    last: place,
  };
  counts.set(at, count);
  count.flaky++;
  if (isLater(count.first, place)) count.first = place;
  if (isLater(place, count.last)) count.last = place;
  return count;
};

const isLater = (a: Place, b: Place): boolean =>
  a.run.start_time - b.run.start_time > 0 ||
  (a.run.start_time === b.run.start_time && (a.run.id > b.run.id || (a.run.id === b.run.id && a.row >= b.row)));

interface Mixing {
  readonly seen: TestRows;
  readonly counts: Map<number, FlakyCount>;
  readonly failures: Failures;
}

/** Counts failures on commits on which another run passed the test: the code was the same. */
const addMixed = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  { seen, counts, failures }: Mixing,
): Promise<void> => {
  const asked = runs.filter(({ commit_hash }) => commit_hash !== null && failures.has(commit_hash));
  for await (const { run, results } of readRuns(segments, asked, nextTurn)) {
    if (results === null) continue;
    const ofCommit = failures.get(run.commit_hash!)!;
    const ids = results.testId.values;
    const statuses = results.status.values;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        if (statuses[row] !== statusCodes.passed) continue;
        const at = seen.rowOf.get(ids[row]!)!;
        const places = ofCommit.get(at);
        // A run with both outcomes may have two tests of one name.
        if (!places || places.some((place) => place.run === run)) continue;
        for (const place of places) countFor(counts, at, ids[row]!, place).mixedCommits.add(run.commit_hash!);
        ofCommit.delete(at);
      }
    });
  }
};

const readLetters = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  testIds: readonly number[],
): Promise<Uint8Array[]> => {
  const letters = testIds.map(() => new Uint8Array(runs.length));
  const places = new Map(testIds.map((testId, index) => [testId, letters[index]!]));
  for await (const { index, results } of readRuns(segments, testIds.length > 0 ? runs : [], nextTurn)) {
    if (results === null) continue;
    const ids = results.testId.values;
    const statuses = results.status.values;
    const retries = results.retries.values;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const history = places.get(ids[row]!);
        if (history) history[index] = Math.max(history[index]!, weightOf(statuses[row]!, retries[row]!));
      }
    });
  }
  return letters;
};
