import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sync } from '../blobs/durable-folders.ts';
import { type S3Location, nameOfS3 } from '../blobs/s3-location.ts';
import { tryLock } from '../db/folder-lock.ts';
import { OperatorError } from '../operator-error.ts';
import { EXPORTED_TABLES } from './columns.ts';
import { MANIFEST } from './manifest.ts';

/** Where an export goes. */
export interface ExportTarget {
  readonly name: string;
  /** Null when there is nothing yet. */
  readManifest(): Promise<string | null>;
  writeManifest(text: string): Promise<void>;
  /** A file on this machine to write to, which `put` moves into its place as a whole. */
  newFile(): string;
  put(path: string, file: string, bytes: number): Promise<void>;
  delete(path: string): Promise<void>;
  /** Paths of all files of the tables. */
  list(): AsyncIterable<string>;
  close(): Promise<void>;
}

const STAGING = 'new';

export const openFolder = async (given: string): Promise<ExportTarget> => {
  const folder = resolve(given);
  const manifest = join(folder, MANIFEST);
  const staging = join(folder, STAGING);
  await mkdir(folder, { recursive: true });
  const other = (await readdir(folder)).find((name) => name !== 'lock');
  if (other !== undefined && !existsSync(manifest)) throw new OperatorError(hasOthers(folder, other));
  const lock = tryLock(join(folder, 'lock'));
  if (lock === null) throw new OperatorError(`Another process exports to ${folder}`);
  const deleteStaged = (): Promise<void> => rm(staging, { recursive: true, force: true });
  const move = async (file: string, to: string): Promise<void> => {
    await sync(file);
    await rename(file, to);
    await sync(dirname(to));
  };
  await deleteStaged();
  await mkdir(staging);
  return {
    name: folder,
    readManifest: async () => (existsSync(manifest) ? readFile(manifest, 'utf8') : null),
    async writeManifest(content) {
      const file = join(staging, MANIFEST);
      await writeFile(file, content);
      await move(file, manifest);
    },
    newFile: () => join(staging, randomUUID()),
    async put(path, file) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await move(file, join(folder, path));
    },
    async delete(path) {
      await rm(join(folder, path), { force: true });
      // Of the month, of the project.
      for (let above = dirname(path); above !== '.'; above = dirname(above)) {
        if (!(await removeEmpty(join(folder, above)))) return;
      }
    },
    async *list() {
      for (const table of EXPORTED_TABLES) {
        if (!existsSync(join(folder, table))) continue;
        const entries = await readdir(join(folder, table), { recursive: true, withFileTypes: true });
        for (const entry of entries) {
          if (entry.isFile())
            yield join(entry.parentPath, entry.name)
              .slice(folder.length + 1)
              .replaceAll(sep, '/');
        }
      }
    },
    async close() {
      await deleteStaged();
      lock.release();
    },
  };
};

const removeEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  );

/** The client is loaded only where it is used. One export at a time: a bucket has no locks. */
export const openBucket = async (location: S3Location): Promise<ExportTarget> => {
  const [{ GetObjectCommand, PutObjectCommand }, { connectToS3, isMissing }, { openS3Bucket }, { createBudget }] =
    await Promise.all([
      import('@aws-sdk/client-s3'),
      import('../blobs/s3-client.ts'),
      import('../blobs/s3-bucket.ts'),
      import('../blobs/budget.ts'),
    ]);
  const connection = connectToS3(location);
  const { send } = connection;
  const bucket = openS3Bucket(connection, createBudget(UPLOADED_BYTES));
  const manifest = { Bucket: location.bucket, Key: location.prefix + MANIFEST };
  const name = nameOfS3(location);
  const readManifest = async (): Promise<string | null> => {
    try {
      return await text((await send(new GetObjectCommand(manifest))).Body as Readable);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return null;
    }
  };
  if ((await readManifest()) === null) {
    for await (const [first] of bucket.list('', 1)) {
      if (first) throw new OperatorError(hasOthers(name, first.key));
    }
  }
  const staging = mkdtempSync(join(tmpdir(), 'assay-export-'));
  return {
    name,
    readManifest,
    async writeManifest(content) {
      await send(new PutObjectCommand({ ...manifest, Body: content, ContentType: 'application/json' }));
    },
    newFile: () => join(staging, randomUUID()),
    async put(path, file, bytes) {
      await bucket.put(path, file, bytes);
      await rm(file);
    },
    delete: (path) => bucket.delete(path),
    async *list() {
      for (const table of EXPORTED_TABLES) {
        for await (const objects of bucket.list(`${table}/`)) yield* objects.map(({ key }) => key);
      }
    },
    close: () => rm(staging, { recursive: true, force: true }),
  };
};

const UPLOADED_BYTES = 32 * 1024 * 1024;

const hasOthers = (place: string, found: string): string =>
  `${place} has other files, such as ${found}: give an empty place, or that of an earlier export`;
