import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Random, createRandom, draws } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { ARCHIVE_KINDS } from './testing/sample-archives.ts';
import { LIMITS, openScratch } from './testing/scratch.ts';
import { type Unpacked, unpackFile } from './unpack.ts';

const MUTATIONS = draws(75);
/** Where a format goes wrong: lengths at the edges of their types, and marks of records. */
const TELLING = [
  [0],
  [0xff],
  [0x80],
  [0xff, 0xff],
  [0xff, 0xff, 0xff, 0xff],
  [0, 0, 0, 0, 0, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
  [...Buffer.from('PK\x01\x02')],
  [...Buffer.from('PK\x03\x04')],
  [...Buffer.from('PK\x05\x06')],
  [...Buffer.from('PK\x06\x07')],
  [...Buffer.from('../')],
  [...Buffer.from('7777777')],
];

const mutate = (random: Random, original: Buffer): Buffer => {
  let bytes = Buffer.from(original);
  for (let left = random.integer(1, 3); left > 0; left--) {
    const at = random.integer(0, bytes.length);
    const to = Math.min(bytes.length, at + random.integer(0, 600));
    const changes = {
      turn: () => bytes.map((byte, index) => (index === at ? byte ^ (1 << random.integer(0, 7)) : byte)),
      put: () => Buffer.concat([bytes.subarray(0, at), telling(random), bytes.subarray(at)]),
      overwrite: () => {
        const put = telling(random);
        return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + put.length)]);
      },
      remove: () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]),
      double: () => Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]),
      cut: () => bytes.subarray(0, at),
    };
    const change = random.pick(['turn', 'turn', 'put', 'overwrite', 'overwrite', 'remove', 'double', 'cut'] as const);
    bytes = Buffer.from(changes[change]());
  }
  return bytes;
};

const telling = (random: Random): Buffer => Buffer.from(random.pick(TELLING));

/** A change of compressed data is noticed by its checksum; one below it reaches the format inside. */
const mutateInside = (random: Random, archive: Buffer): Buffer =>
  archive[0] === 0x1f && random.chance(0.8)
    ? gzipSync(mutateTar(random, gunzipSync(archive)))
    : mutateTar(random, archive);

/** So does one of a header of a tar whose sum is made right again. */
const mutateTar = (random: Random, archive: Buffer): Buffer => {
  const bytes = mutate(random, archive);
  for (let at = 0; at + 512 <= bytes.length && random.chance(0.95); at += 512) {
    const block = bytes.subarray(at, at + 512);
    if (block.toString('latin1', 257, 262) !== 'ustar') continue;
    block.fill(' ', 148, 156);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  }
  return bytes;
};

const expectSound = (unpacked: Unpacked, intoDir: string): void => {
  if (unpacked.kind !== 'archive') {
    expect(readdirSync(intoDir)).toEqual([]);
    return;
  }
  for (const { path, file, hash, sizeBytes } of unpacked.entries) {
    const content = readFileSync(file);
    expect(dirname(file)).toBe(intoDir);
    expect(createHash('sha256').update(content).digest('hex')).toBe(hash);
    expect(content.length).toBe(sizeBytes);
    expect(join('/folder', path)).toBe(`/folder/${path}`);
  }
  expect(new Set(readdirSync(intoDir))).toEqual(new Set(unpacked.entries.map(({ hash }) => hash)));
};

describe.each(Object.entries(ARCHIVE_KINDS))('a damaged archive that was a %s', (kind, make) => {
  it('is unpacked soundly or refused', async () => {
    const random = createRandom(`archives ${kind}`);
    const archive = await make({
      'index.html': '<!doctype html><p>Report</p>',
      'data/ä': 'text '.repeat(40),
      [`${'long/'.repeat(24)}x`]: 'long',
    });
    using scratch = openScratch(archive);
    const outcomes = { unpacked: 0, refused: 0 };
    for (let round = 0; round < MUTATIONS; round++) {
      writeFileSync(scratch.file, mutateInside(random, archive));
      try {
        expectSound(await unpackFile({ ...scratch, limits: LIMITS }), scratch.intoDir);
        outcomes.unpacked++;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(error.code).toBe('unsafe_archive');
        outcomes.refused++;
      }
      for (const name of scratch.list()) rmSync(join(scratch.intoDir, name));
    }
    expect(outcomes.refused).toBeGreaterThan(MUTATIONS / 3);
  });
});
