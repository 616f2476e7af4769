import { type FlakyTest, MOST_FLAKY_EVIDENCE, type RunOfResult, rateFigures } from '@assay/contract';
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
import { type FlakyRecord, modelFlakes, runsPerWeekOf } from './flake-model.ts';

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
  /** The runs that failed it on a commit on which another one passed it. */
  readonly mixedRuns: Set<number>;
  ran: number;
  first: Place;
  last: Place;
  /** The same without outages. */
  readonly usual: { ran: number; flaky: number; red: number };
}

interface Asked {
  /** Runs that say nothing of single tests, by id. */
  readonly outages: ReadonlySet<number>;
  readonly after: Position | null;
  readonly limit: number;
  readonly only?: number | undefined;
}

/** A page of the tests that were flaky in some runs, oldest first; those first that make most runs red. */
export const findFlaky = async (
  { segments, tests }: { readonly segments: SegmentStore; readonly tests: TestCatalogue },
  runs: readonly RecentRun[],
  { outages, after, limit, only }: Asked,
): Promise<{ body: FlakyTest[]; next: Position | null }> => {
  const { counts, quiet, retries } = await countFlaky(segments, runs, outages);
  const histories = createHistories(segments, runs);
  const models = await modelFlakes(
    { records: [...counts.values()].map(recordOf), quiet, runsPerWeek: runsPerWeekOf(runs), retries },
    async (testIds) => {
      const letters = await histories.of(testIds);
      return testIds.map((testId, at) => courseOf(letters[at]!.weights, { runs, outages, count: counts.get(testId)! }));
    },
  );
  const ordered = [...counts.values()]
    .filter(({ testId }) => only === undefined || testId === only)
    .map((count) => ({ ...count, model: models.get(count.testId)! }))
    .map((count) => ({ ...count, place: { value: placeOf(count.model.falseRedsPerWeek), id: count.testId } }))
    .filter(({ place }) => after === null || comparePlaces(after, place) < 0)
    .sort((a, b) => comparePlaces(a.place, b.place));
  const page = ordered.slice(0, limit);
  const testIds = page.map(({ testId }) => testId);
  const letters = await histories.of(testIds);
  const names = await tests.find(testIds);
  const body = page.flatMap((count, index): FlakyTest[] => {
    const { testId, flaky, retried, mixedCommits, mixedRuns, ran, model, first, last } = count;
    const name = names.get(testId);
    if (!name) return [];
    const { rate, low, high } = rateFigures(flaky, ran);
    const history = letters[index]!;
    const alone = failuresAlone(history.weights, runs, (run) => outages.has(run.id) || mixedRuns.has(run.id));
    const evidence = {
      retried: [...history.weights.keys()].filter((run) => history.weights[run] === weights.flaky),
      mixed: [...runs.keys()].filter((run) => mixedRuns.has(runs[run]!.id)),
      alone,
    };
    return [
      {
        id: testId,
        title: name.title,
        filePath: name.file,
        browser: name.browser,
        flakyRuns: flaky,
        retriedRuns: retried,
        mixedCommits: mixedCommits.size,
        aloneRuns: alone.length,
        totalRuns: ran,
        flakyRate: rate,
        rateLow: low,
        rateHigh: high,
        model,
        firstFlaky: presentRunOfResult(first.run, first.index),
        lastFlaky: presentRunOfResult(last.run, last.index),
        evidence: {
          retried: latestOf(evidence.retried, runs, history),
          mixed: latestOf(evidence.mixed, runs, history),
          alone: latestOf(evidence.alone, runs, history),
        },
        history: lettersOf(history.weights),
      },
    ];
  });
  return { body, next: ordered.length > limit ? page.at(-1)!.place : null };
};

const recordOf = ({ testId, usual: { ran, flaky, red } }: FlakyCount): FlakyRecord => ({
  testId,
  runs: ran,
  flaky,
  red,
});

interface Followed {
  readonly runs: readonly RecentRun[];
  readonly outages: ReadonlySet<number>;
  readonly count: FlakyCount;
}

const courseOf = (letters: Uint8Array, { runs, outages, count }: Followed): boolean[] =>
  runs.flatMap(({ id }, at) => {
    const weight = letters[at]!;
    if (weight === weights.notRun || weight === weights.skipped || outages.has(id)) return [];
    return [weight === weights.flaky || count.mixedRuns.has(id)];
  });

/** A cursor holds no exponents. */
const placeOf = (falseRedsPerWeek: number): number => Math.round(falseRedsPerWeek * 1_000_000_000);

const comparePlaces = (a: Position, b: Position): number => b.value - a.value || a.id - b.id;

interface Counted {
  /** By test. */
  readonly counts: ReadonlyMap<number, FlakyCount>;
  /** How many of the other tests ran so often, outages left out. */
  readonly quiet: ReadonlyMap<number, number>;
  /** How often a test was tried again at most. */
  readonly retries: number;
}

const countFlaky = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  outages: ReadonlySet<number>,
): Promise<Counted> => {
  const seen = startTestRows();
  const ran: number[] = [];
  const usualRan: number[] = [];
  let mostRetries = 0;
  const counting: Counting = { counts: new Map(), outages };
  const repeated = repeatedCommits(runs);
  const failures: Failures = new Map();
  for await (const { run, results } of readRuns(segments, runs, nextTurn)) {
    if (results === null) continue;
    const usual = outages.has(run.id) ? 0 : 1;
    const ids = results.testId.values;
    const statuses = results.status.values;
    const retries = results.retries.values;
    let at = -1;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        at = rowFor(seen, ids[row]!, at + 1);
        if (at === ran.length) {
          ran.push(0);
          usualRan.push(0);
        }
        mostRetries = Math.max(mostRetries, retries[row]!);
        const weight = weightOf(statuses[row]!, retries[row]!);
        if (weight !== weights.skipped) {
          ran[at]!++;
          usualRan[at]! += usual;
        }
        if (weight === weights.failed && run.commit_hash !== null && repeated.has(run.commit_hash)) {
          const places = failuresOf(failures, run.commit_hash, at);
          places.push({ run, index: indexAt(results, row), row });
        }
        if (weight !== weights.flaky) continue;
        countFor(counting, at, ids[row]!, { run, index: indexAt(results, row), row }).retried++;
      }
    });
  }
  await addMixed(segments, runs, { seen, counting, failures });
  for (const [at, count] of counting.counts) {
    count.ran = ran[at]!;
    count.usual.ran = usualRan[at]!;
  }
  const quiet = new Map<number, number>();
  for (const [at, runs] of usualRan.entries()) {
    if (runs > 0 && !counting.counts.has(at)) quiet.set(runs, (quiet.get(runs) ?? 0) + 1);
  }
  return {
    counts: new Map([...counting.counts.values()].map((count) => [count.testId, count])),
    quiet,
    retries: mostRetries,
  };
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

interface Counting {
  /** By row of the test. */
  readonly counts: Map<number, FlakyCount>;
  readonly outages: ReadonlySet<number>;
}

const countFor = ({ counts, outages }: Counting, at: number, testId: number, place: Place): FlakyCount => {
  const known = counts.get(at);
  const count = known ?? {
    testId,
    flaky: 0,
    retried: 0,
    mixedCommits: new Set(),
    mixedRuns: new Set(),
    ran: 0,
    first: place,
    last: place,
    usual: { ran: 0, flaky: 0, red: 0 },
  };
  counts.set(at, count);
  count.flaky++;
  if (!outages.has(place.run.id)) count.usual.flaky++;
  if (isLater(count.first, place)) count.first = place;
  if (isLater(place, count.last)) count.last = place;
  return count;
};

const isLater = (a: Place, b: Place): boolean =>
  a.run.start_time - b.run.start_time > 0 ||
  (a.run.start_time === b.run.start_time && (a.run.id > b.run.id || (a.run.id === b.run.id && a.row >= b.row)));

interface Mixing {
  readonly seen: TestRows;
  readonly counting: Counting;
  readonly failures: Failures;
}

/** Counts failures on commits on which another run passed the test: the code was the same. */
const addMixed = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  { seen, counting, failures }: Mixing,
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
        for (const place of places) {
          const count = countFor(counting, at, ids[row]!, place);
          count.mixedCommits.add(run.commit_hash!);
          count.mixedRuns.add(place.run.id);
          if (!counting.outages.has(place.run.id)) count.usual.red++;
        }
        ofCommit.delete(at);
      }
    });
  }
};

/** What the runs say of one test: its heaviest result in each, and the index of that. */
interface History {
  readonly weights: Uint8Array;
  readonly indices: Int32Array;
}

const latestOf = (numbers: readonly number[], runs: readonly RecentRun[], { indices }: History): RunOfResult[] =>
  numbers
    .slice(-MOST_FLAKY_EVIDENCE)
    .reverse()
    .map((run) => presentRunOfResult(runs[run]!, indices[run]!));

/**
 * The runs in which a test failed though the runs of its branch before and after it, of other commits, passed it. Who broke
 * it would have had to mend it at once.
 */
const failuresAlone = (
  happened: Uint8Array,
  runs: readonly RecentRun[],
  isLeftOut: (run: RecentRun) => boolean,
): number[] => {
  const alone: number[] = [];
  for (const numbers of Map.groupBy(runs.keys(), (run) => runs[run]!.branch).values()) {
    const ran = numbers.filter((run) => happened[run]! >= weights.passed && !isLeftOut(runs[run]!));
    for (const [at, run] of ran.entries()) {
      if (happened[run] !== weights.failed) continue;
      const passes = (other: number | undefined): boolean =>
        other !== undefined &&
        happened[other] !== weights.failed &&
        (runs[other]!.commit_hash === null || runs[other]!.commit_hash !== runs[run]!.commit_hash);
      if (passes(ran[at - 1]) && passes(ran[at + 1])) alone.push(run);
    }
  }
  return alone.sort((a, b) => a - b);
};

/** What the runs say of tests, read once for each. */
const createHistories = (segments: SegmentStore, runs: readonly RecentRun[]) => {
  const known = new Map<number, History>();
  return {
    async of(testIds: readonly number[]): Promise<History[]> {
      await readHistories(
        segments,
        runs,
        testIds.filter((testId) => !known.has(testId)),
        known,
      );
      return testIds.map((testId) => known.get(testId)!);
    },
  };
};

const readHistories = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  testIds: readonly number[],
  into: Map<number, History>,
): Promise<void> => {
  const places = new Map(
    testIds.map((testId) => [testId, { weights: new Uint8Array(runs.length), indices: new Int32Array(runs.length) }]),
  );
  for await (const { index, results } of readRuns(segments, testIds.length > 0 ? runs : [], nextTurn)) {
    if (results === null) continue;
    const ids = results.testId.values;
    const statuses = results.status.values;
    const retries = results.retries.values;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const history = places.get(ids[row]!);
        if (!history) continue;
        const weight = weightOf(statuses[row]!, retries[row]!);
        if (weight < history.weights[index]!) continue;
        history.weights[index] = weight;
        history.indices[index] = indexAt(results, row);
      }
    });
  }
  for (const [testId, history] of places) into.set(testId, history);
};
