import type { Database, Queries } from '../../db/database.ts';
import type { PartRow } from '../../db/tables.ts';
import type { LongWork } from '../../writer/work.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { getRun } from '../parts/part-rows.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { scheduleSettling } from '../parts/schedule-settling.ts';

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
export async function* closeQuiet(
  database: Database,
  heardBefore: number,
  options: CloseOptions,
): LongWork<readonly ClosedRun[]> {
  const closed: ClosedRun[] = [];
  for (;;) {
    const run = await database.transaction((transaction) => closeOne(transaction, heardBefore, options));
    if (run === null) return closed;
    closed.push(run);
    yield;
  }
}

const closeOne = async (
  transaction: Queries,
  heardBefore: number,
  { durations, quietMs, now }: CloseOptions,
): Promise<ClosedRun | null> => {
  const part = await findQuietest(transaction, heardBefore);
  if (!part) return null;
  await transaction
    .updateTable('parts')
    .set({ state: 'quiet', status: 'interrupted' })
    .where('run_id', '=', part.run_id)
    .where('state', '=', 'running')
    .where('heard_at', '<', heardBefore)
    .execute();
  const run = await getRun(transaction, part.run_id);
  const parts = await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  await scheduleSettling(transaction, run.id, parts, { quietMs, now });
  return { projectId: run.project_id, testRunId: run.id };
};

const findQuietest = (transaction: Queries, heardBefore: number): Promise<Pick<PartRow, 'run_id'> | undefined> =>
  transaction
    .selectFrom('parts')
    .select('run_id')
    .where('state', '=', 'running')
    .where('heard_at', '<', heardBefore)
    .orderBy('heard_at')
    .limit(1)
    .executeTakeFirst();
