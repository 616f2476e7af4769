import type { Queries } from '../../db/database.ts';
import type { PartRow, RunRow } from '../../db/tables.ts';

/**
 * Queues the job that finalizes a run none of whose parts is still running: immediately if the run is complete, and after
 * the quiet period if shards are missing, because they may still arrive.
 */
export const scheduleFinalizing = async (
  transaction: Queries,
  { id: runId, project_id }: Pick<RunRow, 'id' | 'project_id'>,
  parts: readonly PartRow[],
  { quietMs, now }: { readonly quietMs: number; readonly now: number },
): Promise<void> => {
  if (parts.some(({ state }) => state === 'running')) return;
  await transaction.deleteFrom('jobs').where('run_id', '=', runId).where('kind', '=', 'finalize-run').execute();
  await transaction
    .insertInto('jobs')
    .values({
      project_id,
      kind: 'finalize-run',
      run_id: runId,
      state: 'waiting',
      attempts: 0,
      due_at: isComplete(parts) ? now : now + quietMs,
      problem: null,
    })
    .execute();
};

const isComplete = (parts: readonly PartRow[]): boolean => {
  const total = Math.max(0, ...parts.map(({ shard_total }) => shard_total ?? 0));
  return parts.filter(({ shard }) => shard > 0).length >= total;
};
