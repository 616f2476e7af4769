import type { Queries } from '../../db/database.ts';
import { runEvents } from '../../events.ts';
import { rebuildSummaries, writeSummary } from '../../history/keep-summaries.ts';
import type { Span } from '../../history/spans.ts';
import { stepCommand, transactionCommand } from '../../writer/command.ts';
import type { Actor } from '../audit/audit.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import { newRevision, raiseRevision } from '../projects/raise-revision.ts';
import { deleteRun } from './delete-run.ts';
import { type PinRun, pinRun } from './pin-run.ts';

interface DeleteRun {
  readonly runId: number;
  readonly actor: Actor;
}

interface OfRun {
  readonly runId: number;
}

interface DamagedRun extends OfRun {
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

/** Takes the mark off a run that can be read again. What was made without it is made anew. */
const unmarkDamaged = async (transaction: Queries, { runId }: OfRun, now: number): Promise<number | null> => {
  const run = await transaction
    .updateTable('runs')
    .set((row) => ({ damage: null, version: row('version', '+', 1) }))
    .where('id', '=', runId)
    .where('damage', 'is not', null)
    .returning(['project_id', 'sequence'])
    .executeTakeFirst();
  if (!run) return null;
  const { next_sequence } = await transaction
    .updateTable('projects')
    .set((row) => ({ updated_at: now, revision: newRevision(), tests_epoch: row('tests_epoch', '+', 1) }))
    .where('id', '=', run.project_id)
    .returning('next_sequence')
    .executeTakeFirstOrThrow();
  const numbers = run.sequence < 0 ? [] : [run.sequence];
  await rebuildSummaries(transaction, run.project_id, numbers, next_sequence, findDefaultBranch);
  return run.project_id;
};

export const runCommands = {
  unmarkDamaged: transactionCommand(
    'unmarkDamaged',
    (transaction, run: OfRun, { now }) => unmarkDamaged(transaction, run, now),
    (projectId, { runId }) => (projectId === null ? [] : runEvents('changed', projectId, runId)),
  ),
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
