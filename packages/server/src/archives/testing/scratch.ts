import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveLimits } from '../limits.ts';
import { type UnpackTask, unpackFile } from '../unpack.ts';

export const MIB = 1024 * 1024;

export const LIMITS: ArchiveLimits = {
  maxEntries: 1000,
  maxBytes: 64 * MIB,
  maxFileBytes: 32 * MIB,
  maxRatio: 200,
};

export const NO_LIMITS: ArchiveLimits = {
  maxEntries: Infinity,
  maxBytes: Infinity,
  maxFileBytes: Infinity,
  maxRatio: Infinity,
};

/** A temporary folder with one archive in it, and a place to unpack it to. */
export interface Scratch extends UnpackTask {
  /** The names of what was unpacked. */
  list(): string[];
  [Symbol.dispose](): void;
}

export const openScratch = (archive: string | Buffer, limits: Partial<ArchiveLimits> = {}): Scratch => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-archives-'));
  const file = join(folder, 'upload');
  const intoDir = join(folder, 'unpacked');
  writeFileSync(file, archive);
  mkdirSync(intoDir);
  return {
    file,
    intoDir,
    limits: { ...LIMITS, ...limits },
    list: () => readdirSync(intoDir),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
};

/** The paths and sizes of the files in an archive. */
export const listUnpacked = async (archive: Buffer): Promise<string[]> => {
  using scratch = openScratch(archive);
  const unpacked = await unpackFile(scratch);
  return unpacked.kind === 'archive' ? unpacked.entries.map(({ path, sizeBytes }) => `${path} ${sizeBytes}`) : [];
};
