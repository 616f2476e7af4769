import type { Compilable, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

export type Queries = Kysely<Tables>;

/** What the service needs of a database. */
export interface Database {
  readonly dialect: Dialect;
  readonly queries: Queries;
  /** Commits durably when the work is done; rolls back when it throws. */
  transaction<T>(work: (transaction: Queries) => Promise<T>): Promise<T>;
  /** For the hot path. */
  prepare<R>(build: (queries: Queries) => Compilable<R>): Statement<R>;
  sizeOnDisk(): number;
  /** Returns free pages to the file system in small steps; yields the bytes that each step returned. */
  reclaimSpace(): Generator<number>;
  close(): Promise<void>;
}

/**
 * A query that was built and compiled once, to be run with other values. The values take the places of those that it
 * was built with, in the same order.
 */
export type Statement<R> = (transaction: Queries, values: readonly unknown[]) => Promise<R[]>;
