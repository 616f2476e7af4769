import { buffer } from 'node:stream/consumers';
import type { FilesAddress } from '../db/database.ts';
import type { ReadMoved } from '../db/moved-values.ts';
import { openDiskBlobs } from './disk.ts';
import { type BlobStore, WrongSizeError } from './store.ts';

/** Reads for others to wait for, some in a transaction: rather fails than tries for long. */
const PATIENCE = { attempts: 2, idleMs: 5_000 };

type Files = Pick<BlobStore, 'read'>;

export const readMovedFrom =
  ({ read }: Files): ReadMoved =>
  async ({ hash, objectBytes }, range) => {
    try {
      return await buffer(await read({ hash, encoding: 'identity', storedBytes: objectBytes }, range));
    } catch (error) {
      if (error instanceof WrongSizeError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };

/** Nothing but to read from them: it lends no files, so that it needs no staging. */
export const openMovedFiles = async (files: FilesAddress): Promise<ReadMoved> => {
  if ('folder' in files) return readMovedFrom(await openDiskBlobs(files.folder, files.folder));
  const { openS3Blobs } = await import('./s3.ts');
  return readMovedFrom(openS3Blobs(files.s3, '', PATIENCE));
};
