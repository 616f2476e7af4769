import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';

const IDS_AT_ONCE = 10_000;

export interface ScanLimits {
  /** As many as are asked for. */
  readonly most: number;
  /** A search that finds nothing ends here, however much is stored. */
  readonly mostSearched: number;
}

export interface Scanned<T> {
  readonly found: readonly T[];
  /** How many of the newest were searched when older ones might match too; null when none was left out. */
  readonly searchedNewest: number | null;
}

/** Goes through ids from the newest on until enough is found. */
export const scanNewest = async <T>(
  queries: Queries,
  table: 'runs' | 'tests' | 'clusters',
  { most, mostSearched }: ScanLimits,
  find: (from: number, to: number) => Promise<T[]>,
): Promise<Scanned<T>> => {
  const { first, last } = await queries
    .selectFrom(table)
    .select([sql<number>`coalesce(min(id), 1)`.as('first'), sql<number>`coalesce(max(id), 0)`.as('last')])
    .executeTakeFirstOrThrow();
  const found: T[] = [];
  const end = Math.max(first, last + 1 - mostSearched);
  for (let to = last + 1; to > end && found.length < most; to -= IDS_AT_ONCE) {
    found.push(...(await find(Math.max(end, to - IDS_AT_ONCE), to)));
    // Other requests have their turn.
    await setImmediate();
  }
  const isCut = end > first && found.length < most;
  return { found: found.slice(0, most), searchedNewest: isCut ? mostSearched : null };
};
