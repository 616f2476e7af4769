import type { Database } from '../../db/database.ts';
import type { SteppedWork } from '../../writer/command.ts';
import { type Actor, audit } from '../audit/audit.ts';
import type { RemovedRuns } from '../runs/delete-run.ts';
import { measureFreed } from '../runs/measure-freed.ts';
import { removeRuns } from '../runs/remove-runs.ts';
import { deleteEmptyProject } from './delete-empty-project.ts';
import { getProjectRow } from './queries.ts';

const RUNS_PER_TRANSACTION = 64;

/**
 * Deletes a project with all that it has: its newest runs first, some at a time so that submissions never wait long, then
 * what is left of it. A run that arrives meanwhile goes too; one that arrives later makes the project anew.
 */
export async function* deleteProject(
  database: Database,
  projectId: number,
  actor: Actor,
  now: number,
): SteppedWork<RemovedRuns> {
  let [runs, freedBytes] = [0, 0];
  const orphans: string[] = [];
  for (let isGone = false; !isGone;) {
    const removed = await database.transaction(async (transaction) => {
      const some = await transaction
        .selectFrom('runs')
        .select(['id', 'sequence', 'result_count', 'version'])
        .where('project_id', '=', projectId)
        .orderBy('sequence', 'desc')
        .limit(RUNS_PER_TRANSACTION)
        .execute();
      const { name } = await getProjectRow(transaction, projectId);
      const { value: unused, freedBytes } = await measureFreed(transaction, projectId, async () => {
        if (some.length > 0) return removeRuns(transaction, projectId, some, now);
        await deleteEmptyProject(transaction, projectId);
        return null;
      });
      // One entry per transaction, so that deletions are recorded even if a later transaction fails.
      const details = { projectId, runs: some.length };
      await audit(transaction, actor, { action: 'project.delete', subject: `project ${name}`, details }, now);
      return { runs: some.length, unused, freedBytes };
    });
    runs += removed.runs;
    freedBytes += removed.freedBytes;
    for (const hash of removed.unused ?? []) orphans.push(hash);
    isGone = removed.unused === null;
    yield;
  }
  for (const bytes of database.reclaimSpace()) {
    freedBytes += bytes;
    yield;
  }
  return { runs, projectIds: [projectId], freedBytes, orphans };
}
