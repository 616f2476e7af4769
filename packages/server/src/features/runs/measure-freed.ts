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

const databaseBytes = async (transaction: Queries, projectId: number): Promise<number> => {
  const figures = await transaction
    .selectFrom('storage_figures')
    .select('database_bytes')
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return figures?.database_bytes ?? 0;
};
