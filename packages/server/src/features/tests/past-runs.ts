import { MOST_SINCE_RESULTS, type RunOfResult, isFlaky, outcomeOf } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import { type PastPlace, latestResults } from '../../history/latest-results.ts';
import type { HistoryOf } from '../../history/read-history.ts';
import { readRuns } from '../../history/read-runs.ts';
import { resultAt } from '../../segments/results.ts';
import { indexAt } from '../../segments/row-indices.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import { findOutages } from '../runs/outages.ts';
import { RECENT_RUN_COLUMNS, type RecentRun, presentRunOfResult } from '../runs/run-refs.ts';

/** What one run says of a test. */
export interface PastRun {
  readonly run: RecentRun;
  readonly index: number;
  readonly commit: string | null;
  readonly startTime: number;
  readonly outcome: 'passed' | 'flaky' | 'failed';
  readonly durationMs: number | null;
}

/** The latest results of a test on a branch, oldest first: see the endpoint for which. */
export const readPastRuns = async (
  context: Context,
  project: HistoryOf,
  id: number,
  asked: string | undefined,
): Promise<{ branch: string | null; runs: PastRun[] }> => {
  const { queries } = context;
  const usual = await findDefaultBranch(queries, project.id);
  const on = async (branch: string | null): Promise<PastRun[]> => {
    const of = branch === null ? project : { ...project, line: { branch, isSummarised: branch === usual } };
    return readRunsOf(queries, await latestResults(context, of, id, MOST_SINCE_RESULTS));
  };
  const runs = await on(asked ?? usual);
  if (asked !== undefined || usual === null || runs.length > 0) return { branch: asked ?? usual, runs };
  const [last] = await readRunsOf(queries, await latestResults(context, project, id, 1));
  const branch = last?.run.branch ?? usual;
  return { branch, runs: await on(branch) };
};

/** Oldest first; of a test that is in a run several times its worst result. */
const readRunsOf = async (queries: Queries, found: readonly PastPlace[]): Promise<PastRun[]> => {
  const rows = await queries
    .selectFrom('runs')
    .select(RECENT_RUN_COLUMNS)
    .where('id', 'in', [...new Set(found.map(({ runId }) => runId))])
    .execute();
  const runOf = new Map(rows.map((run) => [run.id, run]));
  const worst = new Map<number, PastRun>();
  for (const { runId, index, startTime, result } of found) {
    const run = runOf.get(runId);
    const outcome = saysOf(result);
    if (!run || outcome === null) continue;
    const known = worst.get(runId);
    if (known && WORSE.indexOf(known.outcome) >= WORSE.indexOf(outcome)) continue;
    worst.set(runId, { run, index, startTime, outcome, commit: run.commit_hash, durationMs: result.durationMs });
  }
  return [...worst.values()].sort((a, b) => a.startTime - b.startTime || a.run.id - b.run.id);
};

/** The same of some tests in some runs, oldest first, all read at once. */
export const collectPastRuns = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, readonly PastRun[]>> => {
  const found = new Map(Array.from(ids, (id) => [id, [] as PastRun[]]));
  for await (const { run, results } of readRuns(segments, runs, nextTurn)) {
    if (results === null) continue;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const ofTest = found.get(results.testId.values[row]!);
        if (!ofTest) continue;
        const result = resultAt(results, row);
        const outcome = saysOf(result);
        const known = ofTest.at(-1)?.run === run ? ofTest.at(-1)! : null;
        if (outcome === null || (known && WORSE.indexOf(known.outcome) > WORSE.indexOf(outcome))) continue;
        if (known) ofTest.pop();
        const { start_time: startTime, commit_hash: commit } = run;
        ofTest.push({ run, index: indexAt(results, row), startTime, commit, outcome, durationMs: result.durationMs });
      }
    });
  }
  return found;
};

const WORSE = ['passed', 'flaky', 'failed'];

/** Null of what says nothing: a test that was skipped, or that somebody interrupted. */
const saysOf = ({ status, retries }: PastPlace['result']): PastRun['outcome'] | null => {
  if (status === 'interrupted') return null;
  if (isFlaky(status, retries)) return 'flaky';
  const outcome = outcomeOf(status);
  return outcome === 'passed' || outcome === 'failed' ? outcome : null;
};

/** Failures of runs in which far more failed than usual say nothing of a test that passed after them. */
export const leaveOutages = (runs: readonly PastRun[]): { runs: PastRun[]; outages: RecentRun[] } => {
  const outages = new Set(findOutages(runs.map(({ run }) => run)).map(({ id }) => id));
  const left = runs.filter(({ run, outcome }, at) => {
    if (outcome === 'passed' || !outages.has(run.id)) return false;
    return runs.slice(at + 1).find((next) => !outages.has(next.run.id))?.outcome === 'passed';
  });
  return { runs: runs.filter((run) => !left.includes(run)), outages: left.map(({ run }) => run) };
};

export const countsOf = (runs: readonly PastRun[]) => {
  const counts = { passed: 0, flaky: 0, failed: 0 };
  for (const { outcome } of runs) counts[outcome]++;
  return counts;
};

export const presentRun = ({ run, index }: PastRun): RunOfResult => presentRunOfResult(run, index);
