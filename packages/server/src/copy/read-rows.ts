import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import type { CopiedTable } from './copied-tables.ts';

export type Row = Readonly<Record<string, unknown>>;
/** Values of the primary key. */
export type Key = readonly unknown[];

const ROWS = 1_000;
const LARGE_ROWS = 50;

/** All rows of a table in the order of its key, some at a time, from behind a key on. */
export async function* readRows(queries: Queries, table: CopiedTable, after: Key | null): AsyncGenerator<Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  const limit = table.isLarge ? LARGE_ROWS : ROWS;
  for (let last = after; ;) {
    const behind = last === null ? sql`` : sql`WHERE (${key}) > (${sql.join(last)})`;
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table.name)} ${behind} ORDER BY ${key} LIMIT ${sql.lit(limit)}`.execute(queries);
    if (rows.length > 0) yield await withProjects(queries, table, rows);
    if (rows.length < limit) return;
    last = keyOf(table, rows.at(-1)!);
  }
}

/** Rows as PostgreSQL has them: those of SQLite name no project when they are older than the column. */
const withProjects = async (queries: Queries, { runOf }: CopiedTable, rows: Row[]): Promise<Row[]> => {
  const without = runOf ? rows.filter((row) => row['project_id'] === null) : [];
  if (!runOf || without.length === 0) return rows;
  const runs = await queries
    .selectFrom('runs')
    .select(['id', 'project_id'])
    .where('id', 'in', [...new Set(without.map(runOf))])
    .execute();
  const projects = new Map(runs.map(({ id, project_id }) => [id, project_id]));
  return rows.map((row) => (row['project_id'] === null ? { ...row, project_id: projects.get(runOf(row)) ?? 0 } : row));
};

export const keyOf = (table: CopiedTable, row: Row): Key => table.key.map((column) => row[column]);

export const countRows = async (queries: Queries, { name }: CopiedTable): Promise<number> => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(name)}`.execute(queries);
  return rows[0]!.count;
};

/** What a table contains: how many rows, and the hash of all of them in their order. */
export interface Contents {
  readonly rows: number;
  readonly hash: string;
}

export const readContents = async (
  queries: Queries,
  table: CopiedTable,
  onRows: (rows: number) => void,
): Promise<Contents> => {
  let rows = 0;
  let soFar = '';
  for await (const some of readRows(queries, table, null)) {
    soFar = hash('sha256', soFar + some.map(writeRow).join('\n'));
    rows += some.length;
    onRows(some.length);
  }
  return { rows, hash: soFar };
};

/** The same for the same row, whichever database it is from. */
const writeRow = (row: Row): string =>
  JSON.stringify(
    Object.entries(row)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([column, value]) => [column, value instanceof Uint8Array ? hash('sha256', value) : value]),
  );
