import type { Database } from '../db/database.ts';
import type { WriterMeans, WriterMemory } from './command.ts';

/** What commands use: the database, and memories that a transaction which fails rolls back. */
export const createMeans = (database: Database, { runQuietMs }: { readonly runQuietMs: number }): WriterMeans => {
  const isAlone = database.dialect === 'sqlite';
  const memories = new Map<() => WriterMemory, WriterMemory>();
  return {
    runQuietMs,
    memory<M extends WriterMemory>(create: () => M): M {
      const known = memories.get(create) as M | undefined;
      if (known) return known;
      const memory = create();
      memories.set(create, memory);
      return memory;
    },
    database: {
      ...database,
      async transaction(work, scope) {
        let tries = 0;
        try {
          const value = await database.transaction(async (transaction) => {
            if (tries++ > 0) for (const memory of memories.values()) memory.rollBack();
            return work(transaction);
          }, scope);
          for (const memory of memories.values()) memory.commit(isAlone);
          return value;
        } catch (error) {
          for (const memory of memories.values()) memory.rollBack();
          throw error;
        }
      },
    },
  };
};
