import type { Locator, Page } from '@playwright/test';
import { DEMO_END } from './demo-end.ts';
import { at, expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('from a project that turned red to the error of a newly failing test, in two clicks', async ({
  demoPage: page,
  demo,
}) => {
  await showNext(page, demo, '/');
  await page.getByRole('link', { name: /^Failed storefront/ }).click();

  const fresh = page.getByRole('region', { name: /newly failing/ });
  const failure = fresh.getByRole('listitem').first();
  const { run } = await findPlaces(demo, 'storefront');
  await expect(failure).toContainText(`since #${run}`);
  await failure.getByRole('link').first().click();

  await expect(page.getByRole('region', { name: 'Error' })).toContainText(/\S/);
  await expect(page.getByRole('region', { name: 'History of this test' })).toContainText(
    'Newly failing: last passed in #',
  );
});

test('a test that has failed for a while says since when, before and after one looks at its error', async ({
  demoPage: page,
  demo,
}) => {
  const { run } = await findPlaces(demo);
  const { failures } = await demo.client.compareRun({ params: { id: run } });
  const [{ title, failingSince }] = failures.filter(({ isNew }) => !isNew) as [(typeof failures)[number]];
  await showNext(page, demo, '/');
  await page.getByRole('link', { name: /^Failed back-office/ }).click();
  const failure = page
    .getByRole('region', { name: 'Changes since the previous run' })
    .getByRole('listitem')
    .filter({ hasText: title });
  await expect(failure.first()).toContainText(`since #${failingSince.id}`);
  await expect(failure.first()).toContainText('22 h ago');
  await failure.first().getByRole('link', { name: title }).click();
  await expect(page.getByRole('region', { name: 'Error' })).toContainText('toBeVisible');
  await expect(page.getByRole('region', { name: 'History of this test' })).toContainText(
    `Failing since #${failingSince.id}`,
  );
});

test('a red run says first why it is red, and opens what that is about', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  const { statements } = await demo.client.explainRun({ params: { id: run } });
  await showNext(page, demo, `/test-runs/${run}`);
  const why = page.getByRole('region', { name: 'Why it is red' });
  await why.getByText(`failed before already, since run #${statements[0]!.traits[0]!.since!.id}`).click();
  await why.getByRole('link', { name: 'Filter the results by this' }).click();
  await expect(page.getByRole('combobox', { name: 'Filter results' })).toHaveValue(/-new$/);
});

/** Keeps back why a run is red until it is released. */
const holdExplanation = async (page: Page): Promise<() => void> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/explanation', async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

test.describe('with a clock of its own', () => {
  test.use({ ownContext: true });

  test('the results come with why the run is red, so that they do not move', async ({ page, demo }) => {
    const { run } = await findPlaces(demo);
    const release = await holdExplanation(page);
    // Time goes on by a millisecond where the page needs it: it does not come to the end of its patience. Where its code came
    // late, React needs three hundred of them.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(DEMO_END);
    const until = (what: Locator): Promise<void> =>
      expect(async () => {
        await page.clock.runFor(1);
        await expect(what).toBeVisible({ timeout: 1 });
      }).toPass({ intervals: [10] });
    const results = page.getByRole('list', { name: 'Results' });
    await page.goto(`${demo.url}/test-runs/${run}`);
    await until(page.getByRole('heading', { name: `Run #${run} Failed` }));
    await expect(results).toHaveCount(0);
    release();
    await until(results);
    await expect(page.getByRole('region', { name: 'Why it is red' })).toBeVisible();
  });
});

test('the results do not wait for ever for why the run is red', async ({ page, demo }) => {
  const { run } = await findPlaces(demo);
  const release = await holdExplanation(page);
  await page.goto(`${demo.url}/test-runs/${run}`);
  await expect(page.getByRole('list', { name: 'Results' })).toBeVisible();
  const why = page.getByRole('region', { name: 'Why it is red' });
  await expect(why).toHaveCount(0);
  release();
  await expect(why).toBeVisible();
});

test('the run itself tells what is new in it, with the error in place', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo, 'storefront');
  await showNext(page, demo, `/test-runs/${run}`);
  await page.getByRole('button', { name: /New failures/ }).click();
  await expect(page).toHaveURL(at(`/test-runs/${run}?filter=new`));
  const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  const first = results.filter({ has: page.getByRole('link') }).first();
  await expect(first).toContainText('New');
  await first.getByRole('button', { expanded: false }).click();
  await first.getByRole('link', { name: 'Steps, requests and history of this result' }).click();
  await expect(page.getByRole('region', { name: 'History of this test' })).toContainText('Newly failing');
});

test('failures of one cause stand together', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}`);
  await page.getByRole('radio', { name: 'By cause' }).check();
  const groups = page.getByRole('list', { name: 'Results' }).getByRole('button', { expanded: true });
  await expect(groups.first()).toContainText(/\d\d×/);
});
