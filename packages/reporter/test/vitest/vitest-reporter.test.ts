import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report, RunDetails } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { Vitest } from 'vitest/node';
import { CHROMIUM_FLAGS } from '../../../../scripts/chromium.ts';
import AssayReporter from '../../src/vitest/index.ts';
import { flushSpool, keptIn } from '../deliveries.ts';
import { failsOpenCases } from '../fails-open.cases.ts';
import { type Ended, type Project, createProject } from '../project.ts';
import { startProxy } from '../proxy.ts';
import { type OpenService, openService } from '../service.ts';
import { shardsCases } from '../shards.cases.ts';
import { VITEST, runVitest, startVitest, vitestConfigOf } from '../vitest-run.ts';

const PRICE = `
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
describe('price', () => {
  describe('with tax', () => {
    it('adds the tax', () => expect(119).toBe(119));
    it('rounds half a cent', () => {
      console.log('rounding');
      expect({ cents: 1 }).toEqual({ cents: 0 });
    });
  });
  let tries = 0;
  it('is fetched in the end', { retry: 2 }, async ({ annotate }) => {
    await annotate('SHOP-12', 'issue');
    await annotate({ cents: 5 }, 'price');
    if (++tries < 3) throw new Error('no answer at try ' + tries);
  });
  it('never comes', { retry: 1 }, async ({ annotate }) => {
    console.error('asking');
    console.log('waiting');
    await annotate('the answer', { body: 'bm9uZQ==', contentType: 'text/plain' });
    await annotate('the list', { path: 'prices.csv' });
    throw new TypeError('no price');
  });
  it.skip('is shown in guilders', () => {});
  it.todo('is shown in shells');
  it('takes too long', { timeout: 50 }, () => new Promise(() => {}));
  it('is refused with a code', () => { throw { code: 1 }; });
  it.fails('is wrong as expected', () => expect(1).toBe(2));
  describe('from the bank', () => {
    beforeAll(() => { throw new Error('the bank is closed'); });
    it('is asked', () => {});
  });
});
it.each([1, 2])('doubles %i', (n) => expect(n * 2).toBe(n + n));
`;

const PAGE = `
import { test } from 'vitest';
test('opens', () => void (document.body.textContent = 'Shop'));
test('breaks', { retry: 1 }, () => {
  throw new Error('no shop');
});
`;

const launch = { launchOptions: { executablePath: inject('chromium'), args: CHROMIUM_FLAGS } };
const PROJECTS = `projects: [
  { test: { name: 'node', includeTaskLocation: true } },
  {
    extends: false,
    test: {
      name: 'web',
      include: ['pages/*.spec.ts'],
      browser: {
        enabled: true,
        headless: true,
        trace: 'retain-on-failure',
        provider: playwright(${JSON.stringify(launch)}),
        instances: [{ browser: 'chromium' }],
      },
    },
  },
],`;

let service: OpenService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('Vitest', () => {
  shardsCases(VITEST, () => service, { triedAgain: true });
});

describe('Vitest, whatever the service does,', () => {
  failsOpenCases(VITEST, () => service);
});

/** Sends at the end and without reports, always as the same run. */
const AGAIN = { projectName: 'again', runKey: 'build 7', live: false, uploadReports: false };

describe('the Vitest reporter', () => {
  let project: Project;
  let ended: Ended;
  let run: RunDetails;
  beforeAll(async () => {
    const config = vitestConfigOf(PROJECTS, `'html', 'blob',`, [{ metadata: { team: 'shop' } }, AGAIN]);
    project = createProject({
      'vitest.config.ts': `import { playwright } from '@vitest/browser-playwright';${config}`,
      '.vitest/of-others.txt': 'is no part of the report',
      'tests/price.spec.ts': PRICE,
      'pages/shop.spec.ts': PAGE,
      'prices.csv': 'chair,5',
      'tests/broken.spec.ts': "import './does-not-exist.ts';",
    });
    const env = { ASSAY_URL: service.url, ASSAY_PROJECT: 'unit', ASSAY_LABELS: 'html=The report' };
    ended = await runVitest(project, env);
    run = (await service.runsOf('unit'))[0]!;
  });
  afterAll(() => project[Symbol.dispose]());

  it('sends one case for each test, with attempts, errors, output, attachments and places', async () => {
    expect(ended.code, ended.output).toBe(1);
    const line: unknown = expect.stringMatching(/^Assay: 6 passed, 7 failed, 1 flaky, 3 skipped http/);
    expect(ended.said).toEqual([line, line]);
    expect(run).toMatchObject({
      status: 'failed',
      project: { name: 'unit' },
      metadata: { team: 'shop', vitest: { version: expect.any(String), projects: ['node', 'web (chromium)'] } },
    });
    const told = run.testCases.map(
      (one) => `${one.status} ${one.retries} ${one.filePath} | ${one.title} [${one.browser}]`,
    );
    expect(told.sort()).toEqual([
      'failed 0 tests/broken.spec.ts | broken.spec.ts [node]',
      'failed 0 tests/price.spec.ts | price › from the bank [node]',
      'failed 0 tests/price.spec.ts | price › is refused with a code [node]',
      'failed 0 tests/price.spec.ts | price › with tax › rounds half a cent [node]',
      'failed 1 pages/shop.spec.ts | breaks [web (chromium)]',
      'failed 1 tests/price.spec.ts | price › never comes [node]',
      'passed 0 pages/shop.spec.ts | opens [web (chromium)]',
      'passed 0 tests/price.spec.ts | doubles 1 [node]',
      'passed 0 tests/price.spec.ts | doubles 2 [node]',
      'passed 0 tests/price.spec.ts | price › is wrong as expected [node]',
      'passed 0 tests/price.spec.ts | price › with tax › adds the tax [node]',
      'passed 2 tests/price.spec.ts | price › is fetched in the end [node]',
      'skipped 0 tests/price.spec.ts | price › from the bank › is asked [node]',
      'skipped 0 tests/price.spec.ts | price › is shown in guilders [node]',
      'skipped 0 tests/price.spec.ts | price › is shown in shells [node]',
      'timedOut 0 tests/price.spec.ts | price › takes too long [node]',
    ]);
    const caseOf = (title: string) => run.testCases.find((one) => one.title.endsWith(title))!;
    expect(caseOf('rounds half a cent')).toMatchObject({
      line: 6,
      startTime: expect.any(String),
      error: expect.stringContaining('AssertionError'),
    });
    expect(caseOf('rounds half a cent').error).toContain('price.spec.ts:8');
    expect(caseOf('rounds half a cent').attempts).toMatchObject([
      { output: [{ stream: 'stdout', text: 'rounding\n' }] },
    ]);
    expect(caseOf('is fetched in the end')).toMatchObject({
      error: null,
      annotations: expect.arrayContaining([
        { type: 'issue', description: 'SHOP-12' },
        { type: 'price', description: '{"cents":5}' },
      ]),
      attempts: [
        { retry: 0, status: 'failed', error: expect.stringContaining('no answer at try 1') },
        { retry: 1, status: 'failed', error: expect.stringContaining('no answer at try 2') },
        { retry: 2, status: 'passed' },
      ],
    });
    expect((caseOf('never comes').attempts as object[]).at(-1)).toMatchObject({
      output: expect.arrayContaining([
        // Vitest may tell what two attempts printed in one piece.
        { stream: 'stderr', text: expect.stringMatching(/^(?:asking\n)+$/) },
        { stream: 'stdout', text: expect.stringMatching(/^(?:waiting\n)+$/) },
      ]),
    });
    const { attachments } = await service.client.getTestCase({ params: { id: caseOf('never comes').id } });
    const attached = attachments.map(
      ({ attempt, name, contentType, size }) => `${attempt} ${name} ${contentType} ${size}`,
    );
    expect([...new Set(attached)]).toEqual(['1 the answer text/plain 4', '1 the list.csv text/csv 7']);
    expect(caseOf('is refused with a code').error).toContain('"code":1');
    expect(caseOf('from the bank').error).toContain('the bank is closed');
    expect(caseOf('broken.spec.ts').error).toContain('does-not-exist');
  });

  it('has the traces and screenshots of all attempts in a browser, and errors with the places in the sources', async () => {
    const cases = ['opens', 'breaks'].map((title) => run.testCases.find((one) => one.title === title)!);
    expect(cases).toMatchObject([
      { status: 'passed', browser: 'web (chromium)' },
      { status: 'failed', retries: 1, error: expect.stringMatching(/pages\/shop\.spec\.ts:5:\d+$/) },
    ]);
    const [opens, breaks] = await Promise.all(cases.map(({ id }) => service.client.getTestCase({ params: { id } })));
    expect(opens).toMatchObject({ traces: [], attachments: [] });
    expect(breaks!.traces).toHaveLength(2);
    expect(breaks!.attachments).toMatchObject(
      [0, 1].map((attempt) => ({ attempt, name: expect.stringMatching(/^breaks.*\.png$/), contentType: 'image/png' })),
    );
  });

  it('brings the reports along that others made, and nothing else that is beside them', async () => {
    expect(run.reports).toMatchObject([
      { type: 'html', label: 'The report' },
      { type: 'vitest-blob', label: 'Vitest Blob Report' },
    ]);
    const fileOf = (path: string): Promise<Response> => fetch(`${service.url}/api/files/${path}`);
    const [html, blob] = run.reports as [Report, Report];
    expect(await (await fileOf(html.path)).text()).toContain('html.meta.json.gz');
    const inReport = (name: string): Promise<Response> => fileOf(html.path.replace('index.html', name));
    expect((await inReport('ui/html.meta.json.gz')).status).toBe(200);
    expect((await inReport('of-others.txt')).status).toBe(404);
    expect(await (await fileOf(blob.path)).json()).toBeInstanceOf(Array);
  });

  it('sends at the end and without reports, when it is told so', async () => {
    expect(await service.runsOf('again')).toMatchObject([{ status: 'failed', failedTests: 7, reports: [] }]);
  });

  it('has failed when it gave up after a failure; tests that it left out are skipped; one run key is one run', async () => {
    using bailing = createProject({
      ...VITEST.configFor({ projectName: 'bailed' }, AGAIN),
      'tests/bail.spec.ts': `
import { test } from 'vitest';
test('fails', () => { throw new Error('no'); });
test('would follow', () => {});
`,
    });
    const { code, said } = await runVitest(bailing, { ASSAY_URL: service.url }, ['--bail=1']);
    expect(code).toBe(1);
    expect(said).toContainEqual(expect.stringMatching(/^Assay: 1 failed, 1 skipped http/));
    expect(await service.runsOf('bailed')).toMatchObject([
      {
        status: 'failed',
        testCases: [
          { title: 'fails', status: 'failed' },
          { title: 'would follow', status: 'skipped', annotations: [{ type: 'did not run' }] },
        ],
      },
    ]);
    expect(await service.runsOf('again'), 'what it took the place of').toMatchObject([
      { status: 'failed', failedTests: 1, passedTests: 0, reports: [] },
    ]);
  });
});

it('a run shows its results while it happens, is complete though the service was restarted in the middle, and has failed when an error outside of its tests made Vitest fail', async () => {
  using project = createProject({
    ...VITEST.configFor({ projectName: 'live' }),
    'tests/slow.spec.ts': `
import { existsSync } from 'node:fs';
import { test } from 'vitest';
test('first', () => {});
test('second', async () => {
  while (!existsSync('go-on')) await new Promise((resolve) => setTimeout(resolve, 20));
});
test('third', async () => {
  void Promise.reject(new Error('nobody caught this'));
  await new Promise((resolve) => setTimeout(resolve, 50));
});
`,
  });
  const { ended } = startVitest(project, { ASSAY_URL: service.url });
  await expect
    .poll(() => service.runsOf('live'), { timeout: 60_000 })
    .toMatchObject([{ status: 'running', testCases: [{ title: 'first' }] }]);
  await service.restart();
  writeFileSync(join(project.folder, 'go-on'), '');
  const { code, said } = await ended;
  expect({ code, said }).toMatchObject({
    code: 1,
    said: [expect.stringMatching(/^Assay: failed outside of its tests, 3 passed http/)],
  });
  expect(await service.runsOf('live')).toMatchObject([
    {
      status: 'failed',
      passedTests: 3,
      failedTests: 0,
      testCases: [{ title: 'first' }, { title: 'second' }, { title: 'third' }],
      metadata: { errors: [expect.stringContaining('nobody caught this')] },
    },
  ]);
});

describe('a run of Vitest that does not come to its end', () => {
  const LONG = `
import { test } from 'vitest';
test('has passed', () => console.log('as it should'));
test('is running', async () => {
  console.log('it has begun');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
test('would follow', () => {});
`;

  it('is kept when it is interrupted, and gets in later, as one with what it showed meanwhile', async () => {
    using project = createProject({ ...VITEST.configFor({ projectName: 'stopped' }), 'tests/long.spec.ts': LONG });
    const env = { ASSAY_URL: service.url };
    const { child, ended } = startVitest(project, env);
    await expect
      .poll(() => service.runsOf('stopped'), { timeout: 60_000 })
      .toMatchObject([{ status: 'running', testCases: [{ title: 'has passed' }] }]);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({
      code: 130,
      said: [
        expect.stringMatching(/^Assay: not sent: Vitest ended .* Kept in .* the next run or `assay flush` sends it$/),
      ],
    });
    expect(await flushSpool(service.url, project.spoolDir)).toMatchObject({ sent: [expect.any(String)], left: 0 });
    const [interrupted, ...others] = await service.runsOf('stopped');
    expect(others).toEqual([]);
    expect(interrupted).toMatchObject({
      status: 'interrupted',
      totalTests: 3,
      testCases: [
        {
          title: 'has passed',
          status: 'passed',
          attempts: [{ output: [{ stream: 'stdout', text: 'as it should\n' }] }],
        },
        { title: 'is running', status: 'interrupted' },
        { title: 'would follow', status: 'skipped', notRun: { reason: 'interrupted' } },
      ],
    });
    expect(await keptIn(project.spoolDir)).toEqual([]);
  });

  it.each([
    ['waits for the service', ''],
    ['waits for it after the reports of others', `'html',`],
  ])('is kept when it is interrupted while it %s', async (_, reporters) => {
    const projectName = `impatient${reporters.length}`;
    await using proxy = await startProxy(service.url);
    proxy.onAnswer = () => true;
    using project = createProject({
      'vitest.config.ts': vitestConfigOf('', reporters, [{ projectName }]),
      'tests/tiny.spec.ts': `import { test } from 'vitest'; test('passes', () => {});`,
    });
    const { child, ended } = startVitest(project, { ASSAY_URL: proxy.url, ASSAY_LIVE: 'false' });
    await expect.poll(() => proxy.connections, { timeout: 60_000 }).toBeGreaterThan(0);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, said: [expect.stringMatching(/^Assay: not sent: .* Kept in /)] });
    proxy.onAnswer = null;
    expect(await flushSpool(proxy.url, project.spoolDir)).toMatchObject({ sent: [expect.any(String)], left: 0 });
    expect(await service.runsOf(projectName)).toMatchObject([{ status: 'passed', testCases: [{ title: 'passes' }] }]);
  });
});

it('a version of Vitest that is too old is told in one line, and runs on', () => {
  const written: unknown[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(written.push(text)));
  const reporter = new AssayReporter({ projectName: 'shop', serverUrl: service.url });
  reporter.onInit({ version: '2.1.9', config: {} } as Vitest);
  reporter.onTestRunStart();
  write.mockRestore();
  expect(written).toEqual([
    'Assay: this run will not be sent: @assay/reporter needs Vitest 3 or newer, but this is Vitest 2.1.9\n',
  ]);
});
