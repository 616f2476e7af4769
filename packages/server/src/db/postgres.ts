import { setTimeout as delay } from 'node:timers/promises';
import {
  type Compilable,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely';
import pg from 'pg';
import type { Database, Queries, Statement, TransactionScope } from './database.ts';
import { type ReadMoved, fillMoved } from './moved-values.ts';
import { explainError, isConnectionLost, isPlanOutdated, mayBeTriedAgain } from './postgres-errors.ts';
import { likeSqlite } from './postgres-plugin.ts';
import { fromPostgresText, toPostgresText } from './postgres-text.ts';
import { createStatementNames } from './statement-names.ts';
import type { Tables } from './tables.ts';

const READ_CONNECTIONS = 8;
/** One does the work; others are for what is looked up beside it. */
const WRITE_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Of a process that hangs, or whose machine is gone: its locks hold up everybody. */
const IDLE_IN_TRANSACTION_MS = 60_000;
const MOST_TRIES = 5;
const TRY_AGAIN_MS = 20;
const LOOK_UP_MS = 250;
const LOOK_UPS = 40;
/** The server asks every file of the database for its size, which takes longer than all else that goes with it. */
const SIZE_KNOWN_MS = 5_000;
/** Chosen at random once: advisory locks of others in the same database have other numbers. */
const LOCK_OF_ALL = 1_096_040_257;
const LOCK_OF_PROJECTS = 1_096_040_258;

export interface PostgresOptions {
  readonly url: string;
  readonly access: 'read' | 'write';
  /** Reads what has moved to the file store; without it, columns have references to it. */
  readonly readMoved?: ReadMoved;
}

export const openPostgres = ({ url, access, readMoved }: PostgresOptions): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max: access === 'read' ? READ_CONNECTIONS : WRITE_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    application_name: 'assay',
    types: { getTypeParser },
    ...(access === 'read' ? { options: '-c default_transaction_read_only=on' } : {}),
  });
  // An idle connection that breaks is replaced when the next is needed.
  pool.on('error', () => undefined);
  const queries = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: asKyselyPool(pool, access) }),
    // SQLite knows lists without entries.
    plugins: [
      likeSqlite,
      new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }),
      ...(readMoved ? [fillMoved(readMoved)] : []),
    ],
  });

  let size = { bytes: 0, knownUntil: -Infinity };

  /** Of a transaction whose commit was not answered: it has come through, or it never will. */
  const hasCommitted = async (transactionId: string): Promise<boolean> => {
    for (let tries = 0; ; tries++) {
      try {
        const { rows } = await sql<{
          status: string | null;
        }>`SELECT pg_xact_status(${transactionId}::xid8) AS status`.execute(queries);
        if (rows[0]?.status !== 'in progress') return rows[0]?.status === 'committed';
      } catch (error) {
        if (tries >= LOOK_UPS) throw error;
      }
      if (tries >= LOOK_UPS) throw explainError({ code: '08007' });
      await delay(LOOK_UP_MS);
    }
  };

  const tryTransaction = async <T>(
    work: (transaction: Queries) => Promise<T>,
    scope: TransactionScope | undefined,
  ): Promise<T> => {
    const ended = await queries.connection().execute(async (connection): Promise<{ value: T } | Unanswered<T>> => {
      let value: T;
      let transactionId: string;
      try {
        transactionId = await beginAndLock(connection, scope);
        value = await work(connection);
      } catch (error) {
        await sql`ROLLBACK`.execute(connection).catch(() => undefined);
        throw error;
      }
      try {
        // An error that somebody caught inside has rolled it back.
        const { rows } = await sql<{ command: string }>`COMMIT`.execute(connection);
        if (rows[0]?.command === 'ROLLBACK') throw new Error('The transaction was rolled back before its commit');
        return { value };
      } catch (error) {
        const cause = (error as Error).cause ?? error;
        if (!isConnectionLost(cause)) throw error;
        return { value, transactionId, error };
      }
    });
    if ('transactionId' in ended && !(await hasCommitted(ended.transactionId))) throw ended.error;
    return ended.value;
  };

  return {
    dialect: 'postgres',
    queries,
    async transaction(work, scope) {
      for (let tries = 1; ; tries++) {
        try {
          return await tryTransaction(work, scope);
        } catch (error) {
          if (tries === MOST_TRIES || !mayBeTriedAgain(error)) throw error;
          await delay(Math.random() * TRY_AGAIN_MS * 2 ** tries);
        }
      }
    },
    prepare<R>(build: (queries: Queries) => Compilable<R>): Statement<R> {
      const { sql: text } = build(queries).compile();
      const name = `assay_prepared_${++prepared}`;
      return async (_transaction, values) => {
        try {
          const { rows } = await pool.query({ name, text, values: values.map(toParameter) });
          return rows as R[];
        } catch (error) {
          throw explainError(error);
        }
      };
    },
    async sizeOnDisk() {
      if (performance.now() < size.knownUntil) return size.bytes;
      const { rows } = await sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`.execute(
        queries,
      );
      size = { bytes: rows[0]!.bytes, knownUntil: performance.now() + SIZE_KNOWN_MS };
      return size.bytes;
    },
    // The server's own vacuum makes the room of deleted rows free for others.
    // oxlint-disable-next-line no-empty-function
    *reclaimSpace() {},
    close: () => queries.destroy(),
  };
};

let prepared = 0;

interface Unanswered<T> {
  readonly value: T;
  readonly transactionId: string;
  readonly error: unknown;
}

/**
 * In one message to the server. The locks are held until the transaction ends; projects in order, so that no two wait
 * for each other.
 */
const beginAndLock = async (connection: Queries, scope: TransactionScope | undefined): Promise<string> => {
  const projects = [...new Set(scope?.projects)].sort();
  const locks = scope
    ? [
        `pg_advisory_xact_lock_shared(${LOCK_OF_ALL})`,
        ...projects.map((name) => {
          const text = pg.escapeLiteral(toPostgresText(name));
          return `pg_advisory_xact_lock(${LOCK_OF_PROJECTS}, hashtext(${text}))`;
        }),
      ]
    : [`pg_advisory_xact_lock(${LOCK_OF_ALL})`];
  const { rows } = await sql
    .raw<{ id: string }>(`BEGIN; SELECT pg_current_xact_id()::text AS id, ${locks.join(', ')}`)
    .execute(connection);
  return rows[0]!.id;
};

const { TEXT, VARCHAR, BPCHAR, INT8, NUMERIC, BOOL } = pg.types.builtins;

/** All numbers of ours are exact as those of JavaScript; a truth is 1 or 0, as in SQLite. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [TEXT, fromPostgresText],
  [VARCHAR, fromPostgresText],
  [BPCHAR, fromPostgresText],
  [INT8, Number],
  [NUMERIC, Number],
  [BOOL, (text) => (text === 't' ? 1 : 0)],
]);

const getTypeParser = ((oid: number, format: 'text' | 'binary') =>
  PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

const toParameter = (value: unknown): unknown => (typeof value === 'string' ? toPostgresText(value) : value);

/** The part of a pool that Kysely uses, which tells what a client must know when the server is away. */
const asKyselyPool = (pool: pg.Pool, access: PostgresOptions['access']): PostgresPool => {
  const nameOf = createStatementNames();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    let broken: Error | undefined;
    // Else the end of a connection that is in use would end the process.
    client.on('error', (error) => (broken = error));
    return {
      query: (async (text: string, values: readonly unknown[] = []) => {
        const name = values.length > 0 ? nameOf(text) : undefined;
        const statement = { text, values: values.map(toParameter) };
        try {
          const result = await client.query(name === undefined ? statement : { ...statement, name });
          // Of several statements in one text, the last answers.
          return Array.isArray(result) ? (result as unknown[]).at(-1) : result;
        } catch (error) {
          if (isConnectionLost(error) || isPlanOutdated(error)) broken = error as Error;
          if (isPlanOutdated(error) && access === 'read') return client.query(statement);
          throw explainError(error);
        }
      }) as unknown as PostgresPoolClient['query'],
      // A connection that broke, or whose transaction is open, must not serve the next.
      release: () => client.release(broken),
    };
  };
  return {
    options: pool.options,
    async connect() {
      try {
        const client = await pool.connect();
        const known = clients.get(client);
        if (known) return known;
        const wrapped = wrap(client);
        clients.set(client, wrapped);
        return wrapped;
      } catch (error) {
        throw explainError(error);
      }
    },
    end: () => pool.end(),
  };
};
