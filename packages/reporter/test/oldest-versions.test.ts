import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunDetails } from '@assay/contract';
import { beforeAll, expect, it } from 'vitest';
import { PEERS } from '../../../scripts/build-reporter.ts';
import { VERSIONS, createProjectWith, runPlaywrightOf, runVitestOf, versionOf } from './runners.ts';
import { type Service, sharedService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

const toldOf = ({ testCases }: RunDetails): string[] =>
  testCases.map(({ status, retries, filePath, title }) => `${status} ${retries} ${filePath} | ${title}`).sort();

it('the versions that are tested are the oldest that the package and its README claim', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const names = { '@playwright/test': 'Playwright', jest: 'Jest', mocha: 'Mocha', vitest: 'Vitest' };
  const tested = {
    '@playwright/test': VERSIONS.playwright,
    jest: VERSIONS.jest,
    mocha: VERSIONS.mocha,
    vitest: VERSIONS.vitest,
  };
  for (const name of Object.keys(names) as (keyof typeof names)[]) {
    const claimed = PEERS[name].replace('>=', '');
    expect(`${versionOf(tested[name][0])}.`).toMatch(new RegExp(`^${claimed.replace('.', '\\.')}\\.`));
    expect(readme).toContain(`${names[name]} ${claimed}`);
  }
});

it('Vitest 3.0: every test as it ended, with its tries, and what failed outside of tests', async () => {
  using project = createProjectWith('vitest', 'oldest:vitest', {
    'tests/price.test.ts': `
describe('price', () => {
  it('adds the tax', () => expect(119).toBe(119));
  it('rounds half a cent', () => { throw new Error('one cent'); });
  let tries = 0;
  it('is fetched in the end', { retry: 2 }, () => { if (++tries < 3) throw new Error('no answer at try ' + tries); });
  it.skip('is shown in guilders', () => {});
  it.todo('is shown in shells');
  it('takes too long', { timeout: 50 }, () => new Promise(() => {}));
});`,
    'tests/broken.test.ts': `import './does-not-exist.ts';`,
    'tests/late.test.ts': `it('passes', async () => { void Promise.reject(new Error('nobody caught this')); await new Promise((done) => setTimeout(done, 20)); });`,
  });
  const { code, said, output } = await runVitestOf(project, 'oldest:vitest', {
    ASSAY_URL: service.url,
    ASSAY_PROJECT: 'vitest 3',
  });
  expect(code, output).toBe(1);
  expect(said).toEqual([expect.stringMatching(/^Assay: 3 passed, 3 failed, 1 flaky, 2 skipped http/)]);
  const [run] = (await service.runsOf('vitest 3')) as [RunDetails];
  expect(run).toMatchObject({
    status: 'failed',
    metadata: { vitest: { version: '3.0.0' }, errors: [expect.stringContaining('nobody caught this')] },
  });
  expect(toldOf(run)).toEqual([
    'failed 0 tests/broken.test.ts | broken.test.ts',
    'failed 0 tests/price.test.ts | price › rounds half a cent',
    'passed 0 tests/late.test.ts | passes',
    'passed 0 tests/price.test.ts | price › adds the tax',
    'passed 2 tests/price.test.ts | price › is fetched in the end',
    'skipped 0 tests/price.test.ts | price › is shown in guilders',
    'skipped 0 tests/price.test.ts | price › is shown in shells',
    'timedOut 0 tests/price.test.ts | price › takes too long',
  ]);
});

it('Playwright 1.42: every test as it ended, with its tries, steps and places', async () => {
  using project = createProjectWith('playwright', 'oldest:@playwright/test', {
    'playwright.config.ts': `export default { testDir: 'tests', retries: 1 };`,
    'tests/cart.spec.ts': `
import { expect, test } from '@playwright/test';
test.describe('Cart', () => {
  test('adds one', { tag: '@smoke' }, async () => { await test.step('open', async () => {}); });
  test('keeps one', async ({}, info) => {
    process.stderr.write('one\\n');
    process.stdout.write('two\\n');
    await info.attach('cart.json', { body: '{}', contentType: 'application/json' });
    expect(info.retry).toBe(1);
  });
  test.skip('pays', () => {});
  test('is meant to fail', () => { test.fail(); expect(1).toBe(2); });
});
test.describe('Cart without retries', () => {
  test.describe.configure({ retries: 0 });
  test('loses one', () => { expect(1).toBe(2); });
  test('waits', async () => { test.setTimeout(100); await new Promise(() => {}); });
});`,
  });
  const { code, said, output } = await runPlaywrightOf(project, 'oldest:@playwright/test', {
    ASSAY_URL: service.url,
    ASSAY_PROJECT: 'playwright 1.42',
  });
  expect(code, output).toBe(1);
  expect(said, output).toEqual([expect.stringMatching(/^Assay: 3 passed, 2 failed, 1 flaky, 1 skipped http/)]);
  const [run] = (await service.runsOf('playwright 1.42')) as [RunDetails];
  expect(run).toMatchObject({ status: 'failed', metadata: { playwright: { version: '1.42.0' } } });
  expect(toldOf(run)).toEqual([
    'failed 0 tests/cart.spec.ts | Cart without retries › loses one',
    'passed 0 tests/cart.spec.ts | Cart › adds one',
    'passed 0 tests/cart.spec.ts | Cart › is meant to fail',
    'passed 1 tests/cart.spec.ts | Cart › keeps one',
    'skipped 0 tests/cart.spec.ts | Cart › pays',
    'timedOut 0 tests/cart.spec.ts | Cart without retries › waits',
  ]);
  const keeps = run.testCases.find(({ title }) => title === 'Cart › keeps one')!;
  const printed = [
    { stream: 'stderr', text: 'one\n' },
    { stream: 'stdout', text: 'two\n' },
  ];
  expect(keeps.attempts).toMatchObject([{ output: printed }, { output: printed }]);
  const { attachments } = await service.client.getTestCase({ params: { id: keeps.id } });
  expect(attachments).toMatchObject([0, 1].map((attempt) => ({ attempt, name: 'cart.json', size: 2 })));
  const adds = run.testCases.find(({ title }) => title === 'Cart › adds one')!;
  expect(adds).toMatchObject({ line: 4, tags: ['@smoke'] });
  expect(adds.steps!.map(({ title }) => title)).toContain('open');
});
