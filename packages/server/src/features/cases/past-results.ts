import { type PastResult, formatTime, isFlaky, resultId } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import type { PastPlace } from '../../history/latest-results.ts';
import { readNotRun } from './not-run.ts';

const RUNS_PER_QUERY = 500;

export const presentPastResults = async (queries: Queries, places: readonly PastPlace[]): Promise<PastResult[]> => {
  const runIds = [...new Set(places.map((place) => place.runId))];
  if (runIds.length === 0) return [];
  const runs = new Map<number, Pick<RunRow, 'branch' | 'commit_hash'>>();
  for (let start = 0; start < runIds.length; start += RUNS_PER_QUERY) {
    const rows = await queries
      .selectFrom('runs')
      .select(['id', 'branch', 'commit_hash'])
      .where('id', 'in', runIds.slice(start, start + RUNS_PER_QUERY))
      .execute();
    for (const run of rows) runs.set(run.id, run);
  }
  return places.map((place) => presentPast(place, runs.get(place.runId)));
};

const presentPast = (
  { runId, index, startTime, result }: PastPlace,
  run: Pick<RunRow, 'branch' | 'commit_hash'> | undefined,
): PastResult => {
  const { status, durationMs, retries, error } = result;
  const notRun = readNotRun(result.notRun);
  return {
    id: resultId(runId, index),
    testRunId: runId,
    startTime: formatTime(startTime),
    status,
    duration: durationMs,
    retries,
    flaky: isFlaky(status, retries),
    error,
    ...(notRun === null ? {} : { notRun }),
    branch: run?.branch ?? null,
    commit: run?.commit_hash ?? null,
  };
};
