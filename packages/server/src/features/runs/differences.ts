import {
  DIFFERENCE_KINDS,
  type DifferenceKind,
  type DifferentTest,
  LEAST_DURATION_CHANGE_MS,
  LEAST_DURATION_RATIO,
  MOST_DIFFERENCES,
  NOISE_RUNS,
  type RunDifferences,
  resultId,
} from '@assay/contract';
import type { Context } from '../../context.ts';
import { readRuns } from '../../history/read-runs.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import { type Results, statusOf } from '../../segments/results.ts';
import { indexAt } from '../../segments/row-indices.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import { type PastDurations, scoreOf, thresholdOf, usualOf } from './duration-noise.ts';
import { type FailureRows, startFailureRows } from './failure-rows.ts';
import { listRunsBefore } from './neighbours.ts';
import { type OtherRun, listEnvironments } from './other-run.ts';
import type { ShownRun } from './present-run.ts';
import { type RunRefRow, presentRunRef } from './run-refs.ts';

/** One of the two runs. */
interface Side {
  readonly run: RunRefRow;
  readonly results: Results;
  readonly rows: FailureRows;
}

export interface ComparedRuns {
  readonly run: ShownRun;
  readonly results: Results;
  readonly other: OtherRun | null;
  readonly otherResults: Results | null;
  readonly otherBy: RunDifferences['otherBy'];
}

/** What differs between two runs, test by test. */
export const findDifferences = async (
  context: Pick<Context, 'queries' | 'segments' | 'tests'>,
  { run, results, other, otherResults, otherBy }: ComparedRuns,
): Promise<RunDifferences> => {
  const environments = await listEnvironments(context.queries, run);
  const head = { run: presentRunRef(run), other: other && presentRunRef(other), otherBy, environments };
  if (other === null || otherResults === null) return { ...head, ...NO_DIFFERENCES };
  const here: Side = { run, results, rows: await startFailureRows(results) };
  const there: Side = { run: other, results: otherResults, rows: await startFailureRows(otherResults) };
  const found = await sortTests(here, there);
  const { changes, ...noise } = await judgeDurations(context, run, here, there);
  for (const { testId, ratio } of changes) found[ratio > 1 ? 'slower' : 'faster'].push(testId);
  const usual = new Map(changes.map(({ testId, usualMs }) => [testId, usualMs]));
  const counts = mapKinds((kind) => found[kind].length);
  const listed = mapKinds((kind) => found[kind].slice(0, MOST_DIFFERENCES));
  const names = await context.tests.find([...new Set(Object.values(listed).flat())]);
  const present = (testId: number): DifferentTest => {
    const name = names.get(testId);
    const usualDuration = usual.get(testId);
    return {
      testId,
      title: name?.title ?? 'unknown',
      filePath: name?.file ?? 'unknown',
      browser: name?.browser ?? null,
      here: presentResult(here, testId),
      there: presentResult(there, testId),
      ...(usualDuration === undefined ? {} : { usualDuration }),
    };
  };
  const sharedTests = here.rows.tests.ids.length - counts.added;
  return { ...head, noise, counts, sharedTests, ...mapKinds((kind) => listed[kind].map(present)) };
};

const mapKinds = <T>(of: (kind: DifferenceKind) => T): Record<DifferenceKind, T> =>
  Object.fromEntries(DIFFERENCE_KINDS.map((kind) => [kind, of(kind)])) as Record<DifferenceKind, T>;

const NO_DIFFERENCES = {
  noise: { runs: 0, knownShare: 0, threshold: null },
  counts: mapKinds(() => 0),
  sharedTests: 0,
  ...mapKinds((): DifferentTest[] => []),
};

/** The tests of each kind but those that are slower or faster, in the order of their runs. */
const sortTests = async (here: Side, there: Side): Promise<Record<DifferenceKind, number[]>> => {
  const found = mapKinds((): number[] => []);
  await forEachTest(here, (testId, test) => {
    const now = here.rows.weight[test]!;
    const before = weightIn(there, testId);
    if (before === null) found.added.push(testId);
    if (now === weights.failed) found[before === weights.failed ? 'stillFailing' : 'newFailures'].push(testId);
    else if (before === weights.failed && now >= weights.passed) found.fixed.push(testId);
    else if (now === weights.flaky && before !== weights.flaky) found.newlyFlaky.push(testId);
  });
  await forEachTest(there, (testId) => {
    if (!here.rows.tests.rowOf.has(testId)) found.removed.push(testId);
  });
  return found;
};

const forEachTest = ({ rows }: Side, visit: (testId: number, test: number) => void): Promise<void> =>
  inPieces(rows.tests.ids.length, nextTurn, ({ from, to }) => {
    for (let test = from; test < to; test++) visit(rows.tests.ids[test]!, test);
  });

const weightIn = ({ rows }: Side, testId: number): number | null => {
  const test = rows.tests.rowOf.get(testId);
  return test === undefined ? null : rows.weight[test]!;
};

const presentResult = ({ run, results, rows }: Side, testId: number): DifferentTest['here'] => {
  const test = rows.tests.rowOf.get(testId);
  if (test === undefined) return null;
  const row = rows.row[test]!;
  const duration = results.durationMs.values[row]!;
  return {
    testCaseId: resultId(run.id, indexAt(results, row)),
    status: statusOf(results, results.status.values[row]!),
    flaky: rows.weight[test] === weights.flaky,
    duration: duration === duration ? duration : null,
  };
};

/** Tests whose durations are looked at: those that differ most, and some of all to learn what is noise. */
const MOST_JUDGED = 2_000;

interface DurationChange {
  readonly testId: number;
  readonly ratio: number;
  readonly usualMs: number;
}

const judgeDurations = async (
  { queries, segments }: Pick<Context, 'queries' | 'segments'>,
  run: ShownRun,
  here: Side,
  there: Side,
): Promise<RunDifferences['noise'] & { readonly changes: DurationChange[] }> => {
  const timed: Timed[] = [];
  await forEachTest(here, (testId) => {
    const now = passedLog(here, testId);
    const before = passedLog(there, testId);
    if (now !== null && before !== null) timed.push({ testId, now, before });
  });
  const changed = timed
    .filter(({ now, before }) => isLarge(now, before))
    .sort((a, b) => changeMs(b) - changeMs(a))
    .slice(0, MOST_JUDGED);
  const every = Math.max(1, Math.ceil(timed.length / MOST_JUDGED));
  const sample = timed.filter((_, at) => at % every === 0);
  const earlier = await listRunsBefore(queries, run, NOISE_RUNS, run.branch);
  const past = await readPast(segments, earlier, [...changed, ...sample]);
  const usual = past.map(usualOf);
  const ofSample = usual.slice(changed.length);
  const threshold = thresholdOf(past.slice(changed.length), ofSample);
  const changes = changed.flatMap(({ testId, now, before }, at): DurationChange | DurationChange[] => {
    const ofTest = usual[at];
    if (!ofTest || threshold === null) return [];
    const score = scoreOf(now, ofTest);
    if (Math.abs(score) < threshold || Math.sign(score) !== Math.sign(now - before)) return [];
    return { testId, ratio: Math.exp(now - before), usualMs: Math.exp(ofTest.median) };
  });
  const known = ofSample.filter((one) => one !== null).length;
  return { runs: earlier.length, knownShare: sample.length === 0 ? 0 : known / sample.length, threshold, changes };
};

interface Timed {
  readonly testId: number;
  /** Logarithms of milliseconds. */
  readonly now: number;
  readonly before: number;
}

const passedLog = ({ rows, results }: Side, testId: number): number | null => {
  const test = rows.tests.rowOf.get(testId);
  if (test === undefined || rows.weight[test] !== weights.passed) return null;
  const duration = results.durationMs.values[rows.row[test]!]!;
  return duration > 0 ? Math.log(duration) : null;
};

const changeMs = ({ now, before }: Timed): number => Math.abs(Math.exp(now) - Math.exp(before));

const isLarge = (now: number, before: number): boolean =>
  Math.abs(now - before) >= Math.log(LEAST_DURATION_RATIO) &&
  Math.abs(Math.exp(now) - Math.exp(before)) >= LEAST_DURATION_CHANGE_MS;

/** By test: what it took in each of the runs that it passed. */
const readPast = async (
  segments: SegmentStore,
  earlier: readonly OtherRun[],
  tests: readonly Timed[],
): Promise<PastDurations> => {
  const past = tests.map(() => new Float64Array(earlier.length).fill(NaN));
  const places = Map.groupBy(tests.keys(), (at) => tests[at]!.testId);
  for await (const { index, results } of readRuns(segments, earlier, nextTurn)) {
    if (results === null) continue;
    const { testId, status, retries, durationMs } = results;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const duration = durationMs.values[row]!;
        if (!(duration > 0) || weightOf(status.values[row]!, retries.values[row]!) !== weights.passed) continue;
        for (const at of places.get(testId.values[row]!) ?? []) past[at]![index] = Math.log(duration);
      }
    });
  }
  return past;
};
