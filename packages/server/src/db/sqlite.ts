import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type Compilable, Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { AppError } from '../errors.ts';
import type { Database, Queries, Statement } from './database.ts';
import { watchInPlace } from './in-place.ts';
import { type ReadMoved, fillMoved } from './moved-values.ts';
import type { Tables } from './tables.ts';

const BUSY_TIMEOUT_MS = 10_000;
const CACHE_KIB = 8 * 1024;
const WAL_LIMIT_BYTES = 16 * 1024 * 1024;
const VACUUM_PAGES_PER_STEP = 512;
const SQLITE_FULL = 13;
const MAX_PREPARED_STATEMENTS = 200;

export interface SqliteOptions {
  readonly file: string;
  readonly access: 'read' | 'write';
  /** Reads what has moved to the file store; without it, columns have references to it. */
  readonly readMoved?: ReadMoved;
}

const isNew = (connection: DatabaseSync): boolean => connection.prepare('PRAGMA page_count').get()!['page_count'] === 0;

export const openSqlite = ({ file, access, readMoved }: SqliteOptions): Database => {
  const connection = new DatabaseSync(file, { readOnly: access === 'read', timeout: BUSY_TIMEOUT_MS });
  if (access === 'write') {
    // Must come before the first table: it cannot be changed later without rewriting the file. On one that has tables it
    // would wait for whoever writes.
    if (isNew(connection)) connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
    connection.exec('PRAGMA journal_mode = WAL');
    connection.exec('PRAGMA synchronous = FULL');
    connection.exec('PRAGMA foreign_keys = ON');
    connection.exec(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
  }
  connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  const isInPlace = watchInPlace(file);
  const requireInPlace = (): void => {
    if (!isInPlace()) throw new AppError('unavailable', 'The database of the service was removed or replaced');
  };
  const queries = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: forKysely(connection) }),
    plugins: readMoved ? [fillMoved(readMoved)] : [],
  });
  return {
    dialect: 'sqlite',
    queries,
    // There is one connection, so whatever runs between these two statements is in the transaction.
    async transaction(work) {
      requireInPlace();
      connection.exec('BEGIN IMMEDIATE');
      try {
        const value = await work(queries);
        connection.exec('COMMIT');
        // What went into a file that nobody can open any more must not be acknowledged.
        requireInPlace();
        return value;
      } catch (error) {
        if (connection.isTransaction) connection.exec('ROLLBACK');
        throw error;
      }
    },
    prepare<R>(build: (queries: Queries) => Compilable<R>): Statement<R> {
      const statement = connection.prepare(build(queries).compile().sql);
      return async (_transaction, values) => statement.all(...(values as SQLInputValue[])) as R[];
    },
    sizeOnDisk: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    reclaimSpace: () => reclaimSpace(connection, file),
    close: async () => {
      await queries.destroy();
    },
  };
};

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function* reclaimSpace(connection: DatabaseSync, file: string): Generator<number> {
  const freePages = () => Number(connection.prepare('PRAGMA freelist_count').get()?.['freelist_count'] ?? 0);
  let pages = VACUUM_PAGES_PER_STEP;
  for (let free = freePages(); free > 0;) {
    const before = sizeOf(file);
    // Each row that the pragma yields is one page moved: it works only as far as it is read.
    const moved = unlessFull(() => connection.prepare(`PRAGMA incremental_vacuum(${pages})`).all());
    if (!moved) {
      // On a full disk the log has room for fewer pages. What cannot be given back is used again by later runs.
      if (pages === 1) return;
      pages = Math.ceil(pages / 8);
    }
    unlessFull(() => connection.exec('PRAGMA wal_checkpoint(PASSIVE)'));
    yield Math.max(0, before - sizeOf(file));
    const left = freePages();
    if (moved && left >= free) break;
    free = left;
  }
  const before = sizeOf(file);
  unlessFull(() => connection.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  yield Math.max(0, before - sizeOf(file));
}

const unlessFull = (work: () => unknown): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_FULL) throw error;
    return false;
  }
};

/** The part of better-sqlite3's interface that Kysely's dialect uses, over node:sqlite, with prepared statements kept. */
const forKysely = (connection: DatabaseSync): SqliteDatabase => {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => connection.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      if (prepared.size >= MAX_PREPARED_STATEMENTS) prepared.delete(prepared.keys().next().value!);
      const statement = asKyselyStatement(connection.prepare(sql));
      prepared.set(sql, statement);
      return statement;
    },
  };
};

const asKyselyStatement = (statement: StatementSync): SqliteStatement => ({
  reader: statement.columns().length > 0,
  all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
  run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
  iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
});
