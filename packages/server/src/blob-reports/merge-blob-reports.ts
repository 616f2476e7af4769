import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { openPromise } from 'yauzl';
import { findPlaywright, type Playwright } from './find-playwright.ts';
import { type ProcessEnd, runLimited } from './limited-process.ts';

export interface BlobMerge {
  /** Paths of the zip files that the shards have written. */
  readonly blobs: readonly string[];
  /** An existing folder of this merge alone. */
  readonly intoDir: string;
  readonly timeoutMs: number;
  readonly maxMemoryMb: number;
  /** Of all blobs together. */
  readonly maxUnpackedBytes?: number;
  readonly signal?: AbortSignal;
  /** Null when Playwright is not installed. */
  readonly playwright?: Playwright | null;
}

export type BlobMergeResult =
  | { ok: true; htmlDir: string }
  | { ok: false; code: 'not_installed' | 'failed' | 'timed_out'; reason: string };

/** Playwright asks these which system it is on. */
const SYSTEM_FILES = [
  '/proc/sys/fs/binfmt_misc/WSLInterop',
  '/run/WSL',
  '/proc/version',
  '/proc/self/cgroup',
  '/.dockerenv',
  '/etc/os-release',
];
export const TOO_LARGE = 'The blob reports are too large to be merged.';
const MAX_UNPACKED_BYTES = 2 ** 31;
const MAX_ENTRIES = 100_000;
const MAX_REASON_LENGTH = 300;

/** One HTML report of all shards, made by Playwright itself. Blobs are input of strangers, so it works in a cage. */
export const mergeBlobReports = async (merge: BlobMerge): Promise<BlobMergeResult> => {
  const playwright = merge.playwright === undefined ? findPlaywright() : merge.playwright;
  if (playwright === null) return failure('not_installed', 'Playwright is not installed beside the service.');
  const unpackedBytes = await sumUnpackedBytes(merge.blobs).catch(() => null);
  if (unpackedBytes === null) return failure('failed', 'A blob report is not a zip file, or it is damaged.');
  if (unpackedBytes > (merge.maxUnpackedBytes ?? MAX_UNPACKED_BYTES)) {
    return failure('failed', TOO_LARGE);
  }
  const htmlDir = join(merge.intoDir, 'html');
  const workDir = await mkdtemp(join(merge.intoDir, 'merging-'));
  try {
    return resultOf(await runMerge(merge, playwright, workDir, htmlDir), htmlDir);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
};

const failure = (code: 'not_installed' | 'failed' | 'timed_out', reason: string): BlobMergeResult => ({
  ok: false,
  code,
  reason,
});

/** A blob that lies about a size fails when it is unpacked. */
const sumUnpackedBytes = async (blobs: readonly string[]): Promise<number> => {
  let total = 0;
  let entries = 0;
  for (const blob of blobs) {
    const zip = await openPromise(blob, { lazyEntries: true });
    entries += zip.entryCount;
    if (entries > MAX_ENTRIES) {
      zip.close();
      return Infinity;
    }
    for await (const entry of zip.eachEntry()) total += entry.uncompressedSize;
  }
  return total;
};

/** Copies, because Playwright unpacks beside the blobs, and what it unpacks may have the name of one. */
const runMerge = async (
  { blobs, timeoutMs, maxMemoryMb, signal }: BlobMerge,
  playwright: Playwright,
  workDir: string,
  htmlDir: string,
): Promise<ProcessEnd> => {
  const blobDir = join(workDir, 'blobs');
  await mkdir(blobDir);
  await mkdir(htmlDir, { recursive: true });
  // With these Playwright ends its search for them upwards.
  for (const name of ['package.json', 'tsconfig.json']) await writeFile(join(workDir, name), '{}');
  // Shards may have run in different folders, which Playwright merges only by a configuration.
  const config = join(workDir, 'merge.config.cjs');
  await writeFile(config, 'module.exports = {};');
  for (const [at, blob] of blobs.entries()) await copyFile(blob, join(blobDir, `shard-${at + 1}.zip`));
  return runLimited(playwright.cli, ['merge-reports', '--reporter=html', `--config=${config}`, blobDir], {
    timeoutMs,
    maxMemoryMb,
    signal,
    cwd: workDir,
    env: { HOME: workDir, TMPDIR: workDir, PLAYWRIGHT_HTML_OPEN: 'never', PLAYWRIGHT_HTML_OUTPUT_DIR: htmlDir },
    readable: [...playwright.folders, ...SYSTEM_FILES],
    writable: [workDir, htmlDir],
  });
};

const resultOf = ({ ended, output }: ProcessEnd, htmlDir: string): BlobMergeResult => {
  switch (ended) {
    case 'passed':
      return { ok: true, htmlDir };
    case 'timed_out':
      return failure('timed_out', 'Merging the blob reports took too long.');
    case 'stopped':
      return failure('failed', 'Merging the blob reports was stopped.');
    case 'failed':
      return failure('failed', `Playwright could not merge the blob reports: ${complaintIn(output)}`);
  }
};

const complaintIn = (output: string): string => {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? 'it did not say why').slice(
    0,
    MAX_REASON_LENGTH,
  );
};
