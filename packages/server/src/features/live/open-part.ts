import type { Queries } from '../../db/database.ts';
import type { PartRow, RunRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { findPart, isOpen } from '../parts/part-rows.ts';
import { runNotFound } from '../runs/delete-run.ts';

/** A part of a run that takes more, or an error that says why there is none. */
export const getOpenPart = async (
  transaction: Queries,
  runId: number,
  partId: number,
): Promise<{ run: RunRow; part: PartRow }> => {
  const { run, part } = await getPart(transaction, runId, partId);
  if (isOpen(part)) return { run, part };
  const why = part.state === 'finished' ? 'is finished' : 'was replaced by another';
  throw new AppError('part_finished', `Part ${partId} of test run ${runId} ${why}; it takes nothing more`);
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
export const heard = (now: number) => ({ state: 'running' as const, status: 'running', heard_at: now });
