import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { SteppedWork } from '../../writer/command.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { measureFreed } from './measure-freed.ts';
import { removeRuns } from './remove-runs.ts';

/** What was deleted of one project or more. */
export interface RemovedRuns {
  readonly runs: number;
  /** The projects that lost some. */
  readonly projectIds: readonly number[];
  /** Given back by the database, or free for others in it. */
  readonly freedBytes: number;
  /** Unreferenced blobs; the caller deletes them. */
  readonly orphans: readonly string[];
}

export const runNotFound = (id: number): AppError => new AppError('run_not_found', `There is no test run ${id}`);

export async function* deleteRun(
  database: Database,
  runId: number,
  actor: Actor,
  now: number,
): SteppedWork<RemovedRuns> {
  const {
    value: orphans,
    projectId,
    ...removed
  } = await database.transaction(async (transaction) => {
    const run = await transaction
      .selectFrom('runs')
      .select(['id', 'project_id', 'sequence', 'result_count', 'version'])
      .where('id', '=', runId)
      .executeTakeFirst();
    if (!run) throw runNotFound(runId);
    await audit(transaction, actor, { action: 'run.delete', subject: `run ${runId}` }, now);
    const { project_id: projectId } = run;
    const freed = await measureFreed(transaction, projectId, () => removeRuns(transaction, projectId, [run], now));
    return { ...freed, projectId };
  });
  let { freedBytes } = removed;
  for (const bytes of database.reclaimSpace()) {
    freedBytes += bytes;
    yield;
  }
  return { runs: 1, projectIds: [projectId], freedBytes, orphans };
}
