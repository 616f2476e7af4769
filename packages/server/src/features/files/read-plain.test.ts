import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDiskBlobs } from '../../blobs/disk.ts';
import type { BlobStore, StoredBlob } from '../../blobs/store.ts';
import { openRanges, readPlain } from './read-plain.ts';
import { exactly } from './serve-file.ts';

const CONTENT = Buffer.from(Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`).join(''));

let folder: string;
let blobs: BlobStore;
let blob: StoredBlob;
let reads = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-plain-'));
  mkdirSync(join(folder, 'staging'));
  const store = await openDiskBlobs(join(folder, 'blobs'), join(folder, 'staging'));
  blobs = { ...store, read: (name, range) => (reads++, store.read(name, range)) };
  const file = join(folder, 'staging', 'content');
  writeFileSync(file, CONTENT);
  const hash = createHash('sha256').update(CONTENT).digest('hex');
  [blob] = (await blobs.hold([{ file, hash, sizeBytes: CONTENT.length, compressible: true }])) as [StoredBlob];
});
afterAll(() => rmSync(folder, { recursive: true }));

it('a compressed content is inflated once for all of its ranges', async () => {
  expect(blob.encoding).toBe('gzip');
  reads = 0;
  const { read, close } = await openRanges(blobs, blob);
  for (let start = 0; start < CONTENT.length - 20_000; start += 17_003) {
    const range = { start, end: start + 32 };
    expect(await buffer(Readable.from(read(range)))).toEqual(CONTENT.subarray(start, start + 33));
  }
  close();
  expect(reads).toBe(1);
});

it('one range of a compressed content is just these bytes', async () => {
  for (const range of [
    { start: 0, end: 0 },
    { start: 70_000, end: 140_000 },
    { start: CONTENT.length - 1, end: CONTENT.length - 1 },
  ]) {
    const part = await buffer(await readPlain(blobs, blob, range));
    expect(part.equals(CONTENT.subarray(range.start, range.end + 1))).toBe(true);
  }
});

it('a body that has another length than it should fails', async () => {
  const body = (): Readable => Readable.from([Buffer.alloc(3), Buffer.alloc(4)]);
  expect(await buffer(exactly(body(), 7))).toHaveLength(7);
  await expect(buffer(exactly(body(), 8))).rejects.toThrow('lacks 1 bytes');
  await expect(buffer(exactly(body(), 6))).rejects.toThrow('more bytes');
});
