import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ReportReaderOptions, openReportReader } from './report-reader.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'assay-reader-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let tasks = 0;
const taskOf = (...contents: string[]) => {
  const intoDir = join(folder, `into-${tasks++}`);
  mkdirSync(intoDir);
  const files = contents.map((content, at) => {
    const file = join(folder, `file-${tasks}-${at}`);
    writeFileSync(file, content);
    return { file, name: `report-${at}` };
  });
  const limits = { maxEntries: 10, maxBytes: 1e9, maxFileBytes: 1e9, maxRatio: 200 };
  const told = { projectName: 'shop' };
  return { files, intoDir, limits, root: '', told, runKey: null, shard: null, incomplete: false };
};

const SMALL = '1..1\nok 1 - adds\n';
/** Of which each byte becomes an object. */
const large = (): string => `{"numTotalTests":1,"testResults":[${'{},'.repeat(3_000_000)}{}]}`;

it.each<[string, ReportReaderOptions, RegExp]>([
  ['memory', { memoryMb: 32 }, /^Nothing was imported: report-1: reading it takes more than 32 MB of memory$/],
  ['time', { taskMs: 30 }, /^Nothing was imported: report-\d: reading it takes longer than 0\.03 seconds$/],
])(
  'a report that takes too much %s is refused by its name, and the next one is read',
  async (_what, limit, message) => {
    const reader = openReportReader(limit);
    try {
      const { signal } = new AbortController();
      await expect(reader.read(taskOf(SMALL, large()), signal)).rejects.toMatchObject({
        code: 'body_too_large',
        message: expect.stringMatching(message),
      });
      if (limit.memoryMb === undefined) return;
      expect(await reader.read(taskOf(SMALL), signal)).toMatchObject({
        ok: true,
        formats: [{ format: 'TAP', files: 1 }],
      });
    } finally {
      await reader.close();
    }
  },
);
