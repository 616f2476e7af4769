import { type ColumnBuilderCallback, type RawBuilder, sql } from 'kysely';
import type { Dialect, Queries } from '../database.ts';

interface ColumnTypes {
  readonly bytes: RawBuilder<unknown>;
  readonly numeric: RawBuilder<unknown>;
  readonly idType: 'integer' | 'bigint';
  /** Ids are never given twice: caches and links outlive what they name. */
  readonly newId: ColumnBuilderCallback;
}

/** What the databases call the types that have several names. */
export const columnTypes = (dialect: Dialect): ColumnTypes =>
  dialect === 'sqlite'
    ? {
        bytes: sql.raw('blob'),
        numeric: sql.raw('real'),
        idType: 'integer',
        newId: (column) => column.primaryKey().autoIncrement(),
      }
    : {
        bytes: sql.raw('bytea'),
        numeric: sql.raw('double precision'),
        idType: 'bigint',
        newId: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
      };

/** What is compressed already: PostgreSQL must not try once more, and keeps it apart from what is scanned. */
export const storeApart = async (
  queries: Queries,
  dialect: Dialect,
  table: string,
  columns: readonly string[],
): Promise<void> => {
  if (dialect === 'sqlite') return;
  const changes = columns.map((column) => sql`ALTER COLUMN ${sql.ref(column)} SET STORAGE EXTERNAL`);
  await sql`ALTER TABLE ${sql.table(table)} ${sql.join(changes)}`.execute(queries);
};
