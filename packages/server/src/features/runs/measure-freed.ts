import { PostgresAdapter } from 'kysely';
import type { Queries } from '../../db/database.ts';

export interface Freed<T> {
  readonly value: T;
  readonly freedBytes: number;
}

/**
 * By how much less a project stores after something was deleted, in a database that keeps the room for others; 0 in one that
 * gives it back, and tells how much that was.
 */
export const measureFreed = async <T>(
  transaction: Queries,
  projectId: number,
  work: () => Promise<T>,
): Promise<Freed<T>> => {
  if (!(transaction.getExecutor().adapter instanceof PostgresAdapter)) return { value: await work(), freedBytes: 0 };
  const before = await databaseBytes(transaction, projectId);
  const value = await work();
  return { value, freedBytes: Math.max(0, before - (await databaseBytes(transaction, projectId))) };
};

/** Without what has moved to the file store: that is told with the other files. */
const databaseBytes = async (transaction: Queries, projectId: number): Promise<number> => {
  const figures = await transaction
    .selectFrom('storage_figures')
    .select('database_bytes')
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  const moved = await transaction
    .selectFrom('moved_runs')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return (figures?.database_bytes ?? 0) - (moved.bytes ?? 0);
};
