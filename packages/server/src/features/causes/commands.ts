import { CAUSE_VERSION } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { transactionCommand } from '../../writer/command.ts';
import { newRevision } from '../projects/raise-revision.ts';
import type { BlockWithCauses, CausesFound } from './missing-causes.ts';

/**
 * Stores blocks with their causes, and from where on the rest is to be read: where a block has changed meanwhile, from
 * its run on. Returns that run.
 */
const storeCauses = async (transaction: Queries, { blocks, nextRunId }: CausesFound): Promise<number | null> => {
  const runIds = new Set<number>();
  let next = nextRunId;
  for (const block of blocks) {
    if (await replaceBlock(transaction, block)) runIds.add(block.runId);
    else next = Math.min(next ?? Infinity, block.runId);
  }
  if (runIds.size > 0) {
    const runs = await transaction
      .updateTable('runs')
      .set((row) => ({ version: row('version', '+', 1) }))
      .where('id', 'in', [...runIds])
      .returning('project_id')
      .execute();
    // Answers about them are stale, though nobody has updated them.
    for (const projectId of new Set(runs.map(({ project_id }) => project_id))) {
      await transaction.updateTable('projects').set({ revision: newRevision() }).where('id', '=', projectId).execute();
    }
  }
  await transaction.updateTable('installation').set({ cause_version: CAUSE_VERSION, cause_run_id: next }).execute();
  return next;
};

/** Whether it still was what the causes were found in. */
const replaceBlock = async (
  transaction: Queries,
  { runId, firstIndex, before, results }: BlockWithCauses,
): Promise<boolean> => {
  // Compared here, for in the database there may be a reference to what has moved.
  const found = await transaction
    .selectFrom('segments')
    .select('results')
    .where('run_id', '=', runId)
    .where('first_index', '=', firstIndex)
    .executeTakeFirst();
  if (!found || Buffer.compare(found.results, before) !== 0) return false;
  await transaction
    .updateTable('segments')
    .set({ results })
    .where('run_id', '=', runId)
    .where('first_index', '=', firstIndex)
    .execute();
  return true;
};

export const causeCommands = {
  storeCauses: transactionCommand('storeCauses', storeCauses),
};
