import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasBlobs, openDiskBlobs } from './disk.ts';
import { sync } from './durable-folders.ts';
import { type Staging, TEXT, createStaging, storeCases, unnamed } from './testing/store-cases.ts';

describe('blobs on disk', () => {
  storeCases(async ({ root, dir }) => ({
    blobs: await openDiskBlobs(join(root, 'blobs'), dir),
    storedNames: async () =>
      readdirSync(join(root, 'blobs'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
  }));
});

let staging: Staging;
let folder: string;
beforeEach(() => {
  staging = createStaging();
  folder = join(staging.root, 'blobs');
});
afterEach(() => staging.delete());

it('answers nobody before the name of a content is durable, whoever brought it', async () => {
  const syncing = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = await openDiskBlobs(folder, staging.dir, async (path) => {
    begun.resolve();
    await syncing.promise;
    await sync(path);
  });
  const order: string[] = [];
  const first = slow.hold([staging.stage(TEXT)]).then(() => order.push('first held'));
  await begun.promise;
  const second = slow.hold([staging.stage(TEXT)]).then(() => order.push('second held'));
  await expect.poll(() => readdirSync(staging.dir)).toEqual([]);
  order.push('durable');
  syncing.resolve();
  await Promise.all([first, second]);
  expect(order[0]).toBe('durable');
});

it('does not take a name for durable after a sync that failed', async () => {
  let syncs = 0;
  const failing = await openDiskBlobs(folder, staging.dir, async () => {
    if (syncs++ < 2) throw new Error('EIO');
  });
  await expect(failing.hold([staging.stage(TEXT)])).rejects.toThrow('EIO');
  expect(syncs).toBe(2);
  await failing.hold([staging.stage(TEXT)]);
  expect(syncs).toBe(4);
  await failing.hold([staging.stage(TEXT)]);
  expect(syncs).toBe(4);
});

it('finds blobs also where all are in quarantine', async () => {
  const blobs = await openDiskBlobs(folder, staging.dir);
  expect(await hasBlobs(folder)).toBe(false);
  const file = staging.stage(TEXT);
  await blobs.hold([file]);
  blobs.release([file.hash]);
  await blobs.quarantine(file.hash, unnamed);
  expect(await hasBlobs(folder)).toBe(true);
});
