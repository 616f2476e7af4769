import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export type Queries = Kysely<Tables>;

/** What the service needs of a database beyond queries. */
export interface Database {
  readonly dialect: Dialect;
  readonly queries: Queries;
  sizeOnDisk(): number;
  /** Returns free pages to the file system in small steps; yields the bytes that each step returned. */
  giveBackSpace(): Generator<number>;
  close(): Promise<void>;
}

export type Dialect = 'sqlite' | 'postgres';
