import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunDetails } from '@assay/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import assay from '../../src/cypress/index.ts';
import type { CypressOn, CypressRunResults, CypressSpecResults } from '../../src/cypress/types.ts';
import { type Service, sharedService } from '../service.ts';

/**
 * Cypress comes as a program that no package registry has, so it does not run here: these are results as its documentation and
 * its types describe them, of version 10 to 12 and of version 13 and later.
 */
const SPEC = { name: 'cart.cy.ts', relative: 'cypress/e2e/cart.cy.ts' };

const failure = { name: 'AssertionError', message: 'expected 1 to equal 2', stack: '    at cart.cy.ts:4:5' };

const BEFORE_13: CypressSpecResults = {
  stats: { failures: 2 },
  tests: [
    {
      title: ['cart', 'adds'],
      state: 'passed',
      displayError: null,
      attempts: [
        { state: 'failed', error: failure, startedAt: '2026-01-31T09:00:00.000Z', duration: 900 },
        { state: 'passed', error: null, startedAt: '2026-01-31T09:00:01.000Z', duration: 300 },
      ],
    },
    {
      title: ['cart', 'pays'],
      state: 'failed',
      displayError: 'AssertionError: expected 1 to equal 2\n    at cart.cy.ts:4:5',
      attempts: [{ state: 'failed', error: failure, startedAt: '2026-01-31T09:00:02.000Z', duration: 500 }],
    },
    { title: ['cart', 'ships'], state: 'pending', attempts: [{ state: 'pending' }] },
    {
      title: ['bank', '"before all" hook for "is asked"'],
      state: 'failed',
      displayError: 'Error: the bank is closed',
      attempts: [{ state: 'failed', error: { name: 'Error', message: 'the bank is closed' } }],
    },
    { title: ['bank', 'refunds'], state: 'skipped', attempts: [{ state: 'skipped' }] },
  ],
};

const FROM_13: CypressSpecResults = {
  stats: { failures: 2 },
  tests: BEFORE_13.tests!.map(({ attempts, ...test }) => ({
    ...test,
    duration: 300,
    attempts: attempts!.map(({ state }) => ({ state })),
  })),
};

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await sharedService();
  folder = mkdtempSync(join(tmpdir(), 'assay-cypress-'));
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, 'pays (failed).png'), 'a picture');
  writeFileSync(join(folder, 'cart -- pays (failed).png'), 'of the failure');
  writeFileSync(join(folder, 'cart -- adds (failed) (attempt 2).png'), 'of the second try');
  writeFileSync(join(folder, 'cart.cy.ts.mp4'), 'a video');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** As Cypress does it. */
const runCypress = async (
  projectName: string,
  specs: readonly (CypressSpecResults | undefined)[],
  ended: CypressRunResults | undefined,
): Promise<RunDetails[]> => {
  const handlers = new Map<string, (...args: readonly unknown[]) => unknown>();
  const on = (event: string, handler: (...args: readonly unknown[]) => unknown) => handlers.set(event, handler);
  const options = { serverUrl: service.url, projectName, spoolDir: join(folder, 'spool') };
  assay(on as unknown as CypressOn, { projectRoot: folder, version: '15.3.0' }, options);
  await handlers.get('before:run')!({ browser: { name: 'electron' }, cypressVersion: '15.3.0' });
  for (const results of specs) await handlers.get('after:spec')!(SPEC, results);
  await handlers.get('after:run')!(ended);
  return service.runsOf(projectName);
};

it.each([
  ['10 to 12', BEFORE_13],
  ['13 and later', FROM_13],
])('results of Cypress %s arrive, with what its pictures and videos show', async (version, results) => {
  const names = ['pays (failed)', 'cart -- pays (failed)', 'cart -- adds (failed) (attempt 2)', 'gone'];
  const media = { screenshots: names.map((name) => ({ path: join(folder, `${name}.png`) })) };
  const video = join(folder, 'cart.cy.ts.mp4');
  const [run] = (await runCypress(`cypress ${version}`, [{ ...results, ...media, video }], { totalFailed: 2 })) as [
    RunDetails,
  ];
  expect(run).toMatchObject({ status: 'failed', flakyTests: 1, metadata: { cypress: { version: '15.3.0' } } });
  expect(
    run.testCases.map((one) => `${one.status} ${one.retries} ${one.filePath} | ${one.title} [${one.browser}]`),
  ).toEqual([
    'passed 1 cypress/e2e/cart.cy.ts | cart › adds [electron]',
    'failed 0 cypress/e2e/cart.cy.ts | cart › pays [electron]',
    'skipped 0 cypress/e2e/cart.cy.ts | cart › ships [electron]',
    'failed 0 cypress/e2e/cart.cy.ts | bank › "before all" hook for "is asked" [electron]',
    'skipped 0 cypress/e2e/cart.cy.ts | bank › refunds [electron]',
  ]);
  const [adds, pays] = run.testCases;
  expect(adds).toMatchObject({ duration: 300, attempts: [{ status: 'failed' }, { status: 'passed' }] });
  expect(pays!.error).toContain('expected 1 to equal 2');
  expect(run.reports).toMatchObject([{ type: 'cypress', label: 'Screenshots and videos' }]);
  const page = await fetch(`${service.url}/api/files/${run.reports[0]!.path}`);
  expect(await page.text()).toMatch(/<img loading="lazy" src="1\.png"[^]*<video controls preload="none" src="5\.mp4">/);
  const picture = await fetch(`${service.url}/api/files/${run.reports[0]!.path.replace('index.html', '1.png')}`);
  expect(await picture.text()).toBe('a picture');
  const attachmentsOf = async (at: number) =>
    (await service.client.getTestCase({ params: { id: run.testCases[at]!.id } })).attachments;
  expect(await attachmentsOf(0)).toMatchObject([{ name: 'cart -- adds (failed) (attempt 2).png', attempt: 1 }]);
  expect(await attachmentsOf(1)).toMatchObject([{ name: 'cart -- pays (failed).png', attempt: 0, size: 14 }]);
});

it('a screenshot belongs to the test that Cypress 10 to 12 names', async () => {
  const tests = BEFORE_13.tests!.map((test, at) => ({ ...test, testId: `r${at}` }));
  const screenshots = [{ path: join(folder, 'pays (failed).png'), testId: 'r1', testAttemptIndex: 0 }];
  const [run] = (await runCypress('cypress named', [{ ...BEFORE_13, tests, screenshots }], {})) as [RunDetails];
  const { attachments } = await service.client.getTestCase({ params: { id: run.testCases[1]!.id } });
  expect(attachments).toMatchObject([{ name: 'pays (failed).png', contentType: 'image/png', attempt: 0 }]);
});

it.each<[string, CypressSpecResults | undefined, CypressRunResults | undefined]>([
  ['a spec that could not run', { error: 'Webpack Compilation Error', tests: [] }, { totalFailed: 1 }],
  ['a spec without results', undefined, {}],
  ['failures that it counts and does not list', { stats: { failures: 1 }, tests: [] }, {}],
  [
    'a run that failed',
    { tests: [{ title: ['passes'], state: 'passed' }] },
    { status: 'failed', message: 'no browser' },
  ],
  ['a state that nobody knows', { tests: [{ title: ['odd'], state: 'odd' }] }, {}],
  ['results that cannot be read', { tests: [null] as unknown as CypressSpecResults['tests'] & {} }, {}],
])('is never greener than Cypress: %s', async (name, results, ended) => {
  expect(await runCypress(`cypress ${name}`, [results], ended)).toMatchObject([{ status: 'failed' }]);
});
