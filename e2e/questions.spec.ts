import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';
import type { Service } from './service.ts';

const DAY_MS = 86_400_000;

test('which commit broke a test is said in words', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  const { failures } = await demo.client.compareRun({ params: { id: run } });
  const old = failures.find(({ failedRuns }) => failedRuns > 1)!;
  await showNext(page, demo, `/test-cases/${old.testCaseId}`);
  await page.getByRole('link', { name: 'All results of this test' }).click();
  const told = page.getByRole('alert');
  await expect(told).toContainText(/Failing on main/);
  await expect(told).toContainText(`first in #${old.failingSince.id} at ${old.failingSince.commit!.slice(0, 7)}`);
  await expect(told).toContainText(/Before, it passed in #\d+/);
});

interface Sent {
  readonly days: number;
  readonly branch?: string;
  readonly commit?: string;
  /** By title: null passed, a text failed with it. */
  readonly results: Readonly<Record<string, string | null>>;
}

/** Sends a run that started so many days ago; answers its id, and the ids of its results by title. */
const send = async ({ client }: Service, { days, branch = 'main', commit, results }: Sent) => {
  const testCases = Object.entries(results).map(([title, error], at) => {
    const location = `tests/pay.spec.ts:${at + 3}:1`;
    return error === null ? { title, status: 'passed', location } : { title, status: 'failed', error, location };
  });
  const status = testCases.some((each) => each.status === 'failed') ? 'failed' : 'passed';
  const startTime = new Date(DEMO_END.getTime() - days * DAY_MS).toISOString();
  const body = { projectName: 'shop', status, startTime, branch, commit, testCases };
  const { testRunId: id } = await client.submitRun({ body });
  const run = await client.getRun({ params: { id } });
  return { id, cases: Object.fromEntries(run.testCases.map((each) => [each.title, each])) };
};

const NO_BANK = 'Error: the bank did not answer';

test('whether a failure is new on my branch is said in words, and what it was compared with', async ({
  page,
  empty,
}) => {
  await send(empty, { days: 3, results: { 'pays by card': null, ships: null } });
  const broken = await send(empty, { days: 2, results: { 'pays by card': null, ships: 'Error: no van' } });
  const main = await send(empty, { days: 1, results: { 'pays by card': null, ships: 'Error: no van' } });
  await send(empty, { days: 0.5, branch: 'theirs', results: { 'pays by card': NO_BANK, ships: null } });
  const mine = await send(empty, {
    days: 0.1,
    branch: 'mine',
    results: { 'pays by card': NO_BANK, ships: 'Error: no van' },
  });
  await page.goto(`${empty.url}/test-runs/${mine.id}`);
  const against = `against #${main.id} (the latest main before it)`;
  await expect(page.getByText(`1 test fails only here, 1 also fails on main, ${against}`)).toBeVisible();
  const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await expect(results.filter({ hasText: 'pays by card' }).last()).toContainText(/New\s*passes on main/);
  await expect(results.filter({ hasText: 'ships' }).last()).toContainText(`also fails on main since #${broken.id}`);

  // It stands above the results, and moves them as it comes.
  await expect(page.getByRole('region', { name: 'Why it is red' })).toContainText('Error: no van');
  await page.getByRole('link', { name: 'pays by card' }).click();
  await expect(page.getByRole('alert')).toContainText('Fails on mine, passes on main');
  await expect(page.getByRole('alert')).toContainText(`Compared with #${main.id}, the latest of main before it`);

  await showNext(page, empty, `/projects/${(await empty.client.listProjects())[0]!.id}/branches`);
  await expect(page.getByRole('row', { name: /^mine/ })).toContainText(
    `1 new here, 1 also fails there, against #${main.id}`,
  );
});

test('all failures of one cause in 30 days are listed, and whoever gets the address sees the same', async ({
  page,
  empty,
  context,
}) => {
  const results = { 'pays by card': NO_BANK, 'pays by invoice': NO_BANK, ships: 'Error: no van' };
  await send(empty, { days: 40, results });
  const first = await send(empty, { days: 20, branch: 'theirs', results });
  const last = await send(empty, { days: 1, results: { ...results, 'pays by invoice': null } });
  await page.goto(`${empty.url}/test-cases/${last.cases['pays by card']!.id}`);
  await page.getByRole('link', { name: 'All failures of this cause in 30 days' }).click();

  const other = await context.newPage();
  await other.goto(page.url());
  for (const each of [page, other]) {
    await expect(
      each.getByRole('heading', { name: '3 failures of 2 tests: all branches, last 30 days' }),
    ).toBeVisible();
    const failures = each.getByRole('list', { name: 'Failures of this cause' });
    await expect(failures.getByRole('link', { name: /^#/ })).toHaveText([
      `#${last.id}`,
      `#${first.id}`,
      `#${first.id}`,
    ]);
  }
  await page.getByRole('searchbox', { name: 'Search in errors' }).fill('no van');
  await expect(page.getByText('Error: no van', { exact: true })).toBeVisible();
  await expect(page.getByText('No failure here has the cause')).toBeVisible();
  await other.goto(page.url());
  await expect(other.getByRole('searchbox', { name: 'Search in errors' })).toHaveValue('no van');
  await expect(other.getByText(/^1 cause: all branches, last 30 days$/)).toBeVisible();
});

test('whether a fix of yesterday has held is said in words, of its branch alone', async ({ page, empty }) => {
  const passed = { 'pays by card': null };
  const failed = { 'pays by card': NO_BANK };
  await send(empty, { days: 4, commit: 'good', results: passed });
  const broken = await send(empty, { days: 3, commit: 'broken', results: failed });
  await send(empty, { days: 1, commit: 'fixed', results: passed });
  await send(empty, { days: 0.5, commit: 'later', results: passed });
  const last = await send(empty, { days: 0.1, branch: 'feat/else', commit: 'else', results: failed });
  await page.goto(`${empty.url}/tests/${last.cases['pays by card']!.testId}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('Passing again on main');
  await expect(main).toContainText(`It passed in 2 runs since it failed in #${broken.id} at broken, 3 d ago.`);
});

test('what cannot be known is said to be unknown: a first run, only skipped results, runs without a branch', async ({
  page,
  empty,
}) => {
  const { client } = empty;
  const submit = async (days: number, status: string): Promise<number> => {
    const startTime = new Date(DEMO_END.getTime() - days * DAY_MS).toISOString();
    const testCases = [
      { title: 'pays', status, error: status === 'failed' ? NO_BANK : null },
      { title: 'waits', status: 'skipped' },
    ];
    const { testRunId } = await client.submitRun({ body: { projectName: 'shop', status, startTime, testCases } });
    return testRunId;
  };
  const first = await submit(2, 'failed');
  const { testCases } = await client.getRun({ params: { id: first } });
  const [pays, waits] = testCases as [(typeof testCases)[number], (typeof testCases)[number]];
  const main = page.getByRole('main');
  await page.goto(`${empty.url}/test-runs/${first}`);
  await expect(page.getByRole('link', { name: 'pays' })).toBeVisible();
  await expect(main).not.toContainText(/New|compared with/);
  await showNext(page, empty, `/tests/${pays.testId}`);
  await expect(main).toContainText('It failed first in #1');
  await expect(main).not.toContainText('Newly');
  await showNext(page, empty, `/tests/${waits.testId}`);
  await expect(main).toContainText('Unknown whether it works');

  const second = await submit(1, 'passed');
  await showNext(page, empty, `/test-runs/${second}`);
  await expect(main).toContainText(`1 test fixed, compared with #${first}`);
  await showNext(page, empty, '/projects/1/branches');
  await expect(main).toContainText('No run names a branch');
});
