import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { blobsIn } from '../backup/copy-installation.ts';
import type { SizedBlobName } from '../blobs/store.ts';
import type { Queries } from '../db/database.ts';
import type { FilePlace } from './file-places.ts';

/** Copies the files that a database references and that are not there yet; tells those that are missing or damaged. */
export const copyFiles = async (
  queries: Queries,
  from: FilePlace,
  to: FilePlace,
  onProgress: (files: number) => void,
): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-copy-'));
  const problems: string[] = [];
  let seen = 0;
  try {
    for await (const blobs of blobsIn(queries)) {
      for (const blob of blobs) {
        if (!(await to.has(blob)) && !(await copyFile(from, to, blob, join(folder, blob.hash)))) {
          problems.push(blob.hash);
        }
        onProgress(++seen);
      }
    }
    return problems;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** False when there is no such content. */
const copyFile = async (from: FilePlace, to: FilePlace, blob: SizedBlobName, file: string): Promise<boolean> => {
  const source = await from.read(blob);
  if (source === null) return false;
  await pipeline(source, createWriteStream(file));
  if ((await hashOf(file, blob)) !== blob.hash) return false;
  await to.put(blob, file);
  return true;
};

/** Of the content, however it is stored; null when it cannot be read. */
const hashOf = async (file: string, { encoding }: SizedBlobName): Promise<string | null> => {
  const hash = createHash('sha256');
  try {
    await (encoding === 'gzip'
      ? pipeline(createReadStream(file), createGunzip(), hash)
      : pipeline(createReadStream(file), hash));
    return hash.digest('hex');
  } catch {
    return null;
  }
};
