import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BlobStore, StagedFile } from '../store.ts';

export const TEXT = Buffer.from('the same line of a text\n'.repeat(200));
export const unnamed = async (): Promise<boolean> => false;
export const noneNamed = async (): Promise<ReadonlySet<string>> => new Set();

/** A folder for staging, and contents put there. */
export interface Staging {
  /** Holds staging and whatever else a test keeps. */
  readonly root: string;
  readonly dir: string;
  stage(content: Buffer, compressible?: boolean): StagedFile & { compressible: boolean };
  delete(): void;
}

export const createStaging = (): Staging => {
  const root = mkdtempSync(join(tmpdir(), 'assay-blobs-'));
  const dir = join(root, 'staging');
  mkdirSync(dir);
  let staged = 0;
  return {
    root,
    dir,
    stage(content, compressible = false) {
      const file = join(dir, String(staged++));
      writeFileSync(file, content);
      const hash = createHash('sha256').update(content).digest('hex');
      return { file, hash, sizeBytes: content.length, compressible };
    },
    delete: () => rmSync(root, { recursive: true, force: true }),
  };
};

export const hashesOf = async (listed: AsyncGenerator<string[]>): Promise<string[]> => {
  const hashes: string[] = [];
  for await (const some of listed) hashes.push(...some);
  return hashes.sort();
};

export interface StoreUnderTest {
  readonly blobs: BlobStore;
  /** Names of all that is stored, in quarantine or not. */
  storedNames(): Promise<string[]>;
}

/** What every store of blobs does; a race is run so many times. */
export const storeCases = (open: (staging: Staging) => Promise<StoreUnderTest>, races = 50): void => {
  let staging: Staging;
  let blobs: BlobStore;
  let storedNames: StoreUnderTest['storedNames'];
  beforeEach(async () => {
    staging = createStaging();
    ({ blobs, storedNames } = await open(staging));
  });
  afterEach(() => staging.delete());
  const stage: Staging['stage'] = (content, compressible) => staging.stage(content, compressible);
  const listed = (): Promise<string[]> => hashesOf(blobs.list());
  const nextTick = (): number => Date.now() + 1_000;

  it('stores a content under its hash and takes it out of staging', async () => {
    const content = randomBytes(3_000);
    const file = stage(content);
    const [blob] = await blobs.hold([file]);
    expect(blob).toEqual({ hash: file.hash, encoding: 'identity', sizeBytes: 3_000, storedBytes: 3_000 });
    expect(await buffer(await blobs.read(blob!))).toEqual(content);
    expect(await buffer(await blobs.read(blob!, { start: 10, end: 19 }))).toEqual(content.subarray(10, 20));
    expect(await blobs.readAll(blob!)).toEqual(content);
    expect(readdirSync(staging.dir)).toEqual([]);
    expect(await listed()).toEqual([file.hash]);
  });

  it('stores an empty content', async () => {
    const [blob] = await blobs.hold([stage(Buffer.alloc(0))]);
    expect(await buffer(await blobs.read(blob!))).toEqual(Buffer.alloc(0));
    expect(await blobs.withFile(blob!, async (file) => buffer(createReadStream(file)))).toEqual(Buffer.alloc(0));
  });

  it('keeps what becomes smaller compressed, and lends it as it was', async () => {
    const [blob] = await blobs.hold([stage(TEXT, true)]);
    expect(blob).toMatchObject({ encoding: 'gzip', sizeBytes: TEXT.length });
    expect(blob!.storedBytes).toBeLessThan(TEXT.length / 4);
    expect(gunzipSync(await blobs.readAll(blob!))).toEqual(TEXT);
    expect(await blobs.withFile(blob!, async (file) => buffer(createReadStream(file)))).toEqual(TEXT);
    expect(readdirSync(staging.dir)).toEqual([]);
    const [noise] = await blobs.hold([stage(randomBytes(5_000), true)]);
    expect(noise).toMatchObject({ encoding: 'identity', storedBytes: 5_000 });
  });

  it('stores a content once, in the form it came first, however often it is brought', async () => {
    const first = await blobs.hold([stage(TEXT, true)]);
    const again = await blobs.hold([stage(TEXT), stage(TEXT, true)]);
    expect(again).toEqual([first[0], first[0]]);
    const atOnce = randomBytes(2_000);
    await Promise.all(Array.from({ length: 12 }, (_, n) => blobs.hold([stage(atOnce, n % 2 === 0)])));
    expect(await storedNames()).toHaveLength(2);
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
    expect(await listed()).toEqual([file.hash]);
    expect(await blobs.remove(file.hash, unnamed)).toBe(TEXT.length);
    expect(await listed()).toEqual([]);
    expect(await blobs.remove(file.hash, unnamed)).toBe(0);
    await blobs.purge(nextTick(), noneNamed);
    expect(await storedNames()).toEqual([]);
  });

  it('never loses a content that is brought while it is removed', async () => {
    for (let round = 0; round < races; round++) {
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
    const missing = { file: join(staging.dir, 'missing'), hash: '0'.repeat(64), sizeBytes: 1, compressible: false };
    await expect(blobs.hold([good, missing])).rejects.toThrow('ENOENT');
    expect(await blobs.remove(good.hash, unnamed)).toBe(TEXT.length);
    expect(await listed()).toEqual([]);
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

  it('refuses a content that is missing or has another size', async () => {
    const [blob] = await blobs.hold([stage(TEXT)]);
    const missing = { hash: '1'.repeat(64), encoding: 'identity', storedBytes: 1 } as const;
    const readers: ((name: typeof missing) => Promise<unknown>)[] = [
      blobs.read,
      (name) => blobs.read(name, { start: 0, end: 0 }),
      blobs.readAll,
      (name) => blobs.withFile(name, async () => undefined),
    ];
    for (const read of readers) await expect(read(missing)).rejects.toMatchObject({ code: 'ENOENT' });
    const cut = { ...blob!, storedBytes: TEXT.length + 1 };
    await expect(blobs.read(cut)).rejects.toThrow('bytes instead of');
    await expect(blobs.read(cut, { start: 0, end: 0 })).rejects.toThrow('bytes instead of');
    await expect(blobs.readAll(cut)).rejects.toThrow('bytes instead of');
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
      expect(await hashesOf(blobs.listQuarantined())).toEqual([file.hash]);
      await takeOut();
      expect(await listed()).toEqual([file.hash]);
      expect(await hashesOf(blobs.listQuarantined())).toEqual([]);
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
    const files = [stage(TEXT), stage(Buffer.from('a')), stage(Buffer.from('b'))];
    const hashes = files.map(({ hash }) => hash);
    const before = Date.now();
    await blobs.hold(files);
    blobs.release(hashes);
    for (const hash of hashes) await blobs.quarantine(hash, unnamed);
    expect(await blobs.purge(before - 1_000, noneNamed)).toEqual({ count: 0, freedBytes: 0 });
    expect(await blobs.purge(nextTick(), async () => new Set(hashes))).toEqual({ count: 0, freedBytes: 0 });
    expect(await blobs.purge(nextTick(), async () => new Set([hashes[1]!]))).toEqual({
      count: 2,
      freedBytes: TEXT.length + 1,
    });
    expect(await hashesOf(blobs.listQuarantined())).toEqual([hashes[1]]);
    await blobs.purge(nextTick(), noneNamed);
    expect(await storedNames()).toEqual([]);
  });

  it('works, and has no uploads that were cut off', async () => {
    await blobs.hold([stage(TEXT)]);
    expect(await blobs.findProblem()).toBeNull();
    expect(await blobs.abandonUploads(nextTick())).toBe(0);
  });
};
