import { sql } from 'kysely';
import type { Database, Queries } from '../db/database.ts';
import { requireCurrent } from '../db/migrate.ts';
import { OperatorError } from '../operator-error.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';
import { type Key, type Row, countRows, keyOf, readContents, readRows } from './read-rows.ts';

/** SQLite takes no more values in one statement. */
const VALUES_PER_INSERT = 30_000;

/** Kept in the copy until it is whole. */
interface Progress {
  /** The installation that is copied. */
  readonly from: string;
  readonly table: string;
  readonly after: Key | null;
}

export interface CopyReport {
  /** Rows that this time copied, and all that there are. */
  copied(rows: number, of: number): void;
  compared(rows: number, of: number): void;
}

/**
 * Copies everything that is stored, as it was at one moment, into a database without any; one that was broken off goes on
 * where it ended. At the end all rows of both are read and compared.
 */
export const copyDatabase = async (from: Database, to: Database, report: CopyReport): Promise<{ rows: number }> => {
  await requireCurrent(from);
  return atOneMoment(from, async (source) => {
    const installation = await readInstallation(source);
    if (installation.copying !== null) throw new OperatorError('What is to be copied is an unfinished copy itself');
    const progress = await resume(to, installation.id);
    const total = await totalRows(source);
    let copied = 0;
    for (const table of tablesFrom(progress.table)) {
      const after = table.name === progress.table ? progress.after : null;
      for await (const rows of readRows(source, table, after)) {
        const reached: Progress = { ...progress, table: table.name, after: keyOf(table, rows.at(-1)!) };
        await to.transaction(async (transaction) => {
          await insertRows(transaction, table, rows);
          await noteProgress(transaction, reached);
        });
        copied += rows.length;
        report.copied(copied, total);
      }
    }
    await compare(source, to.queries, total, report);
    await to.transaction(async (transaction) => {
      for (const table of COPIED_TABLES) if (table.hasIds) await continueIds(from, source, to, transaction, table.name);
      const { copying: _, ...columns } = installation;
      await transaction
        .updateTable('installation')
        .set({ ...columns, copying: null })
        .execute();
    });
    return { rows: total };
  });
};

/** Whether a database is the beginning of a copy, which no service may use. */
export const isUnfinishedCopy = async (queries: Queries): Promise<boolean> =>
  (await readInstallation(queries)).copying !== null;

const readInstallation = (queries: Queries) => queries.selectFrom('installation').selectAll().executeTakeFirstOrThrow();

const atOneMoment = <T>({ queries, dialect }: Database, work: (source: Queries) => Promise<T>): Promise<T> =>
  queries.connection().execute(async (connection) => {
    await (dialect === 'sqlite' ? sql`BEGIN` : sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`).execute(
      connection,
    );
    try {
      return await work(connection);
    } finally {
      await sql`ROLLBACK`.execute(connection);
    }
  });

const resume = async ({ queries, transaction }: Database, from: string): Promise<Progress> => {
  const { copying } = await readInstallation(queries);
  if (copying !== null) {
    const progress = JSON.parse(copying) as Progress;
    if (progress.from === from) return progress;
    throw new OperatorError('The target has the unfinished copy of another installation; give an empty one');
  }
  for (const table of COPIED_TABLES) {
    // A service that was started there once has noted how much it stores.
    if (table.name !== 'storage_days' && (await countRows(queries, table)) > 0) {
      throw new OperatorError(`The target is not empty (it has ${table.name}); give an empty one`);
    }
  }
  const start: Progress = { from, table: COPIED_TABLES[0]!.name, after: null };
  await transaction(async (inside) => {
    await inside.deleteFrom('storage_days').execute();
    await noteProgress(inside, start);
  });
  return start;
};

const noteProgress = async (transaction: Queries, progress: Progress): Promise<void> => {
  await transaction
    .updateTable('installation')
    .set({ copying: JSON.stringify(progress) })
    .execute();
};

const tablesFrom = (name: string): readonly CopiedTable[] =>
  COPIED_TABLES.slice(COPIED_TABLES.findIndex((table) => table.name === name));

const totalRows = async (queries: Queries): Promise<number> => {
  let total = 0;
  for (const table of COPIED_TABLES) total += await countRows(queries, table);
  return total;
};

const insertRows = async (transaction: Queries, { name }: CopiedTable, rows: readonly Row[]): Promise<void> => {
  const atOnce = Math.max(1, Math.floor(VALUES_PER_INSERT / Object.keys(rows[0]!).length));
  for (let start = 0; start < rows.length; start += atOnce) {
    // The rows are those of the same table elsewhere.
    await transaction
      .insertInto(name)
      .values(rows.slice(start, start + atOnce))
      .execute();
  }
};

const compare = async (source: Queries, target: Queries, total: number, report: CopyReport): Promise<void> => {
  let compared = 0;
  for (const table of COPIED_TABLES) {
    const expected = await readContents(source, table, (rows) => report.compared((compared += rows), total));
    const found = await readContents(target, table, () => undefined);
    if (expected.rows === found.rows && expected.hash === found.hash) continue;
    throw new OperatorError(
      `The copy differs in ${table.name} (${found.rows} rows instead of ${expected.rows}), because something was stored or deleted since it was begun; copy again into an empty target`,
    );
  }
};

/** Ids of what was deleted are not given again there either. */
const continueIds = async (
  { dialect }: Database,
  source: Queries,
  { dialect: targetDialect }: Database,
  transaction: Queries,
  table: string,
): Promise<void> => {
  const { rows } = await (
    dialect === 'sqlite'
      ? sql<{ last: number }>`SELECT seq AS last FROM sqlite_sequence WHERE name = ${table}`
      : sql<{
          last: number;
        }>`SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0) AS last`
  ).execute(source);
  const last = rows[0]?.last ?? 0;
  if (last === 0) return;
  if (targetDialect === 'postgres') {
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(transaction);
    return;
  }
  await sql`DELETE FROM sqlite_sequence WHERE name = ${table}`.execute(transaction);
  await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${last})`.execute(transaction);
};
