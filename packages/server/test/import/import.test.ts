import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorBody, type ImportReply, urlOf, endpoints } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newName, submission } from '../conformance/build.ts';
import { type Files, rawZip, zipOf } from '../files/archives.ts';
import { holdSubmission } from '../robustness/raw-http.ts';
import { until } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { readConfig } from '../tested-service.ts';

const SAMPLES = join(import.meta.dirname, '../../../import/test/samples');
const sample = (name: string): Buffer<ArrayBuffer> => readFileSync(join(SAMPLES, name));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Body = string | FormData | Uint8Array<ArrayBuffer>;

interface Given {
  readonly query?: object;
  readonly headers?: Record<string, string>;
}

const post = (body: Body, { query = {}, headers = {} }: Given = {}): Promise<Response> =>
  fetch(`${server.url}${urlOf(endpoints.importReports, {}, { projectName: 'shop', ...query })}`, {
    method: 'POST',
    body,
    headers,
  });

const imported = async (body: Body, given?: Given): Promise<ImportReply> => {
  const response = await post(body, given);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as ImportReply;
};

const refused = async (body: Body, given?: Given): Promise<ErrorBody> => {
  const response = await post(body, given);
  const answer = (await response.json()) as ErrorBody;
  expect(response.status).toBe(answer.statusCode);
  return answer;
};

/** As parts of a request may be. */
const zipped = async (files: Files): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await zipOf(files));

const form = (...files: readonly (readonly [name: string, content: string | Uint8Array<ArrayBuffer>])[]): FormData => {
  const sent = new FormData();
  for (const [name, content] of files) sent.append('file', new Blob([content]), name);
  return sent;
};

const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const failedWith = (note: string, path: string): object => ({
  retry: 0,
  status: 'failed',
  attachments: [
    { name: 'note', contentType: 'text/plain', body: Buffer.from(note).toString('base64') },
    { name: 'host', contentType: 'text/plain', path },
  ],
});

const runsOf = async (projectName: string): Promise<number> => {
  const projects = await server.client.listProjects();
  return projects.find(({ name }) => name === projectName)?.totalRuns ?? 0;
};

describe('a report', () => {
  it.each(['application/xml', 'application/json', 'application/x-www-form-urlencoded', 'text/plain', ''])(
    'is taken as the body, with the content type "%s"',
    async (type) => {
      const reply = await imported(sample('junit-pytest.xml'), {
        headers: type === '' ? {} : { 'content-type': type },
      });
      expect(reply).toMatchObject({ outcome: 'stored', formats: [{ format: 'JUnit XML', files: 1 }], warnings: [] });
      const run = await server.client.getRun({ params: { id: reply.testRunId } });
      expect(run).toMatchObject({ status: reply.status, totalTests: reply.totalTests });
    },
  );

  it.each(readdirSync(SAMPLES).filter((name) => /\.(?:xml|json|tap|trx|bin|zip)$/.test(name)))(
    'of any format is read as the command reads it: %s',
    async (name) => {
      const response = await post(sample(name), { query: { projectName: 'formats', incomplete: 'true' } });
      const reply = (await response.json()) as ImportReply;
      if (name === 'rspec-broken.json') expect(reply).toMatchObject({ status: 'failed', totalTests: 0 });
      else expect(reply.totalTests).toBeGreaterThan(0);
      const run = await server.client.getRun({ params: { id: reply.testRunId } });
      expect(run.testCases).toHaveLength(reply.totalTests);
      expect(run).toMatchObject({ failedTests: reply.failedTests, flakyTests: reply.flakyTests });
    },
  );

  it('says what is told of it', async () => {
    const query = { branch: 'main', commit: 'abc', root: '/home/ci/shop' };
    const { testRunId } = await imported(sample('jest.json'), { query });
    const run = await server.client.getRun({ params: { id: testRunId } });
    expect(run).toMatchObject({
      branch: 'main',
      commit: 'abc',
      metadata: { upload: { formats: [expect.any(String)] } },
    });
    expect(run.testCases.every(({ filePath }) => !filePath.startsWith('/'))).toBe(true);
  });
});

describe('several files', () => {
  it('of a form make one run', async () => {
    const reply = await imported(form(['a.xml', sample('junit-surefire.xml')], ['b.json', sample('go-test.json')]));
    expect(reply).toMatchObject({
      totalTests: 16,
      formats: [
        { format: 'JUnit XML', files: 1 },
        { format: 'Go test JSON', files: 1 },
      ],
    });
  });

  it('of a folder make one run, whatever else is in it', async () => {
    const reply = await imported(
      form(
        ['reports/a.xml', sample('junit-surefire.xml')],
        ['reports/notes.md', '# Notes'],
        ['coverage/c.xml', '<a/>'],
      ),
    );
    expect(reply.totalTests).toBe(6);
    expect(reply.warnings).toEqual([expect.stringContaining('coverage/c.xml was left out')]);
  });

  it('of a zip make one run, whatever else is in it', async () => {
    const zip = await zipped({
      'reports/a.xml': sample('junit-surefire.xml'),
      'reports/deep/b.json': sample('go-test.json'),
      'reports/notes.md': Buffer.from('# Notes'),
      'reports/coverage.xml': Buffer.from('<coverage/>'),
    });
    const reply = await imported(form(['reports.zip', zip]));
    expect(reply.totalTests).toBe(16);
    expect(reply.warnings).toEqual([expect.stringContaining('reports.zip/reports/coverage.xml was left out')]);
  });

  it('that repeat each other count once', async () => {
    const folder = join(SAMPLES, 'testng');
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const zip = await zipped(
      Object.fromEntries(
        names.map(({ parentPath, name }) => {
          const path = join(parentPath, name);
          return [path.slice(folder.length + 1), readFileSync(path)];
        }),
      ),
    );
    const alone = await imported(sample('testng/testng-results.xml'));
    expect(await imported(zip)).toMatchObject({ totalTests: alone.totalTests, failedTests: alone.failedTests });
  });

  it('of several shards make one run, with their traces and blob reports', async () => {
    const blobs = [1, 2].map((at) => [`${at}.zip`, sample(`playwright-blob-${at}.zip`)] as const);
    const reply = await imported(form(...blobs));
    const run = await server.client.getRun({ params: { id: reply.testRunId } });
    expect(run).toMatchObject({ totalTests: 13, flakyTests: 1, shards: { total: 2, missing: [] } });
    expect(run.reports.map(({ type }) => type)).toEqual(['blob', 'blob']);
    const failed = run.testCases.find(({ title }) => title === 'cart › with a voucher › adds up')!;
    const { attachments } = await server.client.getTestCase({ params: { id: failed.id } });
    expect(attachments).toMatchObject(
      [0, 1].map((attempt) => ({ attempt, name: 'error-context', contentType: 'text/markdown' })),
    );
    const text = await fetch(`${server.url}/api/files/${attachments[0]!.path}`);
    expect(await text.text()).toContain('# ');
  });

  it('have the attachments that came with them, and no other file of this machine', async () => {
    const named = ['../shots/cart.png', 'own.txt', '/etc/passwd', '../../../../../../../../etc/passwd'];
    const junit = `<testsuite name="s"><testcase name="a"><failure/><system-out>
      ${named.map((path) => `[[ATTACHMENT|${path}]]`).join('\n')}</system-out></testcase></testsuite>`;
    const picture = Buffer.from(ONE_PIXEL, 'base64');
    const zip = await zipped({ 'out/junit.xml': junit, 'shots/cart.png': picture, 'out/own.txt': 'own' });
    const body = JSON.stringify({
      config: {},
      errors: [],
      suites: [{ specs: [{ title: 'b', tests: [{ results: [failedWith('a note', '/etc/hostname')] }] }] }],
    });
    const reply = await imported(form(['all.zip', zip], ['report.json', body]));
    const { testCases } = await server.client.getRun({ params: { id: reply.testRunId } });
    const [a, b] = await Promise.all(testCases.map(({ id }) => server.client.getTestCase({ params: { id } })));
    expect(a!.attachments).toMatchObject([
      { name: 'cart.png', contentType: 'image/png', size: picture.length, width: 1, height: 1, attempt: 0 },
      { name: 'own.txt', contentType: 'text/plain', size: 3 },
    ]);
    expect(a!.attempts).toMatchObject([{ leftOut: [{ name: 'passwd' }, { name: 'passwd' }] }]);
    expect(b!.attachments).toMatchObject([{ name: 'note', contentType: 'text/plain', size: 6, attempt: 0 }]);
    expect(b!.attempts).toMatchObject([{ leftOut: [{ name: 'host', why: 'not among the files that were sent' }] }]);
  });
});

describe('parts', () => {
  it('join by their run key, and a later attempt takes the place of an earlier one', async () => {
    const query = { projectName: newName(), runKey: 'build 1', shard: '1/2' };
    const first = await imported('1..1\nnot ok 1 - adds\n', { query });
    const second = await imported('1..1\nok 1 - pays\n', { query: { ...query, shard: '2/2' } });
    const again = await imported('1..1\nok 1 - adds\n', { query: { ...query, attempt: 2 } });
    expect([second.testRunId, again.testRunId]).toEqual([first.testRunId, first.testRunId]);
    expect(again.outcome).toBe('replaced');
    const run = await server.client.getRun({ params: { id: first.testRunId } });
    expect(run).toMatchObject({ status: 'passed', totalTests: 2, shards: { total: 2, missing: [] } });
  });

  it('that are sent again with the same key are stored once', async () => {
    const given = { query: { projectName: newName() }, headers: { 'idempotency-key': newName() } };
    const blobs = [1, 2].map((at) => [`${at}.zip`, sample(`playwright-blob-${at}.zip`)] as const);
    const [first, again] = [await imported(form(...blobs), given), await imported(form(...blobs), given)];
    expect(again.testRunId).toBe(first.testRunId);
    const run = await server.client.getRun({ params: { id: first.testRunId } });
    expect(run.totalTests).toBe(13);
  });
});

describe('results of reports count as those of submissions do', () => {
  const KIB = 1024;
  const tap = (tests: number): string =>
    `1..${tests}\n${Array.from({ length: tests }, (_, nth) => `ok ${nth + 1} - adds ${nth}\n`).join('')}`;
  const ask = async (url: string, body: FormData): Promise<unknown> => {
    const answer = await fetch(`${url}${urlOf(endpoints.importReports, {}, { projectName: 'shop' })}`, {
      method: 'POST',
      body,
    });
    return answer.json();
  };

  it('one more is refused when too many wait to be stored, and taken later', async () => {
    await using small = await startTestServer({ maxWaitingBytes: 100 * KIB });
    const body = Buffer.from(JSON.stringify({ ...submission(), padding: 'x'.repeat(90 * KIB) }));
    const held = holdSubmission(small.url, body, { sentBytes: body.length - 1 });
    await until('nothing more may wait', async () => {
      const answer = (await ask(small.url, form(['report.tap', tap(1_000)]))) as ErrorBody;
      return answer.code === 'unavailable';
    });
    await held.finish();
    expect((await held.answer).status).toBe(200);
    expect(await ask(small.url, form(['report.tap', tap(1_000)]))).toMatchObject({ success: true, totalTests: 1_000 });
  });

  it('those of one run are refused when they are more than a submission may send', async () => {
    await using small = await startTestServer({ maxBodyBytes: 10 * KIB });
    expect(await ask(small.url, form(['report.tap', tap(1_000)]))).toMatchObject({
      code: 'body_too_large',
      issues: [{ message: expect.stringContaining('10240 bytes') }],
    });
    expect(await small.client.listProjects()).toEqual([]);
    expect(await ask(small.url, form(['report.tap', tap(10)]))).toMatchObject({ success: true });
  });
});

describe('what is not right is refused, names its file, and stores nothing', () => {
  const cut = sample('junit-pytest.xml').subarray(0, 300);
  it.each<[string, () => Body | Promise<Body>, RegExp]>([
    [
      'a file that is no report',
      () => form(['a.xml', sample('junit-pytest.xml')], ['b.png', '\u0089PNG']),
      /b\.png is not a report/,
    ],
    ['a body that is no report', () => 'hello', /The body is not a report/],
    ['an empty body', () => '', /The body is not a report: it is an empty file/],
    ['a form without files', () => new FormData(), /./],
    [
      'a report that is cut',
      () => form(['good.xml', sample('junit-vitest.xml')], ['cut.xml', cut]),
      /cut\.xml:\d+: it ends inside/,
    ],
    [
      'JSON that is cut',
      () => form(['cut.json', sample('jest.json').subarray(0, 500)]),
      /cut\.json:1: the JSON breaks off/,
    ],
    [
      'a zip without reports',
      async () => form(['a.zip', await zipped({ 'notes.md': Buffer.from('a') })]),
      /no report was found in a\.zip/,
    ],
    [
      'a zip that leaves its folder',
      () => form(['a.zip', new Uint8Array(rawZip([{ name: '../../a.xml', content: cut }]))]),
      /a\.zip: the archive was refused at/i,
    ],
    [
      'a zip that is cut',
      async () => {
        const zip = await zipped({ 'a.xml': sample('junit-pytest.xml'), 'b.xml': sample('junit-vitest.xml') });
        return form(['a.zip', zip.subarray(0, zip.length - 10)]);
      },
      /a\.zip: The archive was refused: the zip archive cannot be read/,
    ],
    [
      'a zip that inflates to far more than it is',
      async () => form(['a.zip', await zipped({ 'a.xml': Buffer.alloc(20_000_000, ' ') })]),
      /a\.zip: The archive was refused at "a\.xml": it inflates to more than/,
    ],
    [
      'JSON that is very deep',
      () => form(['a.json', `{"numTotalTests":1,"testResults":${'['.repeat(100_000)}`]),
      /a\.json is not a report/,
    ],
    [
      'suites that are very deep',
      () => form(['a.xml', '<testsuite>'.repeat(20_000)]),
      /a\.xml:1: it ends inside of <testsuite>/,
    ],
    ['a name with control characters', () => form(['a\u001b[31m.txt', 'hello']), /a�\[31m\.txt is not a report/],
  ])('%s', async (_name, body, message) => {
    const projectName = newName();
    const answer = await refused(await body(), { query: { projectName } });
    expect(answer).toMatchObject({ statusCode: 400, message: expect.stringMatching(message) });
    expect(await runsOf(projectName)).toBe(0);
  });

  it('more than the entries that an archive may have', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `${at}.xml`);
    const zip = await zipped(Object.fromEntries(names.map((name) => [name, sample('junit-pytest.xml')])));
    const { archiveLimits } = readConfig({});
    await using small = await startTestServer({ archiveLimits: { ...archiveLimits, maxEntries: 20 } });
    const url = `${small.url}${urlOf(endpoints.importReports, {}, { projectName: 'shop' })}`;
    const answer = await fetch(url, { method: 'POST', body: form(['many.zip', zip]) });
    expect(await answer.json()).toMatchObject({
      code: 'unsafe_archive',
      message: expect.stringMatching(/^many\.zip: .*20/),
    });
    expect(await small.client.listProjects()).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['no project', { projectName: '' }, '/projectName'],
    ['a shard without a run key', { shard: '1/2' }, '/runKey'],
    ['a shard that is none', { shard: '3/2', runKey: 'a' }, '/shard'],
    ['an attempt that is none', { attempt: 'first' }, '/attempt'],
  ])('%s', async (_name, query, path) => {
    const answer = await refused('1..1\nok 1\n', { query });
    expect(answer).toMatchObject({ statusCode: 400, code: 'invalid_query', issues: [{ path }] });
  });

  it('but entities that a report declares stay as they are, and control characters are stored', async () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
    const { testRunId } = await imported(
      `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><testsuite><testcase name="&l9; \u001b[31m\u0000\u202e"/></testsuite>`,
    );
    const { testCases } = await server.client.getRun({ params: { id: testRunId } });
    expect(testCases.map(({ title }) => title)).toEqual([expect.stringMatching(/^&l9; /)]);
  });

  it('but of a damaged report what can be read is stored on demand, as interrupted', async () => {
    const reply = await imported(form(['cut.tap', 'TAP version 13\nok 1 - adds\n']), { query: { incomplete: 'true' } });
    expect(reply).toMatchObject({
      status: 'interrupted',
      totalTests: 1,
      warnings: [expect.stringContaining('cut.tap: it has no plan')],
    });
  });
});
