import type { RunDetails } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flushSpool } from '../deliveries.ts';
import { VERSIONS, createProjectWith, jestConfigOf, runJest } from '../runners.ts';
import { type OpenService, openService } from '../service.ts';

const PRICE = `
jest.retryTimes(2);
describe('price', () => {
  describe('with tax', () => {
    it('adds the tax', () => expect(119).toBe(119));
    it('rounds half a cent', () => expect({ cents: 1 }).toEqual({ cents: 0 }));
  });
  let tries = 0;
  it('is fetched in the end', () => {
    if (++tries < 3) throw new Error('no answer at try ' + tries);
  });
  it.skip('is shown in guilders', () => {});
  it.todo('is shown in shells');
  it('takes too long', () => new Promise(() => {}), 50);
});
it.each([1, 2])('doubles %i', (n) => expect(n * 2).toBe(n + n));
`;

const FILES = {
  'tests/price.test.js': PRICE,
  'tests/broken.test.js': `require('does-not-exist');`,
  'tests/after.test.js': `it('passes', () => {}); afterAll(() => { throw new Error('cannot clean up'); });`,
};

const SOURCE = { 'src/cart.js': 'module.exports = () => {\n  return 1;\n};\n' };

/** Of its lines no test runs one. */
const thresholdOf = (percent: number): string =>
  `collectCoverage: true, coverageProvider: 'v8', collectCoverageFrom: ['src/**/*.js'],
      coverageReporters: ['text'], coverageThreshold: { global: { lines: ${percent} } }`;

let service: OpenService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe.each(VERSIONS.jest)('the reporter for Jest, with %s,', (installed) => {
  it('sends every test as it ended, with all its tries, and what failed outside of tests', async () => {
    using project = createProjectWith('jest', installed, {
      ...FILES,
      'jest.config.js': jestConfigOf(`displayName: 'node', maxWorkers: 1`),
    });
    const ended = await runJest(project, installed, { ASSAY_URL: service.url, ASSAY_METADATA: '{"team": "shop"}' });
    expect(ended.code, ended.output).toBe(1);
    expect(ended.said, ended.output).toEqual([
      expect.stringMatching(/^Assay: 5 passed, 4 failed, 1 flaky, 2 skipped http/),
    ]);
    const [run] = (await service.runsOf('shop')) as [RunDetails];
    expect(run).toMatchObject({
      status: 'failed',
      metadata: { team: 'shop', jest: { version: expect.stringMatching(/^\d+\./) } },
    });
    const told = run.testCases.map(
      (one) => `${one.status} ${one.retries} ${one.filePath}:${one.line} | ${one.title} [${one.browser}]`,
    );
    expect(told.sort()).toEqual([
      'failed 0 tests/after.test.js:null | after.test.js [node]',
      'failed 0 tests/broken.test.js:null | broken.test.js [node]',
      'failed 2 tests/price.test.js:6 | price › with tax › rounds half a cent [node]',
      'passed 0 tests/after.test.js:1 | passes [node]',
      'passed 0 tests/price.test.js:16 | doubles 1 [node]',
      'passed 0 tests/price.test.js:16 | doubles 2 [node]',
      'passed 0 tests/price.test.js:5 | price › with tax › adds the tax [node]',
      'passed 2 tests/price.test.js:9 | price › is fetched in the end [node]',
      'skipped 0 tests/price.test.js:12 | price › is shown in guilders [node]',
      'skipped 0 tests/price.test.js:13 | price › is shown in shells [node]',
      // Jest itself does not know where.
      'timedOut 2 tests/price.test.js:null | price › takes too long [node]',
    ]);
    const caseOf = (title: string) => run.testCases.find((one) => one.title.endsWith(title))!;
    expect(caseOf('is fetched in the end').attempts).toMatchObject([
      { retry: 0, status: 'failed', error: expect.stringContaining('no answer at try 1') },
      { retry: 1, status: 'failed', error: expect.stringContaining('no answer at try 2') },
      { retry: 2, status: 'passed' },
    ]);
    expect(caseOf('broken.test.js').error).toContain('does-not-exist');
    expect(caseOf('after.test.js').error).toContain('cannot clean up');
  });

  it('is never greener than Jest', async () => {
    const passing = { 'tests/a.test.js': `it('passes', () => {});` };
    const threshold = thresholdOf(90);
    const cases: Readonly<Record<string, Run>> = {
      'a coverage threshold': { files: { ...passing, ...SOURCE }, settings: threshold },
      'a coverage threshold, with an exit at once': {
        files: { ...passing, ...SOURCE },
        settings: `${threshold}, forceExit: true`,
      },
      'a teardown that throws': {
        files: { ...passing, 'down.js': `module.exports = () => { throw new Error('cannot stop'); };` },
        settings: `globalTeardown: './down.js'`,
      },
      'another reporter that fails': {
        files: { ...passing, 'other.js': `module.exports = class { getLastError() { return new Error('no'); } };` },
        reporters: `'default', './other.js',`,
      },
      'it gives up after a failure': {
        files: { ...passing, 'tests/b.test.js': `it('fails', () => { throw new Error('no'); });` },
        args: ['--bail', '--runInBand'],
      },
    };
    // No case is the business of one version more than of another, and each takes a while.
    const [first, ...others] = Object.entries(cases);
    const chosen = installed === 'jest' ? others : [first!];
    await Promise.all(
      chosen.map(async ([name, { files, settings = '', reporters, args }]) => {
        using project = createProjectWith('jest', installed, {
          ...files,
          'jest.config.js': jestConfigOf(settings, reporters).replace(`'shop'`, `'${installed} ${name}'`),
        });
        const { code, output } = await runJest(project, installed, { ASSAY_URL: service.url }, args);
        expect(code, output).toBe(1);
        const runs = await service.runsOf(`${installed} ${name}`);
        expect(
          runs.map(({ status }) => status),
          `${name}: ${output}`,
        ).toEqual(['failed']);
      }),
    );
  });
});

interface Run {
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: string;
  readonly reporters?: string;
  readonly args?: readonly string[];
}

it('a service that is away costs Jest nothing but a line, and gets the run later, whose coverage threshold was met', async () => {
  using project = createProjectWith('jest', 'jest', {
    'tests/a.test.js': `it('passes', () => {});`,
    ...SOURCE,
    'jest.config.js': jestConfigOf(thresholdOf(0)).replace(`'shop'`, `'away'`),
  });
  await service.restart(async () => {
    expect(await runJest(project, 'jest', { ASSAY_URL: service.url, ASSAY_TIMEOUT_MS: '2000' })).toMatchObject({
      code: 0,
      said: [
        expect.stringMatching(
          /^Assay: not sent: .* refused the connection\. Kept in .*; the next run or `assay flush`/,
        ),
      ],
    });
  });
  expect(await flushSpool(service.url, project.spoolDir)).toMatchObject({ sent: [expect.any(String)], left: 0 });
  expect(await service.runsOf('away')).toMatchObject([{ status: 'passed', testCases: [{ title: 'passes' }] }]);
});
