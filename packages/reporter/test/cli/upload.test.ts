import { once } from 'node:events';
import { copyFileSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLES } from '../../../import/test/read-sample.ts';
import { type TestServer, startTestServer } from '../../../server/test/server.ts';
import { type Workplace, createWorkplace } from './run-assay.ts';

let server: TestServer;
let place: Workplace;
beforeAll(async () => {
  server = await startTestServer();
  place = createWorkplace({ ASSAY_URL: server.url, ASSAY_PROJECT: 'shop' });
});
afterAll(async () => {
  place.remove();
  await server.stop();
});

/** Of a real run with a failed and a flaky test: three traces in all. */
const BOOKSHOP = join(import.meta.dirname, '../../../testkit/bookshop/blob.zip');

const sample = (name: string): string => join(SAMPLES, name);
const TRACES_OF_BOOKSHOP = {
  'Checkout › keeps the basket when the page is loaded again': 1,
  'Checkout › pays by card': 2,
};
/** Each attempt with a trace has the context of its error. */
const ATTACHMENTS_OF_BOOKSHOP = TRACES_OF_BOOKSHOP;
/** A report of one test. */
const playwrightJson = (attachments: readonly unknown[]) => ({
  config: { rootDir: '/home/ci/shop' },
  suites: [
    {
      title: 'checkout.spec.ts',
      specs: [
        {
          title: 'pays by card',
          file: 'checkout.spec.ts',
          line: 3,
          column: 1,
          tests: [
            { projectName: '', expectedStatus: 'passed', results: [{ status: 'failed', retry: 0, attachments }] },
          ],
        },
      ],
    },
  ],
  errors: [],
});
const runIdIn = (text: string): number => Number(/\/test-runs\/(\d+)/.exec(text)?.[1]);
const runsOf = async (name: string) => {
  const project = (await server.client.listProjects()).find((one) => one.name === name);
  return project ? (await server.client.getProject({ params: { id: project.id } })).testRuns : [];
};

describe('assay', () => {
  it('says what it can do, and which version it is', async () => {
    const [help, version, none] = await Promise.all([
      place.assay(['--help']),
      place.assayHere(['--version']),
      place.assayHere(['uplaod']),
    ]);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('assay upload <files…>') });
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(none).toEqual({ code: 2, stdout: '', stderr: 'assay: there is no command uplaod; see assay --help\n' });
  });
});

describe('assay upload', () => {
  it('sends several files as one run, with what CI says and the reports that go with it', async () => {
    mkdirSync(join(place.folder, 'html'));
    writeFileSync(join(place.folder, 'html/index.html'), '<title>Shop</title>');
    const ended = await place.assay(
      [
        'upload',
        sample('junit-surefire.xml'),
        sample('go-test.json'),
        '--project=several',
        '--commit=abc',
        '--report=html=html',
        '--label=html=Shop report',
      ],
      { GITHUB_ACTIONS: 'true', GITHUB_REF_NAME: 'main', GITHUB_SHA: 'other', GITHUB_JOB: 'test' },
    );
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    const run = await server.client.getRun({ params: { id: runIdIn(ended.stderr) } });
    expect(run).toMatchObject({
      status: 'failed',
      startTime: '2026-03-04T05:06:07.000Z',
      totalTests: 16,
      flakyTests: 2,
      branch: 'main',
      commit: 'abc',
      project: { name: 'several' },
      reports: [{ type: 'html', label: 'Shop report' }],
      metadata: { ci: { provider: 'GitHub Actions' }, upload: { formats: ['JUnit XML', 'Go test JSON'] } },
    });
    expect(run.testCases.map(({ title }) => title)).toContain('TestFinds/a_lamp');
  });

  it('sends blobs of several shards as the parts of one run', async () => {
    const blobs = [1, 2].map((shard) => sample(`playwright-blob-${shard}.zip`));
    const ended = await place.assayHere(['upload', ...blobs, '--project', 'sharded', '--json']);
    const outcomes = JSON.parse(ended.stdout) as { kind: string; runId: number }[];
    expect(outcomes).toMatchObject([{ kind: 'sent' }, { kind: 'sent', runId: outcomes[0]!.runId }]);
    const run = await server.client.getRun({ params: { id: outcomes[0]!.runId } });
    expect(run).toMatchObject({ totalTests: 13, flakyTests: 1, shards: { total: 2, missing: [] } });
  });

  it('sends the same run key once, and shards that are told', async () => {
    const args = ['upload', sample('tap-12.tap'), '--project', 'keyed', '--run-key'];
    const [first, again] = [await place.assayHere([...args, 'a']), await place.assayHere([...args, 'a'])];
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(runIdIn(again.stderr)).toBe(runIdIn(first.stderr));
    const part = await place.assayHere([...args, 'b', '--shard', '2/3']);
    const run = await server.client.getRun({ params: { id: runIdIn(part.stderr) } });
    expect(run.shards).toMatchObject({ total: 3, missing: [1, 3] });
    expect(await runsOf('keyed')).toHaveLength(2);
  });

  it('sends what can be read of a damaged report as interrupted, names it, and exits with 1', async () => {
    writeFileSync(join(place.folder, 'cut.tap'), 'TAP version 13\nok 1 - a\n');
    const ended = await place.assayHere(['upload', 'cut.tap', '--project', 'damaged']);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('cut.tap: it has no plan') });
    expect(await runsOf('damaged')).toMatchObject([{ status: 'interrupted', totalTests: 1 }]);
    const dry = await place.assayHere(['upload', 'cut.tap', '--dry-run']);
    expect(dry.code).toBe(1);
  });

  it('takes the place of what was sent under its run key, as when a job is tried again', async () => {
    writeFileSync(join(place.folder, 'first.tap'), 'TAP version 13\n1..1\nnot ok 1 - a\n');
    const args = ['--project', 'again', '--run-key', 'build 7'];
    const first = await place.assayHere(['upload', 'first.tap', ...args]);
    writeFileSync(join(place.folder, 'second.tap'), 'TAP version 13\n1..1\nok 1 - a\n');
    utimesSync(join(place.folder, 'second.tap'), Date.now() / 1000, Date.now() / 1000 + 10);
    const second = await place.assayHere(['upload', 'second.tap', ...args]);
    expect(runIdIn(second.stderr)).toBe(runIdIn(first.stderr));
    expect(await runsOf('again')).toMatchObject([{ status: 'passed', totalTests: 1, passedTests: 1 }]);
  });

  it('prints with --dry-run what it would send, needs no server for it, and sends nothing', async () => {
    const none = { ASSAY_URL: '', ASSAY_PROJECT: '' };
    const [plain, json] = await Promise.all([
      place.assayHere(['upload', '--dry-run', sample('vitest.json')], none),
      place.assay(['upload', '--dry-run', '--json', sample('vitest.json'), '--project', 'dry'], none),
    ]);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain('10 tests: 4 passed, 4 failed, 2 skipped, 1 flaky');
    expect(plain.stdout).toContain('price › never comes');
    expect(plain.stdout).toMatch(/Nothing was sent\.\n$/);
    const [delivery] = JSON.parse(json.stdout) as { submission: { projectName: string; testCases: unknown[] } }[];
    expect(delivery!.submission.projectName).toBe('dry');
    expect(delivery!.submission.testCases).toHaveLength(10);
    expect(await runsOf('dry')).toEqual([]);
  });

  it('refuses what is no report, sends nothing then, and says what it saw', async () => {
    const page = join(place.folder, 'page.xml');
    writeFileSync(page, '<html><body>Hello</body></html>');
    const ended = await place.assayHere(['upload', sample('tap-12.tap'), page, '--project', 'refused']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('page.xml is not a report: it is an HTML page');
    expect(await runsOf('refused')).toEqual([]);
  });

  it.each([
    [['upload'], 'no files'],
    [['upload', '--colour', 'x'], "Unknown option '--colour'"],
    [['upload', 'x', '--shard', '4/3'], '--shard must be such as 1/3, but is "4/3"'],
    [['upload', 'x', '--url', 'nowhere'], '--url must be a URL'],
    [['upload', sample('tap-12.tap'), '--shard', '1/3'], '--shard needs --run-key'],
    [['upload', 'x', '--report', 'html'], '--report must be such as html=…'],
    [['gate', '--max-failed', 'few'], '--max-failed must be a whole number, but is "few"'],
    [['gate', '--run', 'latest'], '--run must be the number or the address of a run'],
    [['gate', '--run-key', 'x', '--project', ''], 'no project'],
  ])('is used wrongly: %j', async (args, said) => {
    const { code, stderr } = await place.assayHere(args, args.includes('--project') ? { ASSAY_PROJECT: '' } : {});
    expect([code, stderr.split('\n').length]).toEqual([2, 2]);
    expect(stderr).toContain(said === 'no project' ? '--run-key needs --project' : said);
  });

  it('sends the traces and attachments that are in a blob report, and the report itself', async () => {
    const dry = await place.assayHere(['upload', BOOKSHOP, '--dry-run']);
    expect(dry.stdout).toMatch(/reports +blob=.*blob\.zip\n +traces +3\n +attached +\d+\n/);
    const ended = await place.assayHere(['upload', BOOKSHOP]);
    const run = await server.client.getRun({ params: { id: runIdIn(ended.stderr) } });
    expect(run.reports).toMatchObject([{ type: 'blob', size: statSync(BOOKSHOP).size }]);
    expect(await tracesIn(server, run.id)).toEqual(TRACES_OF_BOOKSHOP);
    expect(await filesIn(server, run.id, 'attachments')).toEqual(ATTACHMENTS_OF_BOOKSHOP);

    const without = { ASSAY_UPLOAD_TRACES: 'false', ASSAY_UPLOAD_REPORTS: 'false' };
    const bare = await place.assayHere(['upload', BOOKSHOP, '--attachments', 'off'], without);
    const bareRun = await server.client.getRun({ params: { id: runIdIn(bare.stderr) } });
    expect(bareRun).toMatchObject({ totalTests: 6, reports: [] });
    expect(await tracesIn(server, bareRun.id)).toEqual({});
    expect(await filesIn(server, bareRun.id, 'attachments')).toEqual({});
  });

  it('keeps the traces and attachments of a blob report that cannot be sent', async () => {
    const port = await freePort();
    const away = { ASSAY_URL: `http://127.0.0.1:${port}`, ASSAY_TIMEOUT_MS: '500', ASSAY_PROJECT: 'away' };
    const copy = join(place.folder, 'blob.zip');
    copyFileSync(BOOKSHOP, copy);
    expect((await place.assayHere(['upload', copy], away)).stderr).toMatch(/^Assay: not sent: .*Kept in [^,]*;/);
    rmSync(copy);
    await using later = await startTestServer({ port, host: '127.0.0.1' });
    const flushed = await place.assayHere(['flush'], { ...away, ASSAY_TIMEOUT_MS: '20000' });
    expect(await tracesIn(later, runIdIn(flushed.stderr))).toEqual(TRACES_OF_BOOKSHOP);
    expect(await filesIn(later, runIdIn(flushed.stderr), 'attachments')).toEqual(ATTACHMENTS_OF_BOOKSHOP);
  });

  it('sends the traces that a JSON report of Playwright names, and no other file', async () => {
    const results = join(place.folder, 'test-results');
    mkdirSync(results);
    writeFileSync(join(results, 'trace.zip'), 'PK');
    writeFileSync(join(results, 'secret.txt'), 'secret');
    const attachments = ['trace.zip', 'secret.txt', 'gone/trace.zip'].map((name) => ({
      name: 'trace',
      contentType: 'application/zip',
      path: join(results, name),
    }));
    const report = join(place.folder, 'report.json');
    writeFileSync(report, JSON.stringify(playwrightJson(attachments)));
    const ended = await place.assayHere(['upload', report]);
    expect(await tracesIn(server, runIdIn(ended.stderr))).toEqual({ 'pays by card': 1 });
  });

  it('keeps what cannot be sent, does not fail for it unless asked, and flushes it later', async () => {
    const port = await freePort();
    const away = { ASSAY_URL: `http://127.0.0.1:${port}`, ASSAY_TIMEOUT_MS: '500', ASSAY_PROJECT: 'away' };
    const kept = await place.assay(['upload', sample('ctrf.json')], away);
    expect(kept.code).toBe(0);
    expect(kept.stderr).toMatch(/^Assay: not sent: .*Kept in .*assay flush/);
    expect(await place.assayHere(['gate'], away)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('the last run was not stored'),
    });
    expect((await place.assayHere(['upload', sample('ctrf.json'), '--strict'], away)).code).toBe(1);
    expect(await place.assayHere(['flush', '--strict'], away)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('2 kept runs are still waiting'),
    });
    await using later = await startTestServer({ port, host: '127.0.0.1' });
    const there = { ...away, ASSAY_TIMEOUT_MS: '20000' };
    expect((await place.assayHere(['flush'], there)).stderr.match(/sent a kept run/g)).toHaveLength(2);
    expect(await later.client.listProjects()).toMatchObject([{ name: 'away', totalRuns: 2 }]);
    expect(await place.assayHere(['flush'], there)).toMatchObject({ code: 0, stderr: 'Assay: nothing was waiting\n' });
  });

  it('flushes each run to the service that it was meant for, and all to one that is named', async () => {
    await using other = await startTestServer({ host: '127.0.0.1' });
    const spool = { ASSAY_SPOOL_DIR: join(place.folder, 'spool-of-two') };
    const port = await freePort();
    const keep = async (url: string): Promise<void> => {
      const away = { ...spool, ASSAY_URL: url, ASSAY_TIMEOUT_MS: '1', ASSAY_PROJECT: 'two' };
      expect((await place.assayHere(['upload', sample('ctrf.json')], away)).stderr).toContain('Kept in');
    };
    await keep(server.url);
    await keep(`http://127.0.0.1:${port}`);
    // Whatever the environment names, as it is not what they were meant for; without any it works as well.
    for (const ASSAY_URL of ['', other.url]) {
      const { stderr } = await place.assayHere(['flush'], { ...spool, ASSAY_URL, ASSAY_TIMEOUT_MS: '2000' });
      expect(stderr.match(new RegExp(`sent a kept run: ${server.url}/`, 'g')) ?? []).toHaveLength(ASSAY_URL ? 0 : 1);
      expect(stderr).toMatch(
        new RegExp(`1 kept run is still waiting: http://127.0.0.1:${port} refused the connection`),
      );
    }
    const named = await place.assayHere(['flush', '--url', other.url, '--strict'], { ...spool, ASSAY_URL: server.url });
    expect(named).toMatchObject({ code: 0, stderr: expect.stringContaining(`sent a kept run: ${other.url}/`) });
    expect(await other.client.listProjects()).toMatchObject([{ name: 'two', totalRuns: 1 }]);
  });
});

/** How many traces or attachments each result of a run has, by its title, where there are any. */
const filesIn = async (
  { client }: TestServer,
  runId: number,
  kind: 'traces' | 'attachments',
): Promise<Record<string, number>> => {
  const { testCases } = await client.getRun({ params: { id: runId } });
  const cases = await Promise.all(testCases.map(({ id }) => client.getTestCase({ params: { id } })));
  const counts = cases.map((testCase) => [testCase.title, testCase[kind].length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};

const tracesIn = (server: TestServer, runId: number): Promise<Record<string, number>> =>
  filesIn(server, runId, 'traces');

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};
