import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { BlobEncoding } from '../db/tables.ts';
import { readStart, seamedGzip } from './seamed-gzip.ts';
import { type IncomingFile, LONGEST_SEARCHED_BYTES } from './store.ts';

const SMALLEST_COMPRESSED_BYTES = 512;
/** Compression that saves less than this is not worth unpacking for those who cannot. */
const WORTHWHILE_SHARE = 0.9;

export interface StoredForm {
  readonly file: string;
  readonly encoding: BlobEncoding;
  readonly storedBytes: number;
}

/** Compresses a staged file beside itself where that is worth it. */
export const smallestForm = async ({ file, sizeBytes, compressible, findSeam }: IncomingFile): Promise<StoredForm> => {
  const asItIs: StoredForm = { file, encoding: 'identity', storedBytes: sizeBytes };
  if (!compressible || sizeBytes < SMALLEST_COMPRESSED_BYTES) return asItIs;
  const compressed = `${file}.gz`;
  const start = findSeam ? await readStart(file, Math.min(sizeBytes, LONGEST_SEARCHED_BYTES)) : null;
  const seam = start && findSeam?.(start, start.length === sizeBytes);
  if (typeof seam === 'number') await pipeline(seamedGzip(file, seam), createWriteStream(compressed));
  else await pipeline(createReadStream(file), createGzip(), createWriteStream(compressed));
  const { size } = await stat(compressed);
  if (size <= sizeBytes * WORTHWHILE_SHARE) return { file: compressed, encoding: 'gzip', storedBytes: size };
  await rm(compressed);
  return asItIs;
};
