import type { Database, DatabaseAddress } from './database.ts';
import { openSqlite } from './sqlite.ts';

export interface OpenOptions {
  readonly access: 'read' | 'write';
}

/** The driver of PostgreSQL is loaded only where it is used. */
export const openDatabase = async (address: DatabaseAddress, { access }: OpenOptions): Promise<Database> => {
  if ('file' in address) return openSqlite({ file: address.file, access });
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres({ url: address.url, access });
};
