import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { BlobEncoding } from '../db/tables.ts';
import { createLocks } from './locks.ts';
import { readStart, seamedGzip } from './seamed-gzip.ts';
import {
  type BlobName,
  type BlobStore,
  type IncomingFile,
  LONGEST_SEARCHED_BYTES,
  type StagedFile,
  type StoredBlob,
} from './store.ts';

/*
 * blobs/ab/ab12… holds a content as it is, blobs/ab/ab12….gz compressed; never both. Each is written in staging, made
 * durable there and then moved, so that whatever has its name is whole.
 */

const AT_ONCE = 8;
const SMALLEST_COMPRESSED_BYTES = 512;
/** Compression that saves less than this is not worth unpacking for those who cannot. */
const WORTHWHILE_SHARE = 0.9;
const HASH = /^[0-9a-f]{64}$/;

export const openDiskBlobs = async (folder: string, stagingDir: string): Promise<BlobStore> => {
  await mkdir(folder, { recursive: true });
  const locks = createLocks();
  const held = new Map<string, number>();
  const pathOf = ({ hash, encoding }: BlobName): string =>
    join(folder, hash.slice(0, 2), encoding === 'gzip' ? `${hash}.gz` : hash);

  const find = async ({ hash, sizeBytes }: StagedFile): Promise<StoredBlob | null> => {
    for (const encoding of ['identity', 'gzip'] as const) {
      const found = await stat(pathOf({ hash, encoding })).catch(ignoreMissing);
      if (found) return { hash, encoding, sizeBytes, storedBytes: found.size };
    }
    return null;
  };
  const holdOne = async (staged: IncomingFile, newIn: Set<string>): Promise<StoredBlob> =>
    locks.with(staged.hash, async () => {
      const blob = (await find(staged)) ?? (await moveIn(staged, newIn));
      await rm(staged.file, { force: true });
      held.set(staged.hash, (held.get(staged.hash) ?? 0) + 1);
      return blob;
    });
  const moveIn = async (staged: IncomingFile, newIn: Set<string>): Promise<StoredBlob> => {
    const { file, encoding, storedBytes } = await smallestForm(staged);
    const target = pathOf({ hash: staged.hash, encoding });
    if ((await mkdir(dirname(target), { recursive: true })) !== undefined) newIn.add(folder);
    await sync(file);
    await rename(file, target);
    newIn.add(dirname(target));
    return { hash: staged.hash, encoding, sizeBytes: staged.sizeBytes, storedBytes };
  };
  const release = (hashes: readonly string[]): void => {
    for (const hash of hashes) {
      const left = (held.get(hash) ?? 0) - 1;
      if (left > 0) held.set(hash, left);
      else held.delete(hash);
    }
  };

  return {
    async hold(files) {
      const blobs: StoredBlob[] = [];
      const changedFolders = new Set<string>();
      let next = 0;
      const takeNext = async (): Promise<void> => {
        while (next < files.length) {
          const index = next++;
          blobs[index] = await holdOne(files[index]!, changedFolders);
        }
      };
      const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, takeNext));
      try {
        for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
        await Promise.all([...changedFolders].map(sync));
      } catch (error) {
        release(Object.values(blobs).map(({ hash }) => hash));
        throw error;
      }
      return blobs;
    },
    release,
    remove: (hash, isNamed) =>
      locks.with(hash, async () => {
        if (held.has(hash) || (await isNamed())) return 0;
        let freedBytes = 0;
        for (const encoding of ['identity', 'gzip'] as const) {
          const path = pathOf({ hash, encoding });
          freedBytes += (await stat(path).catch(ignoreMissing))?.size ?? 0;
          await rm(path, { force: true });
        }
        return freedBytes;
      }),
    async read(name, range) {
      const file = await open(pathOf(name));
      return file.createReadStream(range);
    },
    readAll: (name) => readFile(pathOf(name)),
    async withFile(name, work) {
      if (name.encoding === 'identity') return work(pathOf(name));
      const plain = join(stagingDir, randomUUID());
      try {
        await pipeline(createReadStream(pathOf(name)), createGunzip(), createWriteStream(plain));
        return await work(plain);
      } finally {
        await rm(plain, { force: true });
      }
    },
    async *list() {
      for (const entry of await readdir(folder)) {
        const names = await readdir(join(folder, entry)).catch(() => []);
        yield names.map((name) => name.replace(/\.gz$/, '')).filter((name) => HASH.test(name));
      }
    },
  };
};

interface StoredForm {
  readonly file: string;
  readonly encoding: BlobEncoding;
  readonly storedBytes: number;
}

const smallestForm = async ({ file, sizeBytes, compressible, findSeam }: IncomingFile): Promise<StoredForm> => {
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

/** Until this, a file or the names in a folder may not outlive a loss of power. */
const sync = async (path: string): Promise<void> => {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const ignoreMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};
