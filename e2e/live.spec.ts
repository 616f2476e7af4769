import type { Locator, Page } from '@playwright/test';
import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';
import type { Service } from './service.ts';

const PROJECTS = /\/api\/projects(?:\?|$)/;
const STRIP = 'The service is not responding.';

test('a run that arrives shows on an open page without reloading it', async ({ page, empty }) => {
  const run = await submitTo(empty, 'passed');
  await page.goto(empty.url);
  const project = page.getByRole('link', { name: /storefront/ });
  await expect(project).toContainText(`#${run}`);
  const next = await submitTo(empty);
  await expect(project).toContainText(`#${next}`);
  await expect(project).toContainText('1 failed');
});

test('a run that arrives moves nothing that is being read', async ({ page, empty }) => {
  const runs: number[] = [];
  for (let nth = 0; nth < 30; nth++) runs.push(await submitTo(empty));
  await page.goto(`${empty.url}/projects/1`);
  const rows = page.getByRole('list', { name: 'Runs', exact: true }).getByRole('listitem');
  const read = rows.filter({ has: page.getByRole('link', { name: `#${runs.at(-7)}`, exact: true }) });
  await expect(page.getByRole('figure', { name: 'Run duration' }).locator('canvas')).toBeAttached();
  // Rows exist only near what is on screen: going to the last of them brings those that follow.
  await expect(async () => {
    await rows.last().scrollIntoViewIfNeeded();
    await expect(read).toBeInViewport({ timeout: 500 });
  }).toPass();
  const place = await read.boundingBox();
  const next = await submitTo(empty);
  const waiting = page.getByRole('button', { name: '1 new run · Show' });
  await expect(waiting).toBeVisible();
  expect(await read.boundingBox()).toEqual(place);

  await waiting.click();
  await expect(rows.first()).toContainText(`#${next}`);
});

test('a service that stops says so on the page, and what it missed is there when it is back', async ({
  page,
  empty,
}) => {
  const { project, run } = await openWithRun(page, empty);
  await expect(page.getByText(STRIP)).toHaveCount(0);
  await empty.stop();
  await expect(page.getByText(STRIP)).toBeVisible();
  await expect(project).toContainText(`#${run}`);

  // What is on the page stays, with everything typed and opened there.
  await project.evaluate((link) => link.setAttribute('data-kept', ''));
  await empty.restart();
  const next = await submitTo(empty);
  await expect(page.getByText(STRIP)).toHaveCount(0);
  await expect(project).toContainText(`#${next}`);
  await expect(project).toHaveAttribute('data-kept');
});

test('a run that arrives while a page loads is on it', async ({ page, empty }) => {
  await submitTo(empty);
  const submitted = Promise.withResolvers<number>();
  // The stream is then one of the page, whose request can be waited for.
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  const asked = page.waitForRequest('**/api/events');
  await page.route(
    PROJECTS,
    async (route) => {
      const response = await route.fetch();
      await asked;
      submitted.resolve(await submitTo(empty));
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.goto(empty.url);
  await expect(page.getByRole('link', { name: /storefront/ })).toContainText(`#${await submitted.promise}`);
});

test('an answer that is still the same is not parsed again', async ({ page, empty }) => {
  await page.addInitScript(`
    globalThis.read = [];
    const { text } = Response.prototype;
    Response.prototype.text = function () {
      read.push(new URL(this.url).pathname);
      return text.call(this);
    };`);
  const timesRead = (): Promise<number> => page.evaluate("read.filter((path) => path === '/api/projects').length");
  await submitTo(empty);
  await page.goto(empty.url);
  const project = page.getByRole('link', { name: /storefront/ });
  await expect(project).toBeVisible();
  for (let times = 0; times < 2; times++) {
    const asked = page.waitForResponse(PROJECTS);
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await (await asked).finished();
  }
  expect(await timesRead()).toBe(1);
  await expect(project).toContainText(`#${await submitTo(empty)}`);
  expect(await timesRead()).toBeGreaterThan(1);
});

test.describe('in a context of its own', () => {
  // Pages go offline one by one, but hear of it together: with another one, this one would still reach the service.
  test.use({ ownContext: true });

  test('a browser that was offline recovers by itself, more than once, even if it does not reach the service at once', async ({
    page,
    context,
    empty,
  }) => {
    const { project } = await openWithRun(page, empty);
    // News arrive, so the stream is open: a greeting that came after the network went would say that all is well.
    await expect(project).toContainText(`#${await submitTo(empty)}`);
    for (const failures of [0, 1]) {
      await context.setOffline(true);
      await expect(page.getByText(STRIP)).toBeVisible();
      const next = await submitTo(empty);
      if (failures > 0) await page.route('**/api/service', (route) => route.abort(), { times: failures });
      await context.setOffline(false);
      await expect(page.getByText(STRIP)).toHaveCount(0);
      await expect(project).toContainText(`#${next}`);
    }
  });
});

/** Opens the list of projects, in which the project with its one run is. */
const openWithRun = async (
  page: Page,
  service: Service,
): Promise<{ readonly project: Locator; readonly run: number }> => {
  const run = await submitTo(service);
  await page.goto(service.url);
  const project = page.getByRole('link', { name: /storefront/ });
  await expect(project).toContainText(`#${run}`);
  return { project, run };
};

const submitTo = async ({ client }: Service, status: 'passed' | 'failed' = 'failed'): Promise<number> => {
  const error = status === 'failed' ? 'expected 200, got 502' : null;
  const { testRunId } = await client.submitRun({
    body: {
      projectName: 'storefront',
      status,
      startTime: DEMO_END.toISOString(),
      branch: 'main',
      testCases: [{ title: 'pays by card', status, duration: 1200, error }],
    },
  });
  return testRunId;
};
