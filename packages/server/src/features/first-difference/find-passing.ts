import { MOST_COMPARED_RESULTS } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type PastPlace, PASSED, latestResults } from '../../history/latest-results.ts';
import type { HistoryOf } from '../../history/read-history.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import type { ShownRun } from '../runs/present-run.ts';
import { findHistory } from '../runs/window.ts';

/** Those that passed after the run, or on a retry, are passed over. */
const LOOKED_AT = 4 * MOST_COMPARED_RESULTS;
/** Runs before an old one that are looked through. */
const EARLIER_RUNS = 100;

/** The latest results of a test before a run that passed at once: of its branch, of the default branch, of others. */
export const findPassing = async (
  context: Context,
  project: HistoryOf,
  run: ShownRun,
  testId: number,
): Promise<PastPlace[]> => {
  const usual = await findDefaultBranch(context.queries, project.id);
  const branches = new Set([run.branch, usual, null]);
  const found = new Map<string, PastPlace>();
  for (const branch of branches) {
    for (const place of await passingOf(context, project, run, testId, branch)) {
      if (found.size < MOST_COMPARED_RESULTS) found.set(`${place.runId} ${place.index}`, place);
    }
    if (found.size === MOST_COMPARED_RESULTS) break;
  }
  return [...found.values()];
};

/** Null is every branch. */
const passingOf = async (
  context: Context,
  project: HistoryOf,
  run: ShownRun,
  testId: number,
  branch: string | null,
): Promise<PastPlace[]> => {
  const before = (places: readonly PastPlace[]): PastPlace[] =>
    places.filter(
      ({ runId, startTime, result }) => runId !== run.id && startTime <= run.start_time && result.retries === 0,
    );
  const anyDay = { branch: branch ?? undefined, sinceMs: undefined, untilMs: undefined };
  const latest = await latestResults(
    context,
    await findHistory(context.queries, project, anyDay, undefined),
    testId,
    LOOKED_AT,
    PASSED,
  );
  const passing = before(latest);
  if (passing.length >= MOST_COMPARED_RESULTS || latest.length < LOOKED_AT) return passing;
  // Many have passed since.
  const days = { ...anyDay, untilMs: run.start_time + 1 };
  const earlier = await findHistory(context.queries, project, days, EARLIER_RUNS);
  return before(await latestResults(context, earlier, testId, LOOKED_AT, PASSED));
};
