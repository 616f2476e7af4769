import type { Queries } from '../../db/database.ts';
import type { PartRow, RunRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { findPart, isOpen } from '../parts/part-rows.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { reopenRun } from '../parts/run-numbering.ts';
import { runNotFound } from '../runs/delete-run.ts';

/** A part of a run that takes more, or an error that says why there is none. */
export const getOpenPart = async (
  transaction: Queries,
  runId: number,
  partId: number,
): Promise<{ run: RunRow; part: PartRow }> => {
  const found = await getPart(transaction, runId, partId);
  requireOpen(found.part);
  return found;
};

/** Throws when a part takes nothing more. */
export const requireOpen = (part: PartRow): void => {
  if (isOpen(part)) return;
  const why = part.state === 'finished' ? 'is finished' : 'was replaced by that of another sender';
  throw new AppError('part_finished', `Part ${part.id} of test run ${part.run_id} ${why}; it takes nothing more`);
};

export const getPart = async (
  transaction: Queries,
  runId: number,
  partId: number,
): Promise<{ run: RunRow; part: PartRow }> => {
  const run = await transaction.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirst();
  if (!run) throw runNotFound(runId);
  const part = await findPart(transaction, partId);
  if (part?.run_id !== runId) throw new AppError('part_not_found', `Test run ${runId} has no part ${partId}`);
  return { run, part };
};

/** What is set of a part whose sender was heard of. */
export const heartbeatColumns = (now: number) => ({ state: 'running' as const, status: 'running', heartbeat_at: now });

/** Notes that the sender of an open part is there; whether that opened it again. */
export const recordHeartbeat = async (
  transaction: Queries,
  { run, part }: { readonly run: RunRow; readonly part: PartRow },
  { durations, now }: { readonly durations: PartDurations; readonly now: number },
): Promise<boolean> => {
  await transaction.updateTable('parts').set(heartbeatColumns(now)).where('id', '=', part.id).execute();
  if (part.state === 'running') return false;
  await reopenRun(transaction, run);
  await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  return true;
};

export interface TouchedPart {
  readonly projectId: number;
  /** Whether that opened it again. */
  readonly changed: boolean;
}

/** Notes that something is on its way to a part, or throws when it takes nothing more. */
export const touchPart = async (
  transaction: Queries,
  { runId, partId }: { readonly runId: number; readonly partId: number },
  options: { readonly durations: PartDurations; readonly now: number },
): Promise<TouchedPart> => {
  const open = await getOpenPart(transaction, runId, partId);
  return { projectId: open.run.project_id, changed: await recordHeartbeat(transaction, open, options) };
};
