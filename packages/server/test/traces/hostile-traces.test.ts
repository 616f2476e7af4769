import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubmittedStep } from '@assay/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { readTrace, TRACE_LIMITS, type TraceContents, type TraceLimits } from '../../src/traces/read-trace.ts';
import { checkReading, type Entries, jsonLines, newFolder, writeZip } from './trace-zip.ts';

const folder = newFolder();
afterAll(() => folder[Symbol.dispose]());

const request = (path: string): unknown => ({
  type: 'resource-snapshot',
  snapshot: { request: { method: 'GET', url: `https://shop.test${path}` }, response: { status: 200 } },
});

const reasonOf = async (bytes: Buffer | string): Promise<string> => {
  const file = join(folder.path, 'hostile.zip');
  writeFileSync(file, bytes);
  const reading = await readTrace(file);
  checkReading(reading);
  return reading.ok ? 'none' : reading.reason;
};

const contentsOf = async (entries: Entries, limits: Partial<TraceLimits> = {}): Promise<TraceContents> => {
  const reading = await readTrace(await writeZip(folder, entries), { ...TRACE_LIMITS, ...limits });
  checkReading(reading);
  if (!reading.ok) throw new Error(reading.reason);
  return reading.contents;
};

const pathsOf = ({ requests }: TraceContents): string[] =>
  requests.map(({ url }) => url.replace('https://shop.test', ''));

const zipOf = async (entries: Entries, compress = true): Promise<Buffer> =>
  readFileSync(await writeZip(folder, entries, compress));

/** Finds the header of the first entry in the directory at the end. */
const directoryOf = (zip: Buffer): number => zip.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));

describe('what is no trace', () => {
  test.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['the first bytes of a zip file', 'PK\u0003\u0004'],
    ['zeros', Buffer.alloc(100_000)],
  ])('%s is not a zip file', async (_, bytes) => {
    expect(await reasonOf(bytes)).toMatch(/not a zip file/);
  });

  test('a file that cannot be opened says nothing about its trace', async () => {
    await expect(readTrace(join(folder.path, 'absent.zip'))).rejects.toThrow('ENOENT');
  });

  test('a zip file without a trace says so', async () => {
    expect(await reasonOf(await zipOf({ 'a.txt': 'hello', 'resources/x.trace': jsonLines(request('/a')) }))).toMatch(
      /holds no Playwright trace/,
    );
    expect(await reasonOf(await zipOf({ 'test.trace': 'no json\n[]\n7\nnull\n{"type":7}\n' }))).toMatch(
      /holds no Playwright trace/,
    );
  });

  test('an encrypted one says so', async () => {
    const zip = await zipOf({ 'test.trace': jsonLines(request('/a')) });
    for (const flags of [6, directoryOf(zip) + 8]) zip.writeUInt16LE(zip.readUInt16LE(flags) | 1, flags);
    expect(await reasonOf(zip)).toMatch(/encrypted/);
  });

  test('one with too many files says so', async () => {
    const file = await writeZip(folder, { a: '', b: '', c: '', 'test.trace': jsonLines(request('/a')) });
    expect(await readTrace(file, { ...TRACE_LIMITS, maxEntries: 3 })).toMatchObject({ ok: false });
  });
});

describe('what is damaged', () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => request(`/${at}`));

  test('cut off anywhere, it is not a zip file', async () => {
    const zip = await zipOf({ 'test.trace': jsonLines(...lines) });
    for (const share of [0.1, 0.5, 0.9, 0.999]) {
      expect(await reasonOf(zip.subarray(0, Math.floor(zip.length * share)))).toMatch(/not a zip file/);
    }
  });

  test('what comes before the damage is read, and so are the other files', async () => {
    const zip = await zipOf({ 'a.network': jsonLines(...lines), 'b.network': jsonLines(request('/intact')) });
    zip.fill(0xff, 8_000, 8_100);
    const file = join(folder.path, 'damaged.zip');
    writeFileSync(file, zip);
    const reading = await readTrace(file);
    if (!reading.ok) throw new Error(reading.reason);
    const paths = pathsOf(reading.contents);
    expect(paths.slice(0, 2)).toEqual(['/0', '/1']);
    expect(paths.length).toBeLessThan(lines.length);
    expect(paths.at(-1)).toBe('/intact');
  });

  test.each([0, 1, 1_000, 4_000_000_000])('a size of %d that is a lie does not matter', async (size) => {
    const zip = await zipOf({ 'a.network': jsonLines(...lines) });
    zip.writeUInt32LE(size, directoryOf(zip) + 24);
    expect(await reasonOf(zip)).toMatch(/none|damaged/);
  });

  test('a place of the data beyond the end of the file is damage', async () => {
    const zip = await zipOf({ 'a.network': jsonLines(...lines) }, false);
    zip.writeUInt32LE(zip.length - 40, directoryOf(zip) + 42);
    expect(await reasonOf(zip)).toMatch(/damaged/);
  });
});

describe('limits', () => {
  test('a line that is too long is passed over, and the next is read', async () => {
    const long = JSON.stringify(request(`/${'x'.repeat(10_000_000)}`));
    const contents = await contentsOf({
      'a.network': `${jsonLines(request('/before'))}${long}\n${jsonLines(request('/after'))}`,
    });
    expect(pathsOf(contents)).toEqual(['/before', '/after']);
  });

  test('of a file that unpacks to far more than it may, the beginning is read', async () => {
    const entries = {
      'a.network': jsonLines(request('/first')) + '\n'.repeat(5_000_000) + jsonLines(request('/last')),
      'b.network': jsonLines(request('/other')),
    };
    expect(pathsOf(await contentsOf(entries))).toEqual(['/first', '/last', '/other']);
    expect(pathsOf(await contentsOf(entries, { maxEntryBytes: 1_000_000 }))).toEqual(['/first', '/other']);
    expect(pathsOf(await contentsOf(entries, { maxTotalBytes: 1_000_000 }))).toEqual(['/first']);
  });

  test('of very many lines the first are read', async () => {
    const file = jsonLines(request('/first')) + '{}\n'.repeat(50_000) + jsonLines(request('/last'));
    expect(pathsOf(await contentsOf({ 'a.network': file, 'b.network': file }, { maxLines: 40_000 }))).toEqual([
      '/first',
    ]);
  });

  test('a file with very many lines that are no JSON is given up', async () => {
    const file = jsonLines(request('/first')) + '{x}\n'.repeat(100_000) + jsonLines(request('/last'));
    expect(pathsOf(await contentsOf({ 'a.network': file }))).toEqual(['/first']);
  });

  test('only so many requests, steps and messages are kept, of all files together', async () => {
    const many = Array.from({ length: 30 }, (_, at) => at);
    const file = jsonLines(
      ...many.map((at) => request(`/${at}`)),
      ...many.map((at) => ({ type: 'before', callId: `call@${at}`, apiName: 'page.click' })),
      ...many.map(() => ({ type: 'console', messageType: 'error', text: 'no' })),
    );
    const limits = { maxRequests: 40, maxSteps: 35, maxConsoleMessages: 50 };
    const contents = await contentsOf({ '0-trace.trace': file, '1-trace.trace': file }, limits);
    expect([contents.requests.length, contents.steps.length, contents.console.length]).toEqual([40, 35, 50]);
  });

  test('long texts are cut', async () => {
    const long = 'é'.repeat(200_000);
    const { steps, console, requests } = await contentsOf({
      'a.trace': jsonLines(
        { type: 'before', callId: 'call@1', title: long },
        { type: 'after', callId: 'call@1', error: { message: long } },
        { type: 'console', messageType: 'warning', text: long, location: { url: long, lineNumber: 1 } },
        request(`/${long}`),
      ),
    });
    expect(steps[0]?.title.length).toBe(1_000);
    expect(steps[0]?.error).toHaveLength(8_000);
    expect(console[0]?.text.length).toBe(4_000);
    expect(console[0]?.location?.length).toBeLessThan(2_010);
    expect(requests[0]?.url.length).toBe(4_000);
  });

  test('steps within steps within steps end at a depth that can be stored', async () => {
    const nested = Array.from({ length: 3_000 }, (_, at) => ({
      type: 'before',
      callId: `step@${at}`,
      parentId: `step@${at - 1}`,
      title: String(at),
    }));
    const { steps } = await contentsOf({ 'test.trace': jsonLines(...nested) });
    const depthOf = (children: readonly SubmittedStep[]): number =>
      1 + Math.max(0, ...children.filter((child) => child.steps).map((child) => depthOf(child.steps!)));
    expect(depthOf(steps)).toBe(30);
  });
});

describe('lines that nobody would write', () => {
  const ODD: readonly unknown[] = [
    null,
    true,
    0,
    -1,
    1e300,
    '',
    'x',
    '\ud800',
    [],
    [[]],
    {},
    { error: [] },
    { guid: 7 },
  ];
  const TYPES = ['context-options', 'before', 'after', 'console', 'event', 'object', 'resource-snapshot', 'log', 'x'];
  const KEYS = [
    'version wallTime monotonicTime callId parentId stepId startTime endTime title subtitle apiName class method params',
    'error messageType text args location time guid initializer snapshot',
  ].flatMap((names) => names.split(' '));

  test('values of the wrong type are as if they were not there', async () => {
    const valid = { callId: 'a', class: 'Test', method: 'console', messageType: 'error', startTime: 1, wallTime: 2 };
    const events = TYPES.flatMap((type) => KEYS.flatMap((key) => ODD.map((odd) => ({ type, ...valid, [key]: odd }))));
    const nested = ['request', 'response', 'startedDateTime', 'time', '_resourceType'].flatMap((key) =>
      ODD.map((odd) => ({
        type: 'resource-snapshot',
        snapshot: { request: { url: 'https://shop.test/' }, [key]: odd },
      })),
    );
    const contents = await contentsOf({ 'test.trace': jsonLines(...events), 'a.network': jsonLines(...nested) });
    expect(contents.requests.length).toBeGreaterThan(0);
  });

  test('JSON that is deep, broken, not UTF-8 or names prototypes does not hide its neighbours', async () => {
    const contents = await contentsOf({
      'a.network': Buffer.concat([
        Buffer.from(`${'['.repeat(500_000)}\n`),
        Buffer.from(`{"type":"resource-snapshot","snapshot":${'{"request":'.repeat(50_000)}1${'}'.repeat(50_000)}}\n`),
        Buffer.from('{"type":"resource-snapshot","snapshot":\n'),
        Buffer.from([0x7b, 0xff, 0xfe, 0xc0, 0x80, 0x0a, 0x0d, 0x0a, 0x0a, 0x00, 0x0a]),
        Buffer.from('{"type":"resource-snapshot","__proto__":{"snapshot":{"request":{"url":"https://x.test/"}}}}\n'),
        Buffer.from('{"type":"resource-snapshot","constructor":{"prototype":{"polluted":1}}}\r\n'),
        Buffer.from(jsonLines(request('/neighbour')).trimEnd()),
      ]),
    });
    expect(pathsOf(contents)).toEqual(['/neighbour']);
    expect('polluted' in {}).toBe(false);
  });
});
