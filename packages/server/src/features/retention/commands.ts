import type { Queries } from '../../db/database.ts';
import type { ServiceEvent } from '../../events.ts';
import { stepCommand, transactionCommand } from '../../writer/command.ts';
import { type RetainSome, retainSome } from './retain-some.ts';
import { type SetRetention, setRetention } from './settings.ts';
import { recordStorage } from './storage-days.ts';

interface ClaimRetention {
  /** Only when nobody has looked runs through for so long. */
  readonly intervalMs: number;
}

/** Whoever claims it does it: of several processes one at a time. */
const claimRetention = async (transaction: Queries, { intervalMs }: ClaimRetention, now: number): Promise<boolean> => {
  const claimed = await transaction
    .updateTable('installation')
    .set({ retention_at: now })
    // One from a time ahead is from when the clock was.
    .where(({ eb, or }) =>
      or([eb('retention_at', 'is', null), eb('retention_at', '<=', now - intervalMs), eb('retention_at', '>', now)]),
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
};

export const retentionCommands = {
  setRetention: transactionCommand(
    'setRetention',
    (transaction, input: SetRetention, { now }) => setRetention(transaction, input, now),
    (_, { projectId }): ServiceEvent[] => (projectId === null ? [] : [{ type: 'project', projectId }]),
  ),
  claimRetention: transactionCommand('claimRetention', (transaction, input: ClaimRetention, { now }) =>
    claimRetention(transaction, input, now),
  ),
  retainSome: transactionCommand(
    'retainSome',
    (transaction, input: RetainSome, { now }) => retainSome(transaction, input, now),
    ({ deletedRuns, stripped }, { projectId }): ServiceEvent[] =>
      deletedRuns + stripped === 0 ? [] : [{ type: 'project', projectId }],
  ),
  /** Answers how many bytes the database gave back. */
  finishRetention: stepCommand('finishRetention', async function* ({ database, now }, _input: null) {
    await database.transaction((transaction) =>
      transaction.updateTable('installation').set({ retention_at: now }).execute(),
    );
    let freedBytes = 0;
    for (const bytes of database.reclaimSpace()) {
      freedBytes += bytes;
      yield;
    }
    return freedBytes;
  }),
  recordStorage: transactionCommand('recordStorage', (transaction, input: { readonly diskBytes: number }, { now }) =>
    recordStorage(transaction, input, now),
  ),
};
