import type { Compilable, CompiledQuery } from 'kysely';
import type { Queries } from './database.ts';

/**
 * A query for the hot path: built and compiled once, then run with other values. The values take the places of those
 * that it was built with, in the same order.
 */
export const prepare = <R>(
  build: (queries: Queries) => Compilable<R>,
): ((transaction: Queries, values: readonly unknown[]) => Promise<R[]>) => {
  let compiled: CompiledQuery<R> | null = null;
  return async (transaction, values) => {
    compiled ??= build(transaction).compile();
    return (await transaction.executeQuery<R>({ ...compiled, parameters: values })).rows;
  };
};
