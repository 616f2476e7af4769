import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../robustness/service-process.ts';
import type { TestServer } from '../server.ts';

type Folder = 'blobs' | 'staging';

/** Paths of all files in a folder of the data folder; empty when there is no such folder. */
export const filesIn = (dataDir: string, folder: Folder): string[] => {
  try {
    return readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

const NOTHING = {
  totalProjects: 0,
  totalRuns: 0,
  totalTestCases: 0,
  totalRunsCases: 0,
  totalTraces: 0,
  totalReports: 0,
  reportSizeFromDb: 0,
  traceSizeFromDb: 0,
  fileSizeOnDisk: 0,
};

/** For a service that has refused everything it was sent. What it had already taken may go a moment after the answer. */
export const expectNothingStored = async ({ client, dataDir }: TestServer): Promise<void> => {
  await expectNoFiles(dataDir);
  expect(await client.listProjects()).toEqual([]);
  expect(await client.getStats()).toMatchObject(NOTHING);
};

export const expectNoFiles = async (dataDir: string): Promise<void> => {
  for (const folder of ['staging', 'blobs'] as const) {
    await until(`${folder} is empty`, () => filesIn(dataDir, folder).length === 0, 10_000);
  }
};

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Which contents are on disk, by their hashes. */
export const storedHashes = (dataDir: string): string[] =>
  filesIn(dataDir, 'blobs')
    .map((path) => /[0-9a-f]{64}/.exec(path.split('/').at(-1)!)?.[0] ?? path)
    .sort();

export const hashesOf = (contents: Iterable<string | Uint8Array>): string[] =>
  [...new Set([...contents].map(sha256))].sort();
