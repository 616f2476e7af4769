import type { Queries } from '../../db/database.ts';

/** Makes all answers about a project stale. */
export const raiseRevision = async (transaction: Queries, projectId: number, now: number): Promise<void> => {
  await transaction
    .updateTable('projects')
    .set(({ eb }) => ({ updated_at: now, revision: eb('revision', '+', 1) }))
    .where('id', '=', projectId)
    .execute();
};
