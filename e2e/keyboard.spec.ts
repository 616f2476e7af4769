import type { Locator } from '@playwright/test';
import { at, expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('keys alone lead from the projects to a failure', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, '/');
  await expect(page.getByRole('link', { name: /back-office/ })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search projects' })).toBeFocused();
  await page.keyboard.type('back');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  const project = page.getByRole('link', { name: /back-office/ });
  await expect(project).toBeFocused();
  await expectVisibleFocus(project);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('list', { name: 'Runs', exact: true })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(page.locator('[aria-current=true]')).toContainText(`#${run}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Run #${run}`);

  await expect(page.getByRole('list', { name: 'Results' })).toBeVisible();
  // Past the heading of the cause that most of them have.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/test-cases\/\d+$/);
});

test('g and a letter go to the pages of the project, from any page that belongs to one', async ({
  demoPage: page,
  demo,
}) => {
  const { project, result } = await findPlaces(demo);
  await showNext(page, demo, `/test-cases/${result}`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading.locator('[data-project]')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page).toHaveURL(at(`/projects/${project}/tests`));
  await expect(page.getByRole('table')).toBeVisible();
  for (const [letter, path] of [
    ['f', `/projects/${project}/flaky`],
    ['s', `/projects/${project}/slow`],
    ['r', `/projects/${project}`],
    ['d', '/docs'],
    ['o', '/settings/storage'],
    ['p', '/'],
  ] as const) {
    // A page that is still busy hears the letter too late to belong to the g.
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press(letter);
      await expect(page).toHaveURL(at(path), { timeout: 2_000 });
    }).toPass();
    await expect(heading).toBeVisible();
  }
});

test('[ and ] go to the run before and after with the same filter', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  const { previousRun } = await demo.client.compareRun({ params: { id: run } });
  await showNext(page, demo, `/test-runs/${previousRun!.id}?filter=flaky`);
  await expect(page.getByRole('link', { name: 'Previous run' })).toBeVisible();
  await page.keyboard.press(']');
  await expect(page).toHaveURL(at(`/test-runs/${run}?filter=flaky`));
  await expect(page.getByRole('link', { name: 'Previous run' })).toBeVisible();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(at(`/test-runs/${previousRun!.id}?filter=flaky`));
});

test('n and p go through the failures of a run and keep the section', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  const { failures } = await demo.client.compareRun({ params: { id: run } });
  const [first, second] = failures.map(({ testCaseId }) => testCaseId);
  await showNext(page, demo, `/test-cases/${first}?tab=steps`);
  await expect(page.getByText(`Failure 1 of ${failures.length}`)).toBeVisible();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(at(`/test-cases/${second}?tab=steps`));
  await expect(page.getByText(`Failure 2 of ${failures.length}`)).toBeVisible();
  await page.keyboard.press('p');
  await expect(page).toHaveURL(at(`/test-cases/${first}?tab=steps`));
});

test('the palette finds a test, a run and a page', async ({ demoPage: page, demo }) => {
  await showNext(page, demo, '/');
  await expect(page.getByRole('link', { name: /back-office/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Find anything' });
  await expect(box).toBeFocused();
  await page.keyboard.type('hides salaries');
  const found = page.getByRole('option', { name: /hides salaries from the support role/, selected: true });
  await expect(found).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('hides salaries');

  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await page.keyboard.type('#123');
  await expect(page.getByRole('option', { name: /Run #123/, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at('/test-runs/123'));

  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('Enter in the palette waits for what is still being searched', async ({ page, demo }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/api\/search\?q=hides(\+|%20)salaries$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(demo.url);
  await expect(page.getByRole('link', { name: /back-office/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  const asked = page.waitForRequest(/q=hides(\+|%20)salaries$/);
  await page.keyboard.type('hides salaries');
  await asked;
  await page.keyboard.press('Enter');
  release();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('hides salaries');
});

test('? lists the keys, and Escape leaves them', async ({ demoPage: page, demo }) => {
  await showNext(page, demo, '/');
  await expect(page.getByRole('link', { name: /back-office/ })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Flaky tests of this project');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the first Tab skips to the content', async ({ page, demo }) => {
  await page.goto(demo.url);
  await expect(page.getByRole('link', { name: /back-office/ })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('searchbox', { name: 'Search projects' })).toBeFocused();
});

const expectVisibleFocus = (element: Locator): Promise<void> => expect(element).toHaveCSS('outline-style', 'solid');
