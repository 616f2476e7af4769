import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../errors.ts';
import { shareOf } from '../memory-share.ts';
import { createBudget } from './budget.ts';
import { createHolds } from './holds.ts';
import { createLocks } from './locks.ts';
import { type RecentFilesOptions, createRecentFiles } from './recent-files.ts';
import { type ListedObject, openS3Bucket } from './s3-bucket.ts';
import { type S3Patience, connectToS3, isMissing } from './s3-client.ts';
import type { S3Location } from './s3-location.ts';
import {
  type QuarantinedForm,
  S3_FOLDERS,
  type S3Form,
  formsOf,
  keyOf,
  quarantineKeyOf,
  readKey,
  readQuarantineKey,
} from './s3-names.ts';
import { signRead } from './s3-sign.ts';
import { smallestForm } from './smallest-form.ts';
import type { BlobStore, ByteRange, IncomingFile, SizedBlobName, StoredBlob } from './store.ts';

/*
 * Replicas share a bucket and know nothing of each other's holds. So nothing is deleted but from quarantine, days after
 * it came there and while no run names it: what another replica is about to name is still there, and reading or holding
 * it brings it back. Every move into quarantine has a key of its own, so that what came again is not deleted with what
 * came before.
 */

const AT_ONCE = 16;
const BODIES_BYTES = shareOf(32 * 1024 * 1024);
/** What is younger may be held by another replica, which is about to name it. */
const UNSETTLED_MS = 60 * 60 * 1000;
const MOST_RESTORES = 3;
const PROBLEM_MS = 3_000;
const SIGNED_SECONDS = 300;
/** Traces wait for the jobs that read them; those that wait longer, or are read by another replica, are fetched. */
const RECENT: RecentFilesOptions = { keptMs: 60_000, mostBytes: 256 * 1024 * 1024 };

export interface S3BlobsOptions extends S3Patience {
  readonly unsettledMs?: number;
  readonly recent?: RecentFilesOptions;
  /** What is larger is sent in parts of so much. */
  readonly partBytes?: number;
  /** What uploads may have in memory at once. */
  readonly bodiesBytes?: number;
}

export interface S3Blobs extends BlobStore {
  /** Whether there are contents, be it in quarantine. */
  hasBlobs(): Promise<boolean>;
}

export const openS3Blobs = (
  location: S3Location,
  stagingDir: string,
  {
    unsettledMs = UNSETTLED_MS,
    recent = RECENT,
    partBytes,
    bodiesBytes = BODIES_BYTES,
    ...patience
  }: S3BlobsOptions = {},
): S3Blobs => {
  const s3 = connectToS3(location, patience);
  const bucket = openS3Bucket(s3, createBudget(bodiesBytes), partBytes);
  const locks = createLocks();
  const holds = createHolds(AT_ONCE);
  const recentFiles = createRecentFiles(stagingDir, recent);
  let problem: { readonly found: Promise<string | null>; readonly until: number } | null = null;

  const listForms = async <T>(prefix: string, read: (key: string, bytes: number) => T | null): Promise<T[]> => {
    const forms: T[] = [];
    for await (const objects of bucket.list(prefix)) {
      forms.push(...objects.flatMap(({ key, bytes }) => read(key, bytes) ?? []));
    }
    return forms;
  };
  const findForms = (hash: string): Promise<S3Form[]> => listForms(formsOf(hash).blobs, readKey);
  const findQuarantined = (hash: string): Promise<QuarantinedForm[]> =>
    listForms(formsOf(hash).quarantine, readQuarantineKey);

  const moveBack = async (hash: string): Promise<boolean> => {
    let moved = false;
    for (const { key, liveKey, storedBytes } of await findQuarantined(hash)) {
      // Gone if another replica has moved it back.
      if (!(await bucket.copy(key, liveKey, storedBytes))) continue;
      await bucket.delete(key);
      moved = true;
    }
    return moved;
  };
  const moveAside = async (hash: string): Promise<number> => {
    let bytes = 0;
    for (const form of await findForms(hash)) {
      const aside = quarantineKeyOf(form, Date.now(), randomUUID());
      // Gone if another replica has moved it; what is there by now came later.
      if (!(await bucket.copy(form.key, aside, form.storedBytes))) continue;
      await bucket.delete(form.key);
      bytes += form.storedBytes;
    }
    return bytes;
  };
  const restore = (hash: string): Promise<boolean> => locks.with(hash, () => moveBack(hash));
  const find = async ({ hash, sizeBytes }: IncomingFile): Promise<StoredBlob | null> => {
    const [form] = await findForms(hash);
    return form ? { hash, encoding: form.encoding, sizeBytes, storedBytes: form.storedBytes } : null;
  };
  const store = async (staged: IncomingFile, onNew: (hash: string) => void): Promise<StoredBlob> => {
    const { hash, sizeBytes } = staged;
    const { file, encoding, storedBytes } = await smallestForm(staged);
    if (await bucket.put(keyOf({ hash, encoding, storedBytes }), file, storedBytes)) onNew(hash);
    if (file !== staged.file) await rm(file, { force: true });
    return { hash, encoding, sizeBytes, storedBytes };
  };
  const takeIn = (staged: IncomingFile, onNew: (hash: string) => void): Promise<StoredBlob> =>
    locks.with(staged.hash, async () => {
      let blob = await find(staged);
      if (blob === null && (await moveBack(staged.hash))) blob = await find(staged);
      blob ??= await store(staged, onNew);
      if (staged.readSoon) await recentFiles.keep(staged.hash, staged.file, staged.sizeBytes);
      else await rm(staged.file, { force: true });
      holds.add(staged.hash);
      return blob;
    });
  const openBlob = async (name: SizedBlobName, range?: ByteRange): Promise<Readable> => {
    for (let restores = 0; ; restores++) {
      try {
        return await bucket.open(keyOf(name), name.storedBytes, range);
      } catch (error) {
        if (!isMissing(error) || restores === MOST_RESTORES) throw error;
      }
      // Not in quarantine if another reader has restored it, or another replica moves it at this moment.
      await restore(name.hash);
    }
  };
  const firstOf = async (prefix: string): Promise<ListedObject | undefined> =>
    (await bucket.list(prefix, 1).next()).value?.[0];
  const check = (): Promise<string | null> => {
    const answered = firstOf(S3_FOLDERS.blobs).then(
      () => null,
      (error: unknown) => (error instanceof AppError ? error.message : 'The file store does not work'),
    );
    return Promise.race([answered, pause(PROBLEM_MS, 'The file store does not answer', { ref: false })]);
  };
  async function* hashesIn(
    folder: string,
    read: (key: string, bytes: number) => S3Form | null,
    changedBefore: number,
  ): AsyncGenerator<string[]> {
    for await (const objects of bucket.list(folder)) {
      const settled = objects.filter(({ changedAt }) => changedAt < changedBefore);
      yield [...new Set(settled.flatMap(({ key, bytes }) => read(key, bytes)?.hash ?? []))];
    }
  }

  return {
    hold: (files, onNew = () => undefined) => holds.take(files, (file) => takeIn(file, onNew)),
    release: holds.release,
    remove: (hash, isNamed) =>
      locks.with(hash, async () => {
        if (holds.has(hash)) holds.spare(hash);
        return holds.has(hash) || (await isNamed()) ? 0 : moveAside(hash);
      }),
    quarantine: (hash, isNamed) =>
      locks.with(hash, async () => {
        if (holds.has(hash) || (await isNamed())) return false;
        await moveAside(hash);
        return true;
      }),
    restore,
    async purge(before, findNamed) {
      let [count, freedBytes] = [0, 0];
      for await (const objects of bucket.list(S3_FOLDERS.quarantine)) {
        const entries = objects.flatMap(({ key, bytes }) => readQuarantineKey(key, bytes) ?? []);
        const old = entries.filter(({ since }) => since <= before);
        const named = await findNamed([...new Set(old.map(({ hash }) => hash))]);
        const unnamed = old.filter(({ hash }) => !named.has(hash));
        await bucket.deleteAll(unnamed.map(({ key }) => key));
        count += new Set(unnamed.map(({ hash }) => hash)).size;
        freedBytes += unnamed.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
      }
      return { count, freedBytes };
    },
    read: openBlob,
    async addressOf(name, { contentType, contentDisposition }) {
      const { redirectTo: origin, region, prefix } = location;
      // What is in quarantine has to be brought back first, by reading it.
      if (origin === null || !(await bucket.has(keyOf(name), name.storedBytes))) return null;
      return signRead({
        origin,
        bucket: location.bucket,
        key: prefix + keyOf(name),
        region,
        credentials: await s3.credentials(),
        expiresSeconds: SIGNED_SECONDS,
        answer: {
          'response-content-type': contentType,
          'response-cache-control': 'private, no-cache',
          ...(contentDisposition && { 'response-content-disposition': contentDisposition }),
        },
      });
    },
    readAll: async (name) => buffer(await openBlob(name)),
    async withFile(name, work) {
      const recentFile = recentFiles.take(name.hash);
      const plain = recentFile ?? join(stagingDir, randomUUID());
      try {
        if (recentFile === null) {
          const stored = await openBlob(name);
          const unpack = name.encoding === 'gzip' ? [createGunzip()] : [];
          await pipeline([stored, ...unpack, createWriteStream(plain)]);
        }
        return await work(plain);
      } finally {
        await rm(plain, { force: true });
      }
    },
    list: () => hashesIn(S3_FOLDERS.blobs, readKey, Date.now() - unsettledMs),
    listQuarantined: () => hashesIn(S3_FOLDERS.quarantine, readQuarantineKey, Infinity),
    abandonUploads: bucket.abandonUploads,
    findProblem() {
      if (problem === null || problem.until < Date.now()) {
        problem = { found: check(), until: Date.now() + PROBLEM_MS };
      }
      return problem.found;
    },
    async hasBlobs() {
      return ((await firstOf(S3_FOLDERS.blobs)) ?? (await firstOf(S3_FOLDERS.quarantine))) !== undefined;
    },
  };
};
