import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createDurableFolders, sync } from './durable-folders.ts';
import { createHolds } from './holds.ts';
import { createLocks } from './locks.ts';
import { smallestForm } from './smallest-form.ts';
import {
  type BlobName,
  type BlobStore,
  type FindNamed,
  type IncomingFile,
  type SizedBlobName,
  type StagedFile,
  type StoredBlob,
  WrongSizeError,
} from './store.ts';

/*
 * blobs/ab/ab12… is a blob as is, blobs/ab/ab12….gz a compressed one; never both exist. A blob is written and synced in
 * staging and then renamed, so a file with its final name is complete. Quarantined blobs have the same names below
 * blobs/quarantine; their modification time is when they were quarantined.
 */

const AT_ONCE = 8;
const HASH = /^[0-9a-f]{64}$/;
const SHARD = /^[0-9a-f]{2}$/;
export const QUARANTINE = 'quarantine';
const ENCODINGS = ['identity', 'gzip'] as const;

/** Whether a folder of contents has any, be it in quarantine. */
export const hasBlobs = async (folder: string): Promise<boolean> => {
  for (const place of [folder, join(folder, QUARANTINE)]) {
    for await (const names of namesIn(place)) if (names.length > 0) return true;
  }
  return false;
};

export const openDiskBlobs = async (folder: string, stagingDir: string, syncFolder = sync): Promise<BlobStore> => {
  await mkdir(folder, { recursive: true });
  const quarantine = join(folder, QUARANTINE);
  const locks = createLocks();
  const folders = createDurableFolders(syncFolder);
  const holds = createHolds(AT_ONCE);
  const pathOf = (name: BlobName): string => blobPath(folder, name);

  const find = async ({ hash, sizeBytes }: StagedFile): Promise<StoredBlob | null> => {
    for (const encoding of ENCODINGS) {
      const found = await stat(pathOf({ hash, encoding })).catch(ignoreMissing);
      if (found) return { hash, encoding, sizeBytes, storedBytes: found.size };
    }
    return null;
  };
  const move = async (file: string, target: string): Promise<void> => {
    const into = dirname(target);
    const made = await mkdir(into, { recursive: true });
    if (made !== undefined) folders.changed(dirname(made));
    await rename(file, target);
    folders.changed(into);
  };
  const moveIn = async (staged: IncomingFile): Promise<StoredBlob> => {
    const { file, encoding, storedBytes } = await smallestForm(staged);
    await sync(file);
    await move(file, pathOf({ hash: staged.hash, encoding }));
    return { hash: staged.hash, encoding, sizeBytes: staged.sizeBytes, storedBytes };
  };
  /** Only under the lock of the hash. */
  const moveBack = async (hash: string): Promise<boolean> => {
    for (const encoding of ENCODINGS) {
      const aside = blobPath(quarantine, { hash, encoding });
      if ((await stat(aside).catch(ignoreMissing)) === null) continue;
      await move(aside, pathOf({ hash, encoding }));
      return true;
    }
    return false;
  };
  const takeIn = (staged: IncomingFile, onNew: (hash: string) => void): Promise<StoredBlob> =>
    locks.with(staged.hash, async () => {
      const { hash } = staged;
      let blob = await find(staged);
      if (blob === null && (await moveBack(hash))) blob = await find(staged);
      if (blob === null) {
        blob = await moveIn(staged);
        onNew(hash);
      }
      await rm(staged.file, { force: true });
      holds.add(hash);
      return blob;
    });
  const restore = (hash: string): Promise<boolean> =>
    locks.with(hash, async () => {
      if (!(await moveBack(hash))) return false;
      await folders.settle(dirname(pathOf({ hash, encoding: 'identity' })));
      return true;
    });
  /** What a database that was put back needs may be in quarantine. */
  const orRestored = async <T>({ hash }: BlobName, open: () => Promise<T>): Promise<T> => {
    try {
      return await open();
    } catch (error) {
      ignoreMissing(error as NodeJS.ErrnoException);
      // Another reader may have restored it meanwhile, so that it opens although it is not in quarantine.
      await restore(hash);
      return open();
    }
  };
  const removeFrom = async (place: string, hash: string): Promise<number> => {
    let freedBytes = 0;
    for (const encoding of ENCODINGS) {
      const path = blobPath(place, { hash, encoding });
      freedBytes += (await stat(path).catch(ignoreMissing))?.size ?? 0;
      await rm(path, { force: true });
    }
    return freedBytes;
  };

  /** Only under the lock of the hash. */
  const purgeOne = async (hash: string, before: number, findNamed: FindNamed): Promise<number> => {
    for (const encoding of ENCODINGS) {
      const found = await stat(blobPath(quarantine, { hash, encoding })).catch(ignoreMissing);
      if (found && found.mtimeMs > before) return 0;
    }
    return (await findNamed([hash])).has(hash) ? 0 : removeFrom(quarantine, hash);
  };

  return {
    hold: (files, onNew = () => undefined) =>
      holds.take(
        files,
        (file) => takeIn(file, onNew),
        async (blobs) => {
          // Also for existing blobs: the upload that added them may not have synced them yet.
          const used = new Set([folder, ...blobs.map((blob) => dirname(pathOf(blob)))]);
          await Promise.all([...used].map(folders.settle));
        },
      ),
    release: holds.release,
    remove: (hash, isNamed) =>
      locks.with(hash, async () => {
        if (holds.has(hash)) holds.spare(hash);
        return holds.has(hash) || (await isNamed()) ? 0 : removeFrom(folder, hash);
      }),
    quarantine: (hash, isNamed) =>
      locks.with(hash, async () => {
        if (holds.has(hash) || (await isNamed())) return false;
        const now = new Date();
        for (const encoding of ENCODINGS) {
          const path = pathOf({ hash, encoding });
          if ((await stat(path).catch(ignoreMissing)) === null) continue;
          await utimes(path, now, now);
          await move(path, blobPath(quarantine, { hash, encoding }));
        }
        return true;
      }),
    restore,
    async purge(before, findNamed) {
      let [count, freedBytes] = [0, 0];
      for await (const hashes of namesIn(quarantine)) {
        for (const hash of hashes) {
          const freed = await locks.with(hash, () => purgeOne(hash, before, findNamed));
          if (freed > 0) count++;
          freedBytes += freed;
        }
      }
      return { count, freedBytes };
    },
    read: (name, range) =>
      orRestored(name, async () => {
        const file = await open(pathOf(name));
        try {
          requireWhole(name, (await file.stat()).size);
        } catch (error) {
          await file.close();
          throw error;
        }
        return file.createReadStream(range);
      }),
    async readAll(name) {
      const bytes = await orRestored(name, () => readFile(pathOf(name)));
      requireWhole(name, bytes.length);
      return bytes;
    },
    async withFile(name, work) {
      await orRestored(name, () => stat(pathOf(name)));
      if (name.encoding === 'identity') return work(pathOf(name));
      const plain = join(stagingDir, randomUUID());
      try {
        await pipeline(createReadStream(pathOf(name)), createGunzip(), createWriteStream(plain));
        return await work(plain);
      } finally {
        await rm(plain, { force: true });
      }
    },
    list: () => namesIn(folder),
    listQuarantined: () => namesIn(quarantine),
    // Halves of uploads are in staging, which every start empties.
    abandonUploads: async () => 0,
    findProblem: async () => null,
  };
};

const requireWhole = ({ hash, storedBytes }: SizedBlobName, foundBytes: number): void => {
  if (foundBytes === storedBytes) return;
  throw new WrongSizeError(`The blob ${hash} has ${foundBytes} bytes instead of ${storedBytes}`);
};

/** Where a content is in a folder of contents. */
export const blobPath = (folder: string, { hash, encoding }: BlobName): string =>
  join(folder, hash.slice(0, 2), encoding === 'gzip' ? `${hash}.gz` : hash);

async function* namesIn(folder: string): AsyncGenerator<string[]> {
  for (const shard of (await readdir(folder).catch(ignoreMissing)) ?? []) {
    if (!SHARD.test(shard)) continue;
    const names = await readdir(join(folder, shard)).catch(() => []);
    yield names.map((name) => name.replace(/\.gz$/, '')).filter((name) => HASH.test(name));
  }
}

const ignoreMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};
