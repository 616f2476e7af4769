import type { Database, Queries } from '../../db/database.ts';
import type { PartRow } from '../../db/tables.ts';
import type { SteppedWork } from '../../writer/command.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { getRun } from '../parts/part-rows.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { scheduleFinalizing } from '../parts/schedule-finalizing.ts';

export interface ClosedRun {
  readonly projectId: number;
  readonly testRunId: number;
}

export interface CloseOptions {
  readonly durations: PartDurations;
  readonly quietMs: number;
  readonly now: number;
}

/** Closes the parts whose senders were not heard of since a time, each run in a transaction of its own. */
export async function* timeOutParts(
  database: Database,
  lastSeenBefore: number,
  options: CloseOptions,
): SteppedWork<readonly ClosedRun[]> {
  const closed: ClosedRun[] = [];
  for (;;) {
    const run = await database.transaction((transaction) => closeOne(transaction, lastSeenBefore, options));
    if (run === null) return closed;
    closed.push(run);
    yield;
  }
}

const closeOne = async (
  transaction: Queries,
  lastSeenBefore: number,
  { durations, quietMs, now }: CloseOptions,
): Promise<ClosedRun | null> => {
  const part = await findQuietest(transaction, lastSeenBefore);
  if (!part) return null;
  await transaction
    .updateTable('parts')
    .set({ state: 'quiet', status: 'interrupted' })
    .where('run_id', '=', part.run_id)
    .where('state', '=', 'running')
    .where('heartbeat_at', '<', lastSeenBefore)
    .execute();
  const run = await getRun(transaction, part.run_id);
  const parts = await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  await scheduleFinalizing(transaction, run, parts, { quietMs, now });
  return { projectId: run.project_id, testRunId: run.id };
};

const findQuietest = (transaction: Queries, lastSeenBefore: number): Promise<Pick<PartRow, 'run_id'> | undefined> =>
  transaction
    .selectFrom('parts')
    .select('run_id')
    .where('state', '=', 'running')
    .where('heartbeat_at', '<', lastSeenBefore)
    .orderBy('heartbeat_at')
    .limit(1)
    .executeTakeFirst();
