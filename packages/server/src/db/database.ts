import type { Compilable, Kysely } from 'kysely';
import type { S3Location } from '../blobs/s3-location.ts';
import type { Tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

export type Queries = Kysely<Tables>;

/**
 * Where a database is: a file of SQLite, or a PostgreSQL server; and where the files are that old blocks have moved to.
 * Without these, columns have their references.
 */
export type DatabaseAddress = ({ readonly file: string } | { readonly url: string }) & {
  readonly files?: FilesAddress;
};

export type FilesAddress = { readonly folder: string } | { readonly s3: S3Location };

/** What the service needs of a database. */
export interface Database {
  readonly dialect: Dialect;
  readonly queries: Queries;
  /**
   * Commits durably when the work is done; rolls back when it throws. Work that changes nothing outside of the projects
   * it names may run beside that of other projects; any other runs alone, in all processes that share the database. It
   * may be done more than once, when the database refused it for what others did meanwhile.
   */
  transaction<T>(work: (transaction: Queries) => Promise<T>, scope?: TransactionScope): Promise<T>;
  /** For the hot path. */
  prepare<R>(build: (queries: Queries) => Compilable<R>): Statement<R>;
  sizeOnDisk(): Promise<number>;
  /** Returns free pages to the file system in small steps; yields the bytes that each step returned. */
  reclaimSpace(): Generator<number>;
  close(): Promise<void>;
}

export interface TransactionScope {
  /** Names of the projects that it changes. */
  readonly projects: readonly string[];
}

/**
 * A query that was built and compiled once, to be run with other values. The values take the places of those that it
 * was built with, in the same order.
 */
export type Statement<R> = (transaction: Queries, values: readonly unknown[]) => Promise<R[]>;
