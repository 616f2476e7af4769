import type { Database, Queries } from '../../db/database.ts';
import type { PartRow, RunRow } from '../../db/tables.ts';
import type { SteppedWork } from '../../writer/command.ts';
import { listParts } from '../runs/shards.ts';
import { rewritePart } from './rewrite-part.ts';
import { assignNumber } from './run-numbering.ts';

/**
 * Compacts the blocks of a run none of whose parts is still running, and assigns its sequence number. It stops if another
 * part arrives: that part queues its own job.
 */
export async function* finalizeRun(database: Database, runId: number): SteppedWork<void> {
  const quiet = await findQuiet(database.queries, runId);
  for (const part of quiet?.parts ?? []) yield* rewritePart(database, part);
  await database.transaction(async (transaction) => {
    const still = await findQuiet(transaction, runId);
    if (still) await assignNumber(transaction, still.run);
  });
}

interface QuietRun {
  readonly run: Pick<RunRow, 'id' | 'project_id' | 'sequence'>;
  readonly parts: readonly PartRow[];
}

const findQuiet = async (queries: Queries, runId: number): Promise<QuietRun | null> => {
  const run = await queries
    .selectFrom('runs')
    .select(['id', 'project_id', 'sequence'])
    .where('id', '=', runId)
    .executeTakeFirst();
  const parts = run ? await listParts(queries, [runId]) : [];
  return run && parts.every(({ state }) => state !== 'running') ? { run, parts } : null;
};
