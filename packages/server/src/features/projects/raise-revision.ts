import { randomInt } from 'node:crypto';
import type { Queries } from '../../db/database.ts';

const REVISIONS = 2 ** 48 - 1;

/**
 * Names a new state of a project. It is random and no count: after a backup is restored a count would name other states
 * by the names that clients know already.
 */
export const newRevision = (): number => randomInt(1, REVISIONS);

/** Makes all answers about a project stale. */
export const raiseRevision = async (transaction: Queries, projectId: number, now: number): Promise<void> => {
  await transaction
    .updateTable('projects')
    .set({ updated_at: now, revision: newRevision() })
    .where('id', '=', projectId)
    .execute();
};
