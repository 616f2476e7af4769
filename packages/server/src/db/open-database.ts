import type { Database, DatabaseAddress, FilesAddress } from './database.ts';
import type { ReadMoved } from './moved-values.ts';
import { openSqlite } from './sqlite.ts';

export interface OpenOptions {
  readonly access: 'read' | 'write';
  /** Of a file store that is open already. */
  readonly readMoved?: ReadMoved;
}

/** The driver of PostgreSQL is loaded only where it is used. */
export const openDatabase = async (address: DatabaseAddress, options: OpenOptions): Promise<Database> => {
  const { access, readMoved = address.files && whenNeeded(address.files) } = options;
  const moved = readMoved && { readMoved };
  if ('file' in address) return openSqlite({ file: address.file, access, ...moved });
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres({ url: address.url, access, ...moved });
};

/** Most threads that open a database never read what has moved. */
const whenNeeded = (files: FilesAddress): ReadMoved => {
  let opened: Promise<ReadMoved> | undefined;
  return async (object, range) => {
    opened ??= import('../blobs/read-moved.ts').then(({ openMovedFiles }) => openMovedFiles(files));
    return (await opened)(object, range);
  };
};
