import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasBlobs, openDiskBlobs } from './disk.ts';
import { sync } from './durable-folders.ts';
import type { BlobStore, StagedFile } from './store.ts';

let root: string;
let blobs: BlobStore;
let staged = 0;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'assay-blobs-'));
  mkdirSync(join(root, 'staging'));
  blobs = await openDiskBlobs(join(root, 'blobs'), join(root, 'staging'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const stage = (content: Buffer, compressible = false): StagedFile & { compressible: boolean } => {
  const file = join(root, 'staging', String(staged++));
  writeFileSync(file, content);
  const hash = createHash('sha256').update(content).digest('hex');
  return { file, hash, sizeBytes: content.length, compressible };
};
const storedFiles = (): string[] =>
  readdirSync(join(root, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
const listed = async (): Promise<string[]> => {
  const hashes: string[] = [];
  for await (const some of blobs.list()) hashes.push(...some);
  return hashes.sort();
};
const unnamed = async (): Promise<boolean> => false;

const TEXT = Buffer.from('the same line of a text\n'.repeat(200));

it('stores a content under its hash and takes it out of staging', async () => {
  const content = randomBytes(3_000);
  const file = stage(content);
  const [blob] = await blobs.hold([file]);
  expect(blob).toEqual({ hash: file.hash, encoding: 'identity', sizeBytes: 3_000, storedBytes: 3_000 });
  expect(await buffer(await blobs.read(blob!))).toEqual(content);
  expect(await buffer(await blobs.read(blob!, { start: 10, end: 19 }))).toEqual(content.subarray(10, 20));
  expect(await blobs.readAll(blob!)).toEqual(content);
  expect(readdirSync(join(root, 'staging'))).toEqual([]);
  expect(await listed()).toEqual([file.hash]);
});

it('keeps what becomes smaller compressed, and lends it as it was', async () => {
  const [blob] = await blobs.hold([stage(TEXT, true)]);
  expect(blob).toMatchObject({ encoding: 'gzip', sizeBytes: TEXT.length });
  expect(blob!.storedBytes).toBeLessThan(TEXT.length / 4);
  expect(gunzipSync(await blobs.readAll(blob!))).toEqual(TEXT);
  expect(await blobs.withFile(blob!, async (file) => buffer(createReadStream(file)))).toEqual(TEXT);
  expect(readdirSync(join(root, 'staging'))).toEqual([]);
  const [noise] = await blobs.hold([stage(randomBytes(5_000), true)]);
  expect(noise).toMatchObject({ encoding: 'identity', storedBytes: 5_000 });
});

it('stores a content once, in the form it came first, however often it is brought', async () => {
  const first = await blobs.hold([stage(TEXT, true)]);
  const again = await blobs.hold([stage(TEXT), stage(TEXT, true)]);
  expect(again).toEqual([first[0], first[0]]);
  const atOnce = randomBytes(2_000);
  await Promise.all(Array.from({ length: 12 }, (_, n) => blobs.hold([stage(atOnce, n % 2 === 0)])));
  expect(storedFiles()).toHaveLength(2);
});

it('removes a content only when nobody holds it and nothing names it', async () => {
  const file = stage(TEXT);
  await blobs.hold([file]);
  await blobs.hold([stage(TEXT)]);
  expect(await blobs.remove(file.hash, unnamed)).toBe(0);
  blobs.release([file.hash]);
  expect(await blobs.remove(file.hash, unnamed)).toBe(0);
  blobs.release([file.hash]);
  expect(await blobs.remove(file.hash, async () => true)).toBe(0);
  expect(storedFiles()).toHaveLength(1);
  expect(await blobs.remove(file.hash, unnamed)).toBe(TEXT.length);
  expect(storedFiles()).toEqual([]);
});

it('never loses a content that is brought while it is removed', async () => {
  for (let round = 0; round < 50; round++) {
    const content = Buffer.from(`content ${round}`);
    const file = stage(content);
    await blobs.hold([file]);
    blobs.release([file.hash]);
    const again = stage(content);
    const [, [blob]] = await Promise.all([blobs.remove(file.hash, unnamed), blobs.hold([again])]);
    expect(await blobs.readAll(blob!)).toEqual(content);
  }
});

it('holds nothing after it failed', async () => {
  const good = stage(TEXT);
  const missing = { file: join(root, 'staging', 'missing'), hash: '0'.repeat(64), sizeBytes: 1, compressible: false };
  await expect(blobs.hold([good, missing])).rejects.toThrow('ENOENT');
  expect(await blobs.remove(good.hash, unnamed)).toBe(TEXT.length);
  expect(existsSync(join(root, 'blobs', good.hash.slice(0, 2), good.hash))).toBe(false);
});

it('answers nobody before the name of a content is durable, whoever brought it', async () => {
  const syncing = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = await openDiskBlobs(join(root, 'blobs'), join(root, 'staging'), async (folder) => {
    begun.resolve();
    await syncing.promise;
    await sync(folder);
  });
  const order: string[] = [];
  const first = slow.hold([stage(TEXT)]).then(() => order.push('first held'));
  await begun.promise;
  const second = slow.hold([stage(TEXT)]).then(() => order.push('second held'));
  await expect.poll(() => readdirSync(join(root, 'staging'))).toEqual([]);
  order.push('durable');
  syncing.resolve();
  await Promise.all([first, second]);
  expect(order[0]).toBe('durable');
});

it('does not take a name for durable after a sync that failed', async () => {
  let syncs = 0;
  const failing = await openDiskBlobs(join(root, 'blobs'), join(root, 'staging'), async () => {
    if (syncs++ < 2) throw new Error('EIO');
  });
  await expect(failing.hold([stage(TEXT)])).rejects.toThrow('EIO');
  expect(syncs).toBe(2);
  await failing.hold([stage(TEXT)]);
  expect(syncs).toBe(4);
  await failing.hold([stage(TEXT)]);
  expect(syncs).toBe(4);
});

it('tells which contents were not there, and which someone wanted to remove while they were held', async () => {
  const brought: string[] = [];
  const [first, second] = [stage(TEXT), stage(randomBytes(50))];
  await blobs.hold([first]);
  await blobs.hold([stage(TEXT), second], (hash) => brought.push(hash));
  expect(brought).toEqual([second.hash]);
  expect(await blobs.remove(first.hash, unnamed)).toBe(0);
  expect(blobs.release([first.hash])).toEqual([]);
  expect(blobs.release([first.hash, second.hash])).toEqual([first.hash]);
  expect(blobs.release([first.hash])).toEqual([]);
});

it('lends, reads and holds a content out of quarantine', async () => {
  const file = stage(TEXT, true);
  const [blob] = await blobs.hold([file]);
  expect(await blobs.quarantine(file.hash, unnamed)).toBe(false);
  blobs.release([file.hash]);
  expect(await blobs.quarantine(file.hash, async () => true)).toBe(false);
  const takenOut: (() => Promise<unknown>)[] = [
    () => blobs.readAll(blob!),
    async () => buffer(await blobs.read(blob!)),
    () => blobs.withFile(blob!, async (path) => expect(await buffer(createReadStream(path))).toEqual(TEXT)),
    () => blobs.restore(file.hash),
    async () => expect(await blobs.hold([stage(TEXT)])).toEqual([blob]),
  ];
  for (const takeOut of takenOut) {
    expect(await blobs.quarantine(file.hash, unnamed)).toBe(true);
    expect(await listed()).toEqual([]);
    expect(await hasBlobs(join(root, 'blobs'))).toBe(true);
    await takeOut();
    expect(await listed()).toEqual([file.hash]);
  }
  expect(await blobs.restore(file.hash)).toBe(false);
});

it('gives a content in quarantine to all who read it at once', async () => {
  const file = stage(TEXT);
  const [blob] = await blobs.hold([file]);
  blobs.release([file.hash]);
  await blobs.quarantine(file.hash, unnamed);
  const readers = Array.from({ length: 8 }, () => blobs.readAll(blob!));
  for (const read of await Promise.all(readers)) expect(read).toEqual(TEXT);
});

it('removes from quarantine only what came there before a time and is still unnamed', async () => {
  const file = stage(TEXT);
  const before = Date.now();
  await blobs.hold([file]);
  blobs.release([file.hash]);
  await blobs.quarantine(file.hash, unnamed);
  expect(await blobs.purge(file.hash, before - 1_000, unnamed)).toBe(0);
  expect(await blobs.purge(file.hash, Date.now() + 1_000, async () => true)).toBe(0);
  expect(await blobs.purge(file.hash, Date.now() + 1_000, unnamed)).toBe(TEXT.length);
  expect(storedFiles()).toEqual([]);
  expect(await hasBlobs(join(root, 'blobs'))).toBe(false);
});
