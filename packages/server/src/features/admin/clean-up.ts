import { formatTime } from '@assay/contract';
import type { Database, Queries } from '../../db/database.ts';
import type { SteppedWork } from '../../writer/command.ts';
import { type Actor, audit } from '../audit/audit.ts';
import type { RemovedRuns } from '../runs/delete-run.ts';
import { measureFreed } from '../runs/measure-freed.ts';
import { type RemovableRun, removeRuns } from '../runs/remove-runs.ts';

const RUNS_PER_TRANSACTION = 64;

/** Deletes the runs that started before a time, oldest first, some at a time so that submissions never wait long. */
export async function* cleanUp(
  database: Database,
  startedBefore: number,
  actor: Actor,
  now: number,
): SteppedWork<RemovedRuns> {
  // One audit entry per transaction, so that deletions are recorded even if a later transaction fails.
  const tell = (transaction: Queries, count: number): Promise<number> => {
    const details = { startedBefore: formatTime(startedBefore), runs: count };
    return audit(transaction, actor, { action: 'runs.clean-up', subject: `${count} runs`, details }, now);
  };
  let [runs, freedBytes] = [0, 0];
  const projectIds = new Set<number>();
  const orphans: string[] = [];
  for (;;) {
    const removed = await database.transaction(async (transaction) => {
      const batch = await oldestRuns(transaction, startedBefore);
      if (batch === null) return null;
      const { value: unused, freedBytes } = await measureFreed(transaction, batch.projectId, () =>
        removeRuns(transaction, batch.projectId, batch.runs, now),
      );
      await tell(transaction, batch.runs.length);
      return { runs: batch.runs.length, projectId: batch.projectId, unused, freedBytes };
    });
    if (removed === null) break;
    runs += removed.runs;
    freedBytes += removed.freedBytes;
    projectIds.add(removed.projectId);
    for (const hash of removed.unused) orphans.push(hash);
    yield;
  }
  for (const bytes of database.reclaimSpace()) {
    freedBytes += bytes;
    yield;
  }
  return { runs, projectIds: [...projectIds], freedBytes, orphans };
}

const oldestRuns = async (
  transaction: Queries,
  startedBefore: number,
): Promise<{ projectId: number; runs: RemovableRun[] } | null> => {
  const oldest = await transaction
    .selectFrom('runs')
    .select('project_id')
    .where('start_time', '<', startedBefore)
    .orderBy('start_time')
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return null;
  const runs = await transaction
    .selectFrom('runs')
    .select(['id', 'sequence', 'result_count', 'version'])
    .where('project_id', '=', oldest.project_id)
    .where('start_time', '<', startedBefore)
    .orderBy('start_time')
    .limit(RUNS_PER_TRANSACTION)
    .execute();
  return { projectId: oldest.project_id, runs };
};
