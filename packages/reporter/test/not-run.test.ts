import { notRunText } from '@assay/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLAYWRIGHT_TIMEOUT_MS, configOf, runPlaywright } from './playwright-run.ts';
import { createProject } from './project.ts';
import { type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const TESTS = {
  'tests/series.spec.ts': `
import { expect, test } from '@playwright/test';
test('stands alone and fails', () => expect(1).toBe(2));
test.describe.serial('order', () => {
  test('is placed', () => {});
  test('is paid', () => expect('no').toBe('yes'));
  test('is sent', () => {});
  test.skip('is meant to be skipped', () => {});
  test('is received', () => {});
});`,
  'tests/stock.spec.ts': `
import { test } from '@playwright/test';
test.describe('stock', () => {
  test.beforeAll(() => { throw new Error('no database'); });
  test('is counted', () => {});
  test.describe('of a shelf', () => { test('is moved', () => {}); });
});
test('is elsewhere', () => { test.skip(true, 'not today'); });`,
  'tests/login.setup.ts': `
import { expect, test } from '@playwright/test';
test('logs in', () => expect(1).toBe(2));`,
  'tests/account.spec.ts': `
import { test } from '@playwright/test';
test('is shown', () => {});`,
};

const PROJECTS = `workers: 1, projects: [
  { name: 'shop', testMatch: /(series|stock)\\.spec/ },
  { name: 'setup', testMatch: /setup/ },
  { name: 'accounts', testMatch: /account/, dependencies: ['setup'] },
  { name: 'more', testMatch: /account/, dependencies: ['accounts'] },
]`;

const reasonsOf = async (settings: string, args: string[] = []) => {
  using project = createProject({ 'playwright.config.ts': configOf(settings), ...TESTS });
  await runPlaywright(project, { ASSAY_URL: service.url }, args);
  const [run] = await service.runsOf('shop');
  return run!.testCases;
};

it.each(['retries: 0', 'retries: 1'])(
  'a test that did not run says why and because of which, with a link to it (%s)',
  async (retries) => {
    const cases = await reasonsOf(`${retries}, ${PROJECTS}`);
    const told = cases.flatMap(({ title, browser, status, notRun }) =>
      notRun ? [`${browser} ${title} ${status}: ${notRunText(notRun)}`] : [],
    );
    expect(told.toSorted()).toEqual([
      'accounts is shown skipped: Did not run because “logs in” failed, which its project depends on',
      'more is shown skipped: Did not run because “logs in” failed, which its project depends on',
      'shop order › is received skipped: Did not run because “order › is paid” failed before it in its serial group',
      'shop order › is sent skipped: Did not run because “order › is paid” failed before it in its serial group',
      'shop stock › of a shelf › is moved skipped: Did not run because a beforeAll hook failed: see “stock › is counted”',
    ]);
    const skipped = cases.filter(({ status, notRun }) => status === 'skipped' && !notRun).map(({ title }) => title);
    expect(skipped.toSorted()).toEqual(['is elsewhere', 'order › is meant to be skipped']);
    for (const { id, notRun } of cases) {
      if (!notRun) continue;
      const { notRun: linked } = await service.client.getTestCase({ params: { id } });
      const failed = cases.find((one) => one.id === linked!.testCaseId);
      expect(failed).toMatchObject({ title: notRun.title, status: 'failed' });
    }
  },
  PLAYWRIGHT_TIMEOUT_MS,
);

it(
  'a run that ends at its maximum of failures says so of the tests that were left',
  async () => {
    const cases = await reasonsOf(`maxFailures: 1, ${PROJECTS}`, ['--project', 'shop']);
    const left = cases.filter(
      ({ title, status }) => status === 'skipped' && title !== 'order › is meant to be skipped',
    );
    expect(left.length).toBeGreaterThan(3);
    expect(new Set(left.map(({ notRun }) => notRun?.reason))).toEqual(new Set(['maxFailures']));
  },
  PLAYWRIGHT_TIMEOUT_MS,
);
