import type { RunDetails } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { VERSIONS, createProjectWith, runMocha } from '../runners.ts';
import { type Service, sharedService } from '../service.ts';

const PRICE = `
describe('price', function () {
  this.retries(2);
  describe('with tax', () => {
    it('adds the tax', () => {});
    it('rounds half a cent', () => { throw new Error('one cent'); });
  });
  let tries = 0;
  it('is fetched in the end', () => {
    if (++tries < 3) throw new Error('no answer at try ' + tries);
  });
  it.skip('is shown in guilders', () => {});
  it('is shown in shells');
  it('takes too long', function (done) { this.timeout(50); });
});
describe('bank', () => {
  before(() => { throw new Error('the bank is closed'); });
  it('is asked', () => {});
});
describe('cart', () => {
  afterEach(() => { throw new Error('cannot clean up'); });
  it('is emptied', () => {});
});
`;

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

describe.each(VERSIONS.mocha)('the reporter for Mocha, with %s,', (installed) => {
  const modes = installed === 'mocha' ? [[], ['--parallel']] : [[]];
  it.each(modes.map((args) => [args]))('sends every test as it ended, with all its tries %j', async (args) => {
    using project = createProjectWith('mocha', installed, {
      'test/price.js': PRICE,
      'test/more.js': `it('passes', () => {});`,
    });
    const env = { ASSAY_URL: service.url, ASSAY_METADATA: '{"team": "shop"}' };
    const { code, said, output } = await runMocha(project, installed, env, [
      ...args,
      '--reporter-option',
      'projectName=mocha',
    ]);
    expect(code, output).toBe(4);
    const isParallel = args.length > 0;
    const skipped = isParallel ? 2 : 3;
    expect(said, output).toEqual([
      expect.stringMatching(new RegExp(`^Assay: 4 passed, 4 failed, 1 flaky, ${skipped} skipped http`)),
    ]);
    expect(output, 'the reporter that prints').toMatch(/4 passing/);
    const [run] = (await service.runsOf('mocha')) as [RunDetails];
    expect(run).toMatchObject({
      status: 'failed',
      metadata: { team: 'shop', mocha: { version: expect.stringMatching(/^\d+\./) } },
    });
    const told = run.testCases.map((one) => `${one.status} ${one.retries} ${one.filePath} | ${one.title}`);
    expect(told.sort()).toEqual(
      [
        'failed 0 test/price.js | bank › "before all" hook for "is asked"',
        'failed 0 test/price.js | cart › "after each" hook for "is emptied"',
        'failed 2 test/price.js | price › with tax › rounds half a cent',
        'passed 0 test/more.js | passes',
        'passed 0 test/price.js | cart › is emptied',
        'passed 0 test/price.js | price › with tax › adds the tax',
        'passed 2 test/price.js | price › is fetched in the end',
        // Of what never ran in another process nothing is told.
        ...(isParallel ? [] : ['skipped 0 test/price.js | bank › is asked']),
        'skipped 0 test/price.js | price › is shown in guilders',
        'skipped 0 test/price.js | price › is shown in shells',
        'timedOut 2 test/price.js | price › takes too long',
      ].sort(),
    );
    const fetched = run.testCases.find(({ title }) => title.endsWith('is fetched in the end'))!;
    expect(fetched.attempts).toMatchObject([
      { retry: 0, status: 'failed', error: expect.stringContaining('no answer at try 1') },
      { retry: 1, status: 'failed', error: expect.stringContaining('no answer at try 2') },
      { retry: 2, status: 'passed' },
    ]);
    expect(typeof fetched.startTime).toBe(isParallel ? 'undefined' : 'string');
  });

  it('is never greener than Mocha', async () => {
    const passing = `it('passes', () => {});`;
    const cases: Readonly<Record<string, readonly [string, ...string[]]>> = {
      'a root hook that fails': [`${passing} after(() => { throw new Error('no'); });`],
      'it gives up after a failure': [`it('fails', () => { throw new Error('no'); }); ${passing}`, '--bail'],
      'a pending test that is forbidden': [`${passing} it.skip('later', () => {});`, '--forbid-pending'],
      'an error that comes late': [
        `it('passes', () => { setTimeout(() => { throw new Error('late'); }, 20); }); it('waits', (done) => setTimeout(done, 60));`,
      ],
      'a rejection that nobody handles': [
        `it('passes', () => { Promise.reject(new Error('late')); }); it('waits', (done) => setTimeout(done, 60));`,
      ],
      'a teardown that throws': [passing, '--require', './down.js'],
      'an exit at once': [`it('fails', () => { throw new Error('no'); });`, '--exit'],
    };
    const chosen = Object.entries(cases).slice(0, installed === 'mocha' ? undefined : 2);
    await Promise.all(
      chosen.map(async ([name, [test, ...args]]) => {
        using project = createProjectWith('mocha', installed, {
          'test/a.js': test,
          'down.js': `exports.mochaGlobalTeardown = () => { throw new Error('no'); };`,
        });
        const env = { ASSAY_URL: service.url };
        const named = ['--reporter-option', `projectName=${installed} ${name}`];
        const { code, output } = await runMocha(project, installed, env, [...args, ...named]);
        // What Mocha makes of a rejection differs from version to version.
        if (!name.includes('rejection')) expect(code, `${name}: ${output}`).not.toBe(0);
        const runs = await service.runsOf(`${installed} ${name}`);
        expect(
          runs.map(({ status }) => status),
          `${name}: ${output}`,
        ).toEqual([code === 0 ? 'passed' : 'failed']);
      }),
    );
  });
});

it('the reporter for Mocha has nothing to send where Mocha refuses to run, and says when it cannot print', async () => {
  using project = createProjectWith('mocha', 'mocha', { 'test/a.js': `it.only('passes', () => {});` });
  const env = { ASSAY_URL: service.url, ASSAY_PROJECT: 'refused' };
  const [forbidden, unknown] = await Promise.all([
    runMocha(project, 'mocha', env, ['--forbid-only']),
    runMocha(project, 'mocha', { ASSAY_URL: 'assay' }, ['--reporter-option', 'show=nothing']),
  ]);
  expect(forbidden.code).not.toBe(0);
  expect(unknown, unknown.output).toMatchObject({
    code: 0,
    said: [
      'Assay: there is no reporter "nothing" to print with: see show',
      expect.stringMatching(/^Assay: this run will not be sent: serverUrl must be a URL/),
    ],
  });
});
