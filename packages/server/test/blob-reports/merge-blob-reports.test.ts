import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { fromBufferPromise, openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { mergeBlobReports } from '../../src/blob-reports/merge-blob-reports.ts';
import { makePlaywrightReports, PLAYWRIGHT_REPORTS_TIMEOUT_MS } from '../playwright-reports.ts';

const LIMITS = { timeoutMs: 90_000, maxMemoryMb: 512 };

let blobs: string[];
let intoDir: string;
beforeAll(async () => {
  ({ blobs } = await makePlaywrightReports(inject('chromium')));
}, PLAYWRIGHT_REPORTS_TIMEOUT_MS);
beforeEach(() => {
  intoDir = mkdtempSync(join(tmpdir(), 'assay-merge-'));
});
afterEach(() => rmSync(intoDir, { recursive: true, force: true }));

interface ReportFile {
  readonly tests: readonly { readonly title: string; readonly outcome: string }[];
}

/** An HTML report carries its data as a zip file in its page. */
const dataOf = async (htmlDir: string): Promise<[name: string, content: string][]> => {
  const page = readFileSync(join(htmlDir, 'index.html'), 'utf8');
  const [, data] = /data:application\/zip;base64,([A-Za-z0-9+/=]+)/.exec(page) ?? [];
  const zip = await fromBufferPromise(Buffer.from(data ?? '', 'base64'), { lazyEntries: true });
  const files: [string, string][] = [];
  for await (const entry of zip.eachEntry()) {
    files.push([entry.fileName, await text(await zip.openReadStreamPromise(entry))]);
  }
  return files;
};

const testsOf = async (htmlDir: string): Promise<string[]> =>
  (await dataOf(htmlDir))
    .filter(([name]) => name !== 'report.json')
    .flatMap(([, content]) => (JSON.parse(content) as Partial<ReportFile>).tests ?? [])
    .map(({ title, outcome }) => `${title}: ${outcome}`)
    .sort();

const textsIn = async (htmlDir: string): Promise<string> => {
  const files = readdirSync(htmlDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const contents = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  return [...contents, ...(await dataOf(htmlDir)).map(([, content]) => content)].join('\n');
};

const write = async (entries: Readonly<Record<string, string | Buffer>>): Promise<string> => {
  const file = join(intoDir, 'blob.zip');
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
};

const entriesOf = async (file: string): Promise<Record<string, Buffer>> => {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const entries: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    entries[entry.fileName] = Buffer.concat(await stream.toArray());
  }
  zip.close();
  return entries;
};

describe('blobs of two shards', () => {
  test('become one report with all tests and their attachments, though they ran in different folders', async () => {
    const entries = await entriesOf(blobs[1]!);
    const moved = String(entries['report.jsonl']).replaceAll('playwright-project', 'another-folder');
    const elsewhere = await write({ ...entries, 'report.jsonl': moved });
    const result = await mergeBlobReports({ ...LIMITS, blobs: [blobs[0]!, elsewhere], intoDir });
    if (!result.ok) throw new Error(result.reason);
    expect(await testsOf(result.htmlDir)).toEqual([
      'a page that fails says so in its console: expected',
      'changes the password: expected',
      'counts without a page: expected',
      'keeps its items: flaky',
      'pays by card: skipped',
      'pays by invoice: skipped',
      'shows the name of the user: expected',
      'shows the total: unexpected',
    ]);
    const files = readdirSync(join(result.htmlDir, 'data'));
    expect(files.filter((name) => name.endsWith('.zip'))).toHaveLength(7);
    expect(files.some((name) => name.endsWith('.png'))).toBe(true);
    expect(readdirSync(intoDir).sort()).toEqual(['blob.zip', 'html']);
  });

  test('stay as they are where Playwright is not installed', async () => {
    expect(await mergeBlobReports({ ...LIMITS, blobs, intoDir, playwright: null })).toMatchObject({
      ok: false,
      code: 'not_installed',
    });
  });

  test('are given up when it takes too long, and when it is no longer wanted', async () => {
    expect(await mergeBlobReports({ ...LIMITS, blobs, intoDir, timeoutMs: 1 })).toMatchObject({ code: 'timed_out' });
    expect(await mergeBlobReports({ ...LIMITS, blobs, intoDir, signal: AbortSignal.abort() })).toMatchObject({
      ok: false,
      reason: 'Merging the blob reports was stopped.',
    });
  });

  test('that unpack to more than they may are refused', async () => {
    expect(await mergeBlobReports({ ...LIMITS, blobs, intoDir, maxUnpackedBytes: 1_000 })).toMatchObject({
      ok: false,
      reason: 'The blob reports are too large to be merged.',
    });
  });
});

describe('what is no blob', () => {
  test('fails with a reason', async () => {
    const hello = join(intoDir, 'hello.zip');
    writeFileSync(hello, 'hello');
    expect(await mergeBlobReports({ ...LIMITS, blobs: [hello], intoDir })).toMatchObject({
      code: 'failed',
      reason: 'A blob report is not a zip file, or it is damaged.',
    });
    const empty = await write({ 'report.jsonl': '{}\n' });
    expect(await mergeBlobReports({ ...LIMITS, blobs: [empty], intoDir })).toMatchObject({
      code: 'failed',
      reason: expect.stringContaining('No metadata event found'),
    });
  });

  test('gets no file of the machine into its report, neither as a source nor as an attachment', async () => {
    const secret = join(intoDir, 'secret.ts');
    writeFileSync(secret, '// a secret of the machine\n'.repeat(50));
    const entries = await entriesOf(blobs[1]!);
    const report = String(entries['report.jsonl'])
      .replaceAll(/"file":"[^"]+"/g, '"file":"../secret.ts"')
      .replaceAll(/"path":"resources\/[^"]+"/g, '"path":"../../secret.ts"');
    const blob = await write({ ...entries, 'report.jsonl': report });
    const result = await mergeBlobReports({ ...LIMITS, blobs: [blob], intoDir });
    expect(result).toMatchObject({ ok: true });
    expect((await textsIn(join(intoDir, 'html'))).includes('a secret of the machine')).toBe(false);
  });
});
