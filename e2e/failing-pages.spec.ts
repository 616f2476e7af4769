import type { Page } from '@playwright/test';
import { DEMO_END } from './demo-end.ts';
import { at, expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('a page that fails says so, and leads on', async ({ page, demo }) => {
  const { run, project } = await findPlaces(demo);
  await page.route(`**/api/test-runs/${run}?details=false`, (route) => route.fulfill({ json: { id: run } }));
  await page.goto(`${demo.url}/test-runs/${run}`);
  await expect(page.getByRole('alert')).toContainText('Assay could not show this page');
  await expect(page.getByText(`/test-runs/${run}`)).toBeVisible();
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.getByRole('link', { name: /back-office/ }).click();
  await expect(page).toHaveURL(at(`/projects/${project}`));
  await expect(page.getByRole('list', { name: 'Runs', exact: true })).toBeVisible();
});

test('a page whose code did not come is loaded as soon as the service answers', async ({ page, demo }) => {
  const { project } = await findPlaces(demo);
  await page.goto(demo.url);
  const link = page.getByRole('link', { name: /back-office/ });
  await expect(link).toBeVisible();
  await page.route(/\/assets\/project-page|\/api\/service/, (route) => route.abort());
  await link.click();
  await expect(page.getByRole('alert')).toContainText('This page did not load');
  await page.unroute(/\/assets\/project-page|\/api\/service/);
  await expect(page.getByRole('list', { name: 'Runs', exact: true })).toBeVisible();
  await expect(page).toHaveURL(at(`/projects/${project}`));
});

test('a new version of the interface is noticed, and comes with the next page', async ({ page, empty }) => {
  await empty.client.submitRun({
    body: {
      projectName: 'shop',
      status: 'passed',
      startTime: DEMO_END.toISOString(),
      testCases: [{ title: 'pays', status: 'passed' }],
    },
  });
  await page.goto(empty.url);
  const link = page.getByRole('link', { name: /shop/ });
  await expect(link).toBeVisible();
  await markDocument(page);
  await page.route(`${empty.url}/`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ body: (await answer.text()).replaceAll('/assets/', '/assets/new-'), response: answer });
  });
  await empty.stop();
  await empty.restart();
  await expect(page.getByText('A new version of Assay is running')).toBeVisible();
  expect(await isMarked(page)).toBe(true);
  await link.click();
  await expect(page.getByRole('list', { name: 'Runs', exact: true })).toBeVisible();
  await expect.poll(() => isMarked(page)).toBe(false);
});

test('a change that the service did not answer is said to be not done', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}`);
  await page.route(`**/api/test-runs/${run}`, (route) => route.abort());
  await page.getByRole('button', { name: 'Delete run' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete run' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Not done: the service is not responding');
});

test('a link leads to the top of its page and the focus to its heading, also once that has loaded; going back keeps the place', async ({
  demoPage: page,
  demo,
}) => {
  const { project } = await findPlaces(demo);
  await showNext(page, demo, `/projects/${project}`);
  await expect(page.getByRole('list', { name: 'Runs', exact: true })).toBeVisible();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/api\/test-runs\/\d+\?details=false/, async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.press('j');
  for (let row = 0; row < 25; row++) await page.keyboard.press('j');
  const focused = page.locator(':focus');
  await expect(focused).toHaveText(/^#\d+$/);
  const name = await focused.textContent();
  const scrolled = await page.evaluate<number>('window.scrollY');
  expect(scrolled).toBeGreaterThan(200);
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(`Run ${name}`);
  await expect(heading).toBeFocused();
  release();
  await expect(heading).toHaveText(new RegExp(`^Run ${name} \\w+`));
  await expect(heading).toBeFocused();
  expect(await page.evaluate<number>('window.scrollY')).toBe(0);
  await page.goBack();
  await expect(page.getByRole('link', { name: name!, exact: true })).toBeInViewport();
});

const markDocument = (page: Page): Promise<void> => page.evaluate("document.body.setAttribute('data-old', '')");
const isMarked = (page: Page): Promise<boolean> => page.evaluate<boolean>("document.body.hasAttribute('data-old')");
