import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database, DatabaseAddress } from '../src/db/database.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { databaseUrlOf } from './server.ts';

type Row = Record<string, unknown>;

/** The database of the service that a test started on a data folder. */
const databaseOf = (dataDir: string): DatabaseAddress => {
  const url = databaseUrlOf(dataDir);
  return url === undefined ? { file: join(dataDir, 'assay.db') } : { url };
};

export const openDatabaseOf = (dataDir: string, access: 'read' | 'write'): Promise<Database> =>
  openDatabase(databaseOf(dataDir), { access });

/** Reads or changes what a service has stored, behind its back; a value takes the place of each `?`. */
export const inDatabase = async (dataDir: string, text: string, ...values: unknown[]): Promise<Row[]> => {
  const parts = text.split('?');
  const statement = sql<Row>(Object.assign(parts, { raw: parts }), ...values);
  const database = await openDatabaseOf(dataDir, 'write');
  try {
    return (await statement.execute(database.queries)).rows;
  } finally {
    await database.close();
  }
};
