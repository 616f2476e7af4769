import type { Queries } from '../../db/database.ts';
import { listParts } from '../runs/shards.ts';
import { settle } from './loose-runs.ts';
import { rewritePart } from './rewrite-part.ts';

/** Gives a run of which nothing is on its way any more its number, and the blocks that it is to be read from. */
export const settleRun = async (transaction: Queries, runId: number): Promise<void> => {
  const run = await transaction
    .selectFrom('runs')
    .select(['id', 'project_id', 'sequence'])
    .where('id', '=', runId)
    .executeTakeFirst();
  if (!run) return;
  const parts = await listParts(transaction, [runId]);
  if (parts.some(({ state }) => state === 'running')) return;
  for (const part of parts) await rewritePart(transaction, part);
  await settle(transaction, run);
};
