import { openPostgres } from '@assay/testkit/postgres';
import type pg from 'pg';
import type { Catalogue } from '../../src/index.ts';
import { type Row, type Stored, type Table, columnsOf, loadRow, valuesOf } from './sqlite-table.ts';

export { type Row, type Table, sqliteTable } from './sqlite-table.ts';

export const postgresTable = async (
  catalogue: Catalogue,
  rows: readonly Row[],
  open: () => Promise<pg.Client> = openPostgres,
): Promise<Table> => {
  const client = await open();
  await client.query(`CREATE TEMPORARY TABLE rows (assay_at integer, ${columnsOf(catalogue, 'postgres').join(', ')})`);
  const places = ['$1', ...Object.keys(catalogue.fields).map((_, at) => `$${at + 2}`)].join(', ');
  for (const [at, row] of rows.entries()) {
    // The driver writes a negative zero without its sign.
    const values = valuesOf(catalogue, row, 'postgres').map((value) => (Object.is(value, -0) ? '-0' : value));
    await client.query(`INSERT INTO rows VALUES (${places})`, [at, ...values]);
  }
  const all = await client.query<Record<string, Stored>>('SELECT * FROM rows ORDER BY assay_at');
  return {
    dialect: 'postgres',
    rows: all.rows.map((record) => loadRow(catalogue, record)),
    select: async ({ sql, params }) => {
      const found = await client.query<{ assay_at: number }>(
        `SELECT assay_at FROM rows WHERE ${sql} ORDER BY assay_at`,
        [...params],
      );
      return found.rows.map((record) => record.assay_at);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
};
