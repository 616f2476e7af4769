import type { Queries } from '../../db/database.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { raiseRevision } from '../projects/raise-revision.ts';
import { runNotFound } from './delete-run.ts';

export interface PinRun {
  readonly runId: number;
  readonly pinned: boolean;
  readonly actor: Actor;
}

/** Returns the project of the run; null when it was so already. */
export const pinRun = async (
  transaction: Queries,
  { runId, pinned, actor }: PinRun,
  now: number,
): Promise<number | null> => {
  const run = await transaction
    .selectFrom('runs')
    .select(['project_id', 'pinned_at'])
    .where('id', '=', runId)
    .executeTakeFirst();
  if (!run) throw runNotFound(runId);
  if (pinned === (run.pinned_at !== null)) return null;
  await transaction
    .updateTable('runs')
    .set({ pinned_at: pinned ? now : null })
    .where('id', '=', runId)
    .execute();
  await raiseRevision(transaction, run.project_id, now);
  await audit(transaction, actor, { action: pinned ? 'run.pin' : 'run.unpin', subject: `run ${runId}` }, now);
  return run.project_id;
};
