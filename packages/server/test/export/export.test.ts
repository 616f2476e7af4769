import { EXPORTS, type ExportFormat, type SubmittedCase } from '@assay/contract';
import { aCase, aSubmission } from '@assay/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { richCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';
import { exportRun, readBack } from './read-back.ts';

/** What formats would take for their own: the end of a section, quotes, control characters, half of a character. */
const HOSTILE = ']]> & <b> "quoted" \u0000\u0001\u001b[31mred\u001b[39m \uD800 \uFFFE \r\n\tend 🦊';

const CASES: readonly SubmittedCase[] = [
  richCase(),
  aCase({ title: 'passes › at once', status: 'passed', location: 'org.shop.CartTest', duration: 12.5 }),
  aCase({
    title: 'is flaky',
    status: 'passed',
    location: 'tests/a b.spec.ts:3:1',
    retries: 1,
    browser: 'firefox',
    attempts: [
      { status: 'timedOut', error: 'too slow' },
      { status: 'passed', output: [{ stream: 'stdout', text: 'hi' }] },
    ],
  }),
  aCase({ title: 'is skipped', status: 'skipped', location: 'tests/a.spec.ts:9' }),
  aCase({ title: 'is too slow', status: 'timedOut', error: 'slow', location: 'tests/a.spec.ts:10', retries: 1 }),
  aCase({ title: 'was stopped', status: 'interrupted', location: 'tests/a.spec.ts:11' }),
  aCase({
    title: `=1+1 ${HOSTILE}`,
    status: 'failed',
    error: HOSTILE,
    location: 'tests/b.spec.ts:1',
    tags: ['@a', '-b'],
  }),
];

let server: TestServer;
let id: number;
beforeAll(async () => {
  server = await sharedServer();
  const body = aSubmission({ projectName: 'shop "&"', status: 'failed', branch: 'main', testCases: [...CASES] });
  id = (await server.client.submitRun({ body })).testRunId;
});

const textOf = async (format: ExportFormat): Promise<string> => (await exportRun(server.url, id, format)).text();

describe('every format', () => {
  it.each(Object.entries(EXPORTS))(
    '%s has its type and a name, tells its loss, and is not sent again',
    async (name, kind) => {
      const { headers } = await exportRun(server.url, id, name as ExportFormat);
      expect(headers.get('content-type')).toBe(kind.contentType);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="run-${id}.${kind.extension}"`);
      expect(headers.get('assay-loss')).toBe(kind.loss);
      const url = `${server.url}/api/test-runs/${id}/export?format=${name}`;
      const again = await fetch(url, { headers: { 'if-none-match': headers.get('etag')! } });
      expect(again.status).toBe(304);
    },
  );

  it('answers an unknown format and an unknown run with an error that is no download', async () => {
    for (const [path, status] of [
      [`${id}/export?format=pdf`, 400],
      [`${id}/export`, 400],
      ['99999/export?format=csv', 404],
    ]) {
      const answer = await fetch(`${server.url}/api/test-runs/${path}`);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('content-disposition')).toBeNull();
    }
  });
});

it('JUnit XML is read back by our importer with names, places, browsers, outcomes, retries and errors', async () => {
  const { formats, cases } = await readBack(await textOf('junit'));
  expect(formats).toEqual(['JUnit XML']);
  const byTitle = new Map(cases.map((one) => [one.title, one]));
  expect(byTitle.get('pays with a card')).toMatchObject({
    status: 'failed',
    duration: 812.5,
    location: 'tests/checkout/pay.spec.ts:12:7',
    error: 'Error: expected 200\n    at tests/checkout/pay.spec.ts:14:3',
    retries: 2,
    browser: 'chromium',
    tags: ['@smoke', '@slow'],
  });
  expect(byTitle.get('passes › at once')).toMatchObject({ status: 'passed', location: 'org.shop.CartTest' });
  expect(byTitle.get('is flaky')).toMatchObject({
    status: 'passed',
    retries: 1,
    browser: 'firefox',
    location: 'tests/a b.spec.ts:3:1',
    attempts: [{ status: 'timedOut', error: 'too slow' }, { output: [{ stream: 'stdout', text: 'hi' }] }],
  });
  expect(byTitle.get('is skipped')).toMatchObject({ status: 'skipped' });
  expect(byTitle.get('is too slow')).toMatchObject({ status: 'timedOut', retries: 1 });
  expect(byTitle.get('was stopped')).toMatchObject({ status: 'failed' });
  const hostile = cases.find(({ title }) => title.startsWith('=1+1'))!;
  expect(hostile.error).toBe(']]> & <b> "quoted" \uFFFD\uFFFDred \uFFFD \uFFFD \r\n\tend 🦊');
  expect(cases).toHaveLength(CASES.length);
});

it('CTRF is read back by our importer with names, files, browsers, outcomes, retries and errors', async () => {
  const text = await textOf('ctrf');
  const report = JSON.parse(text) as { extra: { loss: string }; results: { summary: object } };
  expect(report.extra.loss).toBe(EXPORTS.ctrf.loss);
  expect(report.results.summary).toMatchObject({ tests: 7, passed: 2, failed: 4, skipped: 1, other: 0 });
  const { formats, cases } = await readBack(text);
  expect(formats).toEqual(['CTRF']);
  expect(cases.map(({ title }) => title)).toEqual(CASES.map(({ title }) => title.toWellFormed()));
  expect(cases.map(({ status }) => status)).toEqual([
    'failed',
    'passed',
    'passed',
    'skipped',
    'timedOut',
    'failed',
    'failed',
  ]);
  expect(cases.map(({ retries }) => retries)).toEqual([2, 0, 1, 0, 1, 0, 0]);
  expect(cases.map(({ browser }) => browser ?? null)).toEqual(CASES.map(({ browser }) => browser ?? null));
  expect(cases[0]).toMatchObject({ location: 'tests/checkout/pay.spec.ts:12', duration: 812.5 });
});

it('CSV has a record for each result, whatever its text, and no formula', async () => {
  const text = await textOf('csv');
  const [names, ...records] = parseCsv(text);
  expect(names).toContain('title');
  const column = (name: string): string[] => records.map((cells) => cells[names!.indexOf(name)]!);
  expect(column('status')).toEqual(CASES.map(({ status }) => status));
  expect(column('title').at(-1)).toBe(`'=1+1 ${HOSTILE.toWellFormed()}`);
  expect(column('error').at(-1)).toBe(HOSTILE.toWellFormed());
  expect(column('tags')[0]).toBe(`'@smoke @slow`);
  expect(records.every(({ length }) => length === names!.length)).toBe(true);
});

/** As RFC 4180 says. */
const parseCsv = (text: string): string[][] => {
  const records: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    records.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    if (match[3] === '\r\n') records.push([]);
    if (cell.lastIndex === text.length) break;
  }
  expect(cell.lastIndex).toBe(text.length);
  return records.slice(0, -1);
};

it('a run that is too large to be built at once is whole in every format', async () => {
  const count = 6_000;
  const testCases = Array.from({ length: count }, (_, at) =>
    aCase({ title: `Fall ${at}`, location: `tests/${at % 7}.spec.ts:${1 + at}`, metadata: { at } }),
  );
  const { testRunId } = await server.client.submitRun({ body: aSubmission({ testCases }) });
  const read = async (format: ExportFormat): Promise<string> => (await exportRun(server.url, testRunId, format)).text();
  expect((JSON.parse(await read('json')) as { testCases: unknown[] }).testCases).toHaveLength(count);
  expect((await readBack(await read('junit'))).cases).toHaveLength(count);
  expect((await readBack(await read('ctrf'))).cases).toHaveLength(count);
  expect(parseCsv(await read('csv'))).toHaveLength(count + 1);
});
