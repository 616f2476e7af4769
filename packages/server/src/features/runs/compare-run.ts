import {
  COMPARED_RUNS,
  type FailedTest,
  type FixedTest,
  LONGEST_COMPARED_ERROR,
  type OnDefault,
  type RunComparison,
  USUAL_DURATION_RUNS,
  resultId,
} from '@assay/contract';
import type { Context } from '../../context.ts';
import { cutText } from '../../cut-text.ts';
import type { Queries } from '../../db/database.ts';
import { readRuns } from '../../history/read-runs.ts';
import type { CataloguedTest, TestCatalogue } from '../../history/test-catalogue.ts';
import { writeWithLists } from '../../http/json-pieces.ts';
import { weights } from '../../segments/letters.ts';
import { type Results, resultAt } from '../../segments/results.ts';
import { indexAt } from '../../segments/row-indices.ts';
import type { ReadableRun, SegmentStore } from '../../segments/store.ts';
import { nextTurn } from '../../turns.ts';
import { defaultBranchesOf } from '../projects/default-branch.ts';
import { type Baseline, findBaseline } from './baseline.ts';
import { type FailureRows, addEarlierRun, startFailureRows } from './failure-rows.ts';
import { findRunAfter, listRunsBefore } from './neighbours.ts';
import type { ShownRun } from './present-run.ts';
import { type RunRefRow, presentRunOfResult, presentRunRef } from './run-refs.ts';

const TESTS_PER_PIECE = 100;

export type EarlierRun = RunRefRow & ReadableRun;

/** Writes the JSON of a comparison, some tests at a time: a run may fail in all of its many tests. */
export async function* writeComparison(
  { queries, segments, tests }: Context,
  run: ShownRun,
  results: Results,
): AsyncGenerator<string> {
  const [previous] = await listRunsBefore(queries, run, 1);
  const baseline = await findBaseline(queries, run);
  const found = await listComparedRuns(queries, run, baseline);
  const earlier = found.slice(0, COMPARED_RUNS);
  const next = await findRunAfter(queries, run);
  const rows = await startFailureRows(results);
  let counts = { sharedTests: 0, addedTests: 0, removedTests: 0 };
  let inOldest: Uint8Array = new Uint8Array(rows.tests.ids.length);
  for await (const { index, results: past } of readRuns(segments, earlier, nextTurn)) {
    if (past === null) continue;
    inOldest = (await addEarlierRun(rows, index, past)).weight;
    if (index === 0) counts = countChanges(rows, inOldest, past);
    if (rows.open === 0) break;
  }
  const goesFurther = (test: number): boolean =>
    found.length > COMPARED_RUNS && rows.ended[test] === 0 && inOldest[test] !== weights.notRun;

  const failed: number[] = [];
  for (let test = 0; test < rows.tests.ids.length; test++) if (rows.weight[test] === weights.failed) failed.push(test);
  const fixed = fixedIn(rows);
  const onDefault = baseline && { ...baseline, rows: await startFailureRows(results), newest: null };
  const compared = onDefault && (await compareWithDefault(segments, onDefault));
  const fixedHere = compared ? fixedIn(compared.rows) : [];
  const subject: Subject = { run, results, rows, earlier, compared };
  const head: Omit<RunComparison, 'failures' | 'fixed' | 'fixedHere'> = {
    previousRun: previous ? presentRunRef(previous) : null,
    nextRun: next ? presentRunRef(next) : null,
    comparedWith: earlier[0] ? presentRunRef(earlier[0]) : null,
    defaultRun: baseline ? presentRunRef(baseline.runs[0]!) : null,
    defaultRunBy: baseline?.by ?? null,
    usualDuration: usualDuration(earlier),
    ...counts,
  };
  yield* writeWithLists(head, {
    failures: writeTests(tests, rows, failed, (test, name) => presentFailed(subject, test, name, goesFurther(test))),
    fixed: writeTests(tests, rows, fixed, (test, name) => presentFixed(subject, test, name)),
    fixedHere: writeTests(tests, rows, fixedHere, (test, name) =>
      presentFixed({ ...subject, rows: compared!.rows, earlier: compared!.runs }, test, name),
    ),
  });
}

/** Tests that passed in the run and failed the last time before. */
const fixedIn = (rows: FailureRows): number[] => {
  const fixed: number[] = [];
  for (let test = 0; test < rows.tests.ids.length; test++) {
    const weight = rows.weight[test]!;
    if ((weight === weights.passed || weight === weights.flaky) && rows.failedRuns[test]! > 0) fixed.push(test);
  }
  return fixed;
};

interface Compared extends Baseline {
  readonly rows: FailureRows;
  /** By test: what happened to it in the newest of the runs. */
  readonly newest: Uint8Array | null;
}

const compareWithDefault = async (segments: SegmentStore, baseline: Compared): Promise<Compared> => {
  let { newest } = baseline;
  for await (const { index, results } of readRuns(segments, baseline.runs, nextTurn)) {
    if (results === null) continue;
    const { weight } = await addEarlierRun(baseline.rows, index, results);
    if (index === 0) newest = weight;
    if (baseline.rows.open === 0) break;
  }
  return { ...baseline, newest };
};

const presentOnDefault = ({ rows, runs, newest }: Compared, test: number): OnDefault => {
  const weight = newest?.[test] ?? weights.notRun;
  const outcome =
    weight === weights.failed
      ? 'failed'
      : weight === weights.passed || weight === weights.flaky
        ? 'passed'
        : weight === weights.notRun
          ? 'notRun'
          : 'other';
  const since = outcome === 'failed' ? runs[rows.oldestFailed[test]!] : undefined;
  return { outcome, failingSince: since ? presentRunRef(since) : null };
};

interface Subject {
  readonly run: ShownRun;
  readonly results: Results;
  readonly rows: FailureRows;
  readonly earlier: readonly EarlierRun[];
  readonly compared: Compared | null;
}

/** Those of its own branch before it; for the first run of a branch, those of its base or the default branch, or of none. */
export const listComparedRuns = async (
  queries: Queries,
  run: ShownRun,
  baseline: Baseline | null,
): Promise<readonly EarlierRun[]> => {
  const defaultBranch = (await defaultBranchesOf(queries, [run.project_id])).get(run.project_id) ?? null;
  for (const branch of new Set([run.branch, defaultBranch, null])) {
    const runs = await listRunsBefore(queries, run, COMPARED_RUNS + 1, branch);
    if (runs.length > 0) return runs;
    if (branch === run.branch && baseline?.by === 'commit') return baseline.runs;
  }
  return [];
};

const countChanges = (
  rows: FailureRows,
  inEarlier: Uint8Array,
  { testId }: Results,
): Pick<RunComparison, 'sharedTests' | 'addedTests' | 'removedTests'> => {
  let addedTests = 0;
  for (const weight of inEarlier) if (weight === weights.notRun) addedTests++;
  const removed = new Set<number>();
  for (const id of testId.values) if (!rows.tests.rowOf.has(id)) removed.add(id);
  return { sharedTests: inEarlier.length - addedTests, addedTests, removedTests: removed.size };
};

/** The middle one, or the mean of the two in the middle. */
const usualDuration = (before: readonly RunRefRow[]): number | null => {
  const durations = before.flatMap(({ duration }) => duration ?? []).slice(0, USUAL_DURATION_RUNS);
  const sorted = durations.sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle - 0.5)]! + sorted[Math.floor(middle)]!) / 2;
};

const presentTest = ({ run, results, rows }: Subject, test: number, name: CataloguedTest | undefined) => {
  const testId = rows.tests.ids[test]!;
  return {
    testCaseId: resultId(run.id, indexAt(results, rows.row[test]!)),
    testId,
    title: name?.title ?? 'unknown',
    filePath: name?.file ?? 'unknown',
    browser: name?.browser ?? null,
  };
};

const presentFailed = (
  subject: Subject,
  test: number,
  name: CataloguedTest | undefined,
  sinceBeyond: boolean,
): FailedTest => {
  const { rows, results, earlier, run } = subject;
  const { status, error } = resultAt(results, rows.row[test]!);
  return {
    ...presentTest(subject, test, name),
    status,
    error: error === null ? null : cutText(error, LONGEST_COMPARED_ERROR),
    isNew: rows.failedRuns[test] === 0,
    ranBefore: rows.seen[test] === 1,
    failingSince: presentRunRef(earlier[rows.oldestFailed[test]!] ?? run),
    failedRuns: rows.failedRuns[test]! + 1,
    sinceBeyond,
    onDefault: subject.compared && presentOnDefault(subject.compared, test),
  };
};

const presentFixed = (subject: Subject, test: number, name: CataloguedTest | undefined): FixedTest => {
  const { rows, earlier } = subject;
  return {
    ...presentTest(subject, test, name),
    lastFailed: presentRunOfResult(earlier[rows.newestFailed[test]!]!, rows.newestFailedIndex[test]!),
    failedRuns: rows.failedRuns[test]!,
  };
};

async function* writeTests(
  catalogue: TestCatalogue,
  rows: FailureRows,
  tests: readonly number[],
  present: (test: number, name: CataloguedTest | undefined) => object,
): AsyncGenerator<string> {
  for (let start = 0; start < tests.length; start += TESTS_PER_PIECE) {
    const piece = tests.slice(start, start + TESTS_PER_PIECE);
    const names = await catalogue.findEach(piece.map((test) => rows.tests.ids[test]!));
    yield JSON.stringify(piece.map((test, at) => present(test, names[at])));
  }
}
