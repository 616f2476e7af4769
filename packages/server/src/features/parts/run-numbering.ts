import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import { writeSummaries, rebuildSummaries } from '../../history/keep-summaries.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import { newRevision } from '../projects/raise-revision.ts';

/*
 * A run that may still grow is unfinalized: it has no sequence number in its project and is in no summary, so that adding a
 * part costs only that part. It is finalized when no more parts are expected, and reopened if one arrives later.
 */

type Numbered = Pick<RunRow, 'id' | 'project_id' | 'sequence'>;

/** The number of an unfinalized run; unique and negative. */
export const provisionalSequence = (runId: number): number => -runId;

export const reopenRun = async (transaction: Queries, run: Numbered): Promise<void> => {
  if (run.sequence < 0) return;
  await transaction
    .updateTable('runs')
    .set({ sequence: provisionalSequence(run.id) })
    .where('id', '=', run.id)
    .execute();
  const { next_sequence } = await transaction
    .updateTable('projects')
    .set((row) => ({ tests_epoch: row('tests_epoch', '+', 1) }))
    .where('id', '=', run.project_id)
    .returning('next_sequence')
    .executeTakeFirstOrThrow();
  await rebuildSummaries(transaction, run.project_id, [run.sequence], next_sequence, findDefaultBranch);
};

export const assignNumber = async (transaction: Queries, run: Numbered): Promise<void> => {
  if (run.sequence >= 0) return;
  const { next_sequence } = await transaction
    .updateTable('projects')
    .set((row) => ({ next_sequence: row('next_sequence', '+', 1), revision: newRevision() }))
    .where('id', '=', run.project_id)
    .returning('next_sequence')
    .executeTakeFirstOrThrow();
  const sequence = next_sequence - 1;
  await transaction.updateTable('runs').set({ sequence }).where('id', '=', run.id).execute();
  await writeSummaries(transaction, run.project_id, sequence, findDefaultBranch);
};
