import { randomBytes } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { draws } from '@assay/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBudget } from '../../src/blobs/budget.ts';
import { openS3Bucket } from '../../src/blobs/s3-bucket.ts';
import { connectToS3 } from '../../src/blobs/s3-client.ts';
import type { S3Location } from '../../src/blobs/s3-location.ts';
import { copyInParts } from '../../src/blobs/s3-upload.ts';
import { type S3Blobs, openS3Blobs } from '../../src/blobs/s3.ts';
import type { StoredBlob } from '../../src/blobs/store.ts';
import {
  type Staging,
  TEXT,
  createStaging,
  storeCases,
  hashesOf,
  noneNamed,
  unnamed,
} from '../../src/blobs/testing/store-cases.ts';
import { type TestS3, keysIn, startTestS3 } from './s3-server.ts';

let s3: TestS3;
beforeAll(async () => void (s3 = await startTestS3()));
afterAll(() => s3.stop());

const MIB = 1024 * 1024;
const later = (): number => Date.now() + 1_000;

describe('blobs in S3', () => {
  storeCases(
    async ({ dir }) => {
      const location = s3.newLocation();
      return { blobs: openS3Blobs(location, dir, { unsettledMs: -60_000 }), storedNames: () => keysIn(location) };
    },
    draws(12, 50),
  );
});

let staging: Staging;
let location: S3Location;
let blobs: S3Blobs;
beforeEach(() => {
  staging = createStaging();
  location = s3.newLocation();
  blobs = openS3Blobs(location, staging.dir);
});
afterEach(() => staging.delete());

it('stores a content of many parts, and reads any range of it', async () => {
  const content = randomBytes(16 * MIB + 17);
  const file = staging.stage(content);
  const [blob] = await blobs.hold([file]);
  expect(await keysIn(location)).toEqual([`blobs/${file.hash}`]);
  expect((await blobs.readAll(blob!)).equals(content)).toBe(true);
  const [start, end] = [8 * MIB - 5, 16 * MIB + 5];
  expect((await buffer(await blobs.read(blob!, { start, end }))).equals(content.subarray(start, end + 1))).toBe(true);
  await blobs.withFile(blob!, async (path) =>
    expect((await buffer(createReadStream(path))).equals(content)).toBe(true),
  );
});

it('copies what is too large for one request in parts', async () => {
  const content = randomBytes(6 * MIB);
  const [blob] = await blobs.hold([staging.stage(content)]);
  const connection = connectToS3(location);
  const source = [location.bucket, ...`${location.prefix}blobs/${blob!.hash}`.split('/')].map(encodeURIComponent);
  const key = `${location.prefix}copy`;
  await copyInParts(connection, { source: source.join('/'), key, bytes: content.length }, 5 * MIB);
  const bucket = openS3Bucket(connection, createBudget(0));
  expect((await buffer(await bucket.open('copy', content.length))).equals(content)).toBe(true);
});

it('lists more objects than one answer has', async () => {
  const files = Array.from({ length: 7 }, (_, n) => staging.stage(Buffer.from(`content ${n}`)));
  await blobs.hold(files);
  const pages = [];
  const bucket = openS3Bucket(connectToS3(location), createBudget(0));
  for await (const page of bucket.list('blobs/', 3)) pages.push(page.map(({ key }) => key.slice('blobs/'.length)));
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
  expect(pages.flat().sort()).toEqual(files.map(({ hash }) => hash).sort());
});

it('leaves what came lately to whoever is about to name it', async () => {
  await blobs.hold([staging.stage(TEXT)]);
  expect(await hashesOf(blobs.list())).toEqual([]);
});

it('knows whether a bucket has blobs, be it in quarantine', async () => {
  expect(await blobs.hasBlobs()).toBe(false);
  const file = staging.stage(TEXT);
  await blobs.hold([file]);
  expect(await blobs.hasBlobs()).toBe(true);
  blobs.release([file.hash]);
  await blobs.quarantine(file.hash, unnamed);
  expect(await blobs.hasBlobs()).toBe(true);
});

describe('two replicas on one bucket', () => {
  let other: S3Blobs;
  beforeEach(() => void (other = openS3Blobs(location, staging.dir)));

  it('lose nothing of what one holds when the other removes or quarantines it', async () => {
    for (const lose of ['remove', 'quarantine'] as const) {
      const file = staging.stage(Buffer.from(lose));
      const [blob] = await blobs.hold([file]);
      await other[lose](file.hash, unnamed);
      // Now a run of the first replica names it.
      expect(await other.purge(later(), async () => new Set([file.hash]))).toMatchObject({ count: 0 });
      expect(await other.readAll(blob!)).toEqual(Buffer.from(lose));
    }
  });

  it('keep what came into quarantine again when what was there before is purged', async () => {
    const file = staging.stage(TEXT);
    await blobs.hold([file]);
    blobs.release([file.hash]);
    await blobs.quarantine(file.hash, unnamed);
    const decided = Promise.withResolvers<void>();
    const purged = other.purge(later(), async () => {
      decided.resolve();
      // Between this answer and the deletion it is brought, held and set aside once more.
      const [blob] = await blobs.hold([staging.stage(TEXT)]);
      blobs.release([blob!.hash]);
      await blobs.quarantine(blob!.hash, unnamed);
      return new Set();
    });
    await decided.promise;
    await purged;
    expect(await blobs.restore(file.hash)).toBe(true);
    expect(await hashesOf(openS3Blobs(location, staging.dir, { unsettledMs: -60_000 }).list())).toEqual([file.hash]);
  });

  it('serve all forms in which they stored a content at the same moment', async () => {
    const [plain, packed] = await Promise.all([
      blobs.hold([staging.stage(TEXT)]),
      other.hold([staging.stage(TEXT, true)]),
    ]);
    for (const blob of [...plain, ...packed]) {
      const read = await blobs.withFile(blob, async (path) => buffer(createReadStream(path)));
      expect(read).toEqual(TEXT);
    }
    const { hash } = plain[0]!;
    for (const replica of [blobs, other]) replica.release([hash]);
    await blobs.remove(hash, unnamed);
    await blobs.purge(later(), noneNamed);
    expect(await keysIn(location)).toEqual([]);
  });

  it('hold, name, read and remove at random and never miss what is named', async () => {
    const contents = Array.from({ length: 4 }, (_, n) => Buffer.from(`shared ${n}`));
    const replicas = [blobs, other, openS3Blobs(location, staging.dir)];
    const names = new Map<string, number>();
    const rounds = draws(8);
    const runs = replicas.map(async (replica) => {
      for (let round = 0; round < rounds; round++) {
        const content = contents[Math.floor(Math.random() * contents.length)]!;
        const [blob] = await replica.hold([staging.stage(content)]);
        const { hash } = blob!;
        names.set(hash, (names.get(hash) ?? 0) + 1);
        replica.release([hash]);
        expect(await replica.readAll(blob!)).toEqual(content);
        names.set(hash, names.get(hash)! - 1);
        const isNamed = async (): Promise<boolean> => names.get(hash)! > 0;
        if (round % 5 === 0) await replica.purge(Date.now() - 60_000, noneNamed);
        await replica.remove(hash, isNamed);
      }
    });
    await Promise.all(runs);
    for (const content of contents) {
      const [blob] = await blobs.hold([staging.stage(content)]);
      expect(await other.readAll(blob!)).toEqual(content);
    }
  });
});

describe('a content that is read soon', () => {
  const removeObjects = async (): Promise<void> => {
    const bucket = openS3Bucket(connectToS3(location), createBudget(0));
    await bucket.deleteAll(await keysIn(location));
  };
  const stageSoon = (text: string) => ({ ...staging.stage(Buffer.from(text)), readSoon: true });
  const readOf = (blob: StoredBlob): Promise<string> => blobs.withFile(blob, (path) => readFile(path, 'utf8'));

  it('is lent once without being fetched, and leaves nothing behind', async () => {
    const [blob] = await blobs.hold([stageSoon('trace')]);
    await removeObjects();
    expect(await readOf(blob!)).toBe('trace');
    await expect(readOf(blob!)).rejects.toThrow('no such object');
    expect(readdirSync(staging.dir)).toEqual([]);
  });

  it('is lent although the same content was stored before', async () => {
    await blobs.hold([staging.stage(Buffer.from('trace'))]);
    const [blob] = await blobs.hold([stageSoon('trace')]);
    await removeObjects();
    expect(await readOf(blob!)).toBe('trace');
  });

  it('is fetched where others took its place, or nobody read it in time', async () => {
    blobs = openS3Blobs(location, staging.dir, { recent: { keptMs: 60_000, mostBytes: 10 } });
    const [first, second] = [await blobs.hold([stageSoon('trace 1')]), await blobs.hold([stageSoon('trace 2')])];
    expect(readdirSync(staging.dir)).toHaveLength(1);
    expect(await readOf(first[0]!)).toBe('trace 1');
    expect(readdirSync(staging.dir)).toHaveLength(1);
    expect(await readOf(second[0]!)).toBe('trace 2');
    blobs = openS3Blobs(location, staging.dir, { recent: { keptMs: 1, mostBytes: 10 } });
    const [third] = await blobs.hold([stageSoon('trace 3')]);
    await vi.waitFor(() => expect(readdirSync(staging.dir)).toEqual([]));
    expect(await readOf(third!)).toBe('trace 3');
  });
});
