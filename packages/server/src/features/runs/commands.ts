import type { Queries } from '../../db/database.ts';
import { runEvents } from '../../events.ts';
import { writeSummary } from '../../history/keep-summaries.ts';
import type { Span } from '../../history/spans.ts';
import { stepCommand, transactionCommand } from '../../writer/command.ts';
import type { Actor } from '../audit/audit.ts';
import { raiseRevision } from '../projects/raise-revision.ts';
import { deleteRun } from './delete-run.ts';
import { type PinRun, pinRun } from './pin-run.ts';

interface DeleteRun {
  readonly runId: number;
  readonly actor: Actor;
}

interface DamagedRun {
  readonly runId: number;
  readonly reason: string;
}

interface RewriteSummary {
  readonly projectId: number;
  readonly span: Span;
  readonly branch?: string | undefined;
}

const markDamaged = async (
  transaction: Queries,
  { runId, reason }: DamagedRun,
  now: number,
): Promise<number | null> => {
  const run = await transaction
    .updateTable('runs')
    .set({ damage: reason })
    .where('id', '=', runId)
    .returning('project_id')
    .executeTakeFirst();
  if (run) await raiseRevision(transaction, run.project_id, now);
  return run?.project_id ?? null;
};

export const runCommands = {
  markDamaged: transactionCommand(
    'markDamaged',
    (transaction, damaged: DamagedRun, { now }) => markDamaged(transaction, damaged, now),
    (projectId, { runId }) => (projectId === null ? [] : runEvents('changed', projectId, runId)),
  ),
  rewriteSummary: transactionCommand('rewriteSummary', (transaction, { projectId, span, branch }: RewriteSummary) =>
    writeSummary(transaction, projectId, span, branch),
  ),
  pinRun: transactionCommand(
    'pinRun',
    (transaction, input: PinRun, { now }) => pinRun(transaction, input, now),
    (projectId, { runId }) => (projectId === null ? [] : runEvents('changed', projectId, runId)),
  ),
  deleteRun: stepCommand(
    'deleteRun',
    ({ database, now }, { runId, actor }: DeleteRun) => deleteRun(database, runId, actor, now),
    ({ projectIds }, { runId }) => projectIds.flatMap((projectId) => runEvents('deleted', projectId, runId)),
  ),
};
