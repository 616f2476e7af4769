import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { QUARANTINE, blobPath } from '../blobs/disk.ts';
import { sync } from '../blobs/durable-folders.ts';
import type { SizedBlobName } from '../blobs/store.ts';
import type { Database, Queries } from '../db/database.ts';
import { openSqlite } from '../db/sqlite.ts';

export const DATABASE = 'assay.db';
const BLOBS = 'blobs';
/** While files are deleted as fast as they are copied, another look at the database finds what is left. */
const MOST_LOOKS = 5;
const BLOBS_PER_PAGE = 1_000;

export interface Copied {
  readonly runs: number;
  readonly files: number;
  /** Of these, what was not there already. */
  readonly newFiles: number;
  readonly newBytes: number;
  /** Files of an earlier copy that no run references any more. */
  readonly deletedFiles: number;
  /** Hashes of files that the database references, and that are not there. */
  readonly missing: readonly string[];
}

/**
 * Copies an installation, also while the service runs: the database as it is at one moment, and all files that it
 * references then. Files are copied once; a copy that is broken off leaves the one before usable.
 */
export const copyInstallation = async (
  from: string,
  to: string,
  onProgress: (files: number, of: number) => void = () => undefined,
): Promise<Copied> => {
  await mkdir(join(to, BLOBS), { recursive: true });
  const fresh = join(to, `${DATABASE}.new`);
  let newFiles = 0;
  let newBytes = 0;
  for (let looks = 1; ; looks++) {
    await copyDatabase(join(from, DATABASE), fresh);
    const { runs, files } = await countIn(fresh);
    const missing = await withDatabase(fresh, ({ queries }) =>
      copyBlobs(queries, from, to, (seen, bytes) => {
        if (bytes > 0) newFiles++;
        newBytes += bytes;
        onProgress(seen, files);
      }),
    );
    // A run that was deleted since is in no later look.
    if (missing.length > 0 && looks < MOST_LOOKS) continue;
    await rename(fresh, join(to, DATABASE));
    await sync(to);
    return { runs, files, newFiles, newBytes, missing, deletedFiles: await deleteOthers(to) };
  }
};

/** Copies the files that a database references from one data folder to another; the hashes of those that are not there. */
const copyBlobs = async (
  queries: Queries,
  from: string,
  to: string,
  onProgress: (seen: number, bytes: number) => void,
): Promise<string[]> => {
  const missing: string[] = [];
  let seen = 0;
  for await (const blobs of blobsIn(queries)) {
    for (const blob of blobs) {
      const bytes = await copyBlob(join(from, BLOBS), join(to, BLOBS), blob);
      if (bytes === null) missing.push(blob.hash);
      onProgress(++seen, bytes ?? 0);
    }
  }
  return missing;
};

/** Copies the database alone, for an installation whose files are elsewhere; returns what it has. */
export const copyDatabaseOf = async (from: string, to: string): Promise<Pick<Copied, 'runs' | 'files'>> => {
  const fresh = join(to, `${DATABASE}.new`);
  await copyDatabase(join(from, DATABASE), fresh);
  const counts = await countIn(fresh);
  await rename(fresh, join(to, DATABASE));
  await sync(to);
  return counts;
};

/** Reads all of it in one transaction, so that it is what it was at one moment. */
const copyDatabase = async (file: string, target: string): Promise<void> => {
  await rm(target, { force: true });
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    connection.prepare('VACUUM INTO ?').run(target);
  } finally {
    connection.close();
  }
  await sync(target);
};

const withDatabase = async <T>(file: string, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = openSqlite({ file, access: 'read' });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

const countIn = (file: string): Promise<{ runs: number; files: number }> =>
  withDatabase(file, async ({ queries }) => {
    const { runs, files } = await queries
      .selectNoFrom((eb) => [
        eb.selectFrom('runs').select(eb.fn.countAll<number>().as('count')).as('runs'),
        eb.selectFrom('blobs').select(eb.fn.countAll<number>().as('count')).as('files'),
      ])
      .executeTakeFirstOrThrow();
    return { runs: runs ?? 0, files: files ?? 0 };
  });

/** All contents that a database references, some at a time. */
export async function* blobsIn(queries: Queries): AsyncGenerator<SizedBlobName[]> {
  for (let last = 0; ;) {
    const rows = await queries
      .selectFrom('blobs')
      .select(['id', 'hash', 'encoding', 'stored_size'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BLOBS_PER_PAGE)
      .execute();
    if (rows.length === 0) return;
    last = rows.at(-1)!.id;
    yield rows.map(({ hash, encoding, stored_size }) => ({
      hash: Buffer.from(hash).toString('hex'),
      encoding,
      storedBytes: stored_size,
    }));
  }
}

/** How many bytes were copied: 0 when it is there already, null when there is nothing to copy. */
const copyBlob = async (from: string, to: string, blob: SizedBlobName): Promise<number | null> => {
  const target = blobPath(to, blob);
  if ((await sizeOf(target)) === blob.storedBytes) return 0;
  await mkdir(dirname(target), { recursive: true });
  for (const source of [blobPath(from, blob), blobPath(join(from, QUARANTINE), blob)]) {
    // A file that is cut short is no copy of anything; `verify` tells it apart.
    if ((await sizeOf(source)) !== blob.storedBytes) continue;
    const half = `${target}.new`;
    try {
      await pipeline(createReadStream(source), createWriteStream(half));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    await sync(half);
    await rename(half, target);
    return blob.storedBytes;
  }
  return null;
};

const sizeOf = async (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );

/** Deletes files of the copy that its database does not reference. */
const deleteOthers = async (to: string): Promise<number> => {
  const wanted = new Set<string>();
  await withDatabase(join(to, DATABASE), async ({ queries }) => {
    for await (const blobs of blobsIn(queries)) {
      for (const blob of blobs) wanted.add(blobPath(join(to, BLOBS), blob));
    }
  });
  let deleted = 0;
  for (const folder of await readdir(join(to, BLOBS))) {
    if (folder === QUARANTINE) continue;
    for (const name of await readdir(join(to, BLOBS, folder))) {
      const path = join(to, BLOBS, folder, name);
      if (wanted.has(path)) continue;
      await rm(path, { force: true });
      deleted++;
    }
    await sync(join(to, BLOBS, folder));
  }
  await sync(join(to, BLOBS));
  return deleted;
};
