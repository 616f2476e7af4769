import { type Server, createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { DEMO_END } from './demo-end.ts';
import { expect, test as journeys } from './journey.ts';
import type { Service } from './service.ts';

interface Gateway {
  readonly url: string;
  /** How many event streams are open. */
  readonly streams: () => number;
  /** Sends further requests elsewhere, and ends those that are going on. */
  readonly switchTo: (service: Service) => void;
}

/** The address that a browser knows, whichever service is behind it. */
const startGateway = async (service: Service): Promise<Gateway & { readonly server: Server }> => {
  let origin = service.url;
  let streams = 0;
  const server = createServer((request, response) => {
    const isStream = request.url === '/api/events';
    if (isStream) streams++;
    const { method, url: path, headers } = request;
    const forwarded = sendRequest(origin + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => {
      if (isStream) streams--;
      forwarded.destroy();
    });
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams: () => streams,
    switchTo(other) {
      origin = other.url;
      server.closeAllConnections();
    },
  };
};

const test = journeys.extend<{ gateway: Gateway }>({
  gateway: async ({ empty }, use) => {
    const { server, ...gateway } = await startGateway(empty);
    await use(gateway);
    server.closeAllConnections();
    server.close();
  },
});

const TABS = 10;

test('ten tabs share one event stream, and all of them show a change', async ({ context, empty, gateway }) => {
  await submitTo(empty, 'checkout');
  const pages: Page[] = [];
  for (let tab = 0; tab < TABS; tab++) {
    const page = await context.newPage();
    pages.push(page);
    await page.goto(gateway.url);
    await expect(page.getByRole('link', { name: /checkout/ })).toBeVisible();
  }
  await submitTo(empty, 'catalogue');
  for (const page of pages) await expect(page.getByRole('link', { name: /catalogue/ })).toBeVisible();
  expect(gateway.streams()).toBe(1);

  // The one that opened the stream goes.
  await pages.shift()!.close();
  await submitTo(empty, 'delivery');
  for (const page of pages) await expect(page.getByRole('link', { name: /delivery/ })).toBeVisible();
  expect(gateway.streams()).toBe(1);
});

test('a browser without shared workers has a stream for each visible tab', async ({ context, empty, gateway }) => {
  await submitTo(empty, 'checkout');
  const [page, hidden] = [await context.newPage(), await context.newPage()];
  for (const each of [page, hidden]) {
    await each.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  }
  await page.goto(gateway.url);
  await expect(page.getByRole('link', { name: /checkout/ })).toBeVisible();
  await setVisibility(hidden, 'hidden');
  await hidden.goto(gateway.url);
  await expect(hidden.getByRole('link', { name: /checkout/ })).toBeVisible();
  await submitTo(empty, 'catalogue');
  await expect(page.getByRole('link', { name: /catalogue/ })).toBeVisible();
  expect(gateway.streams()).toBe(1);
});

test('a hidden tab listens to nothing, and shows what it missed once it is looked at', async ({
  page,
  empty,
  gateway,
}) => {
  await submitTo(empty, 'checkout');
  await page.goto(gateway.url);
  await expect.poll(gateway.streams).toBe(1);
  await setVisibility(page, 'hidden');
  await expect.poll(gateway.streams).toBe(0);
  await submitTo(empty, 'catalogue');
  await setVisibility(page, 'visible');
  await expect(page.getByRole('link', { name: /catalogue/ })).toBeVisible();
  expect(gateway.streams()).toBe(1);
});

test('a tab that was opened in the background is up to date when it is looked at', async ({ page, empty, gateway }) => {
  await submitTo(empty, 'checkout');
  await setVisibility(page, 'hidden');
  await page.goto(gateway.url);
  await expect(page.getByRole('link', { name: /checkout/ })).toBeVisible();
  expect(gateway.streams()).toBe(0);
  await submitTo(empty, 'catalogue');
  await setVisibility(page, 'visible');
  await expect(page.getByRole('link', { name: /catalogue/ })).toBeVisible();
});

test('a page shows nothing of the data directory that was there before', async ({ page, empty, guarded, gateway }) => {
  const { projectId } = await submitTo(empty, 'checkout');
  await page.goto(`${gateway.url}/projects/${projectId}`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toContainText('checkout');
  await page.getByRole('link', { name: 'Projects', exact: true }).first().click();
  await expect(page.getByRole('link', { name: /checkout/ })).toBeVisible();

  gateway.switchTo(guarded);
  await expect(page.getByText('No account exists yet')).toBeVisible();
  await expect(page.getByRole('link', { name: /checkout/ })).toHaveCount(0);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/projects/*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goBack();
  await expect(page).toHaveURL(`${gateway.url}/projects/${projectId}`);
  await expect(page.locator('main')).not.toContainText('checkout');
  release();
  await expect(page.getByText('It may have been deleted')).toBeVisible();
});

/** Pages of a headless browser are all visible; this is what a page sees of being in the background. */
const setVisibility = async (page: Page, state: 'visible' | 'hidden'): Promise<void> => {
  const script = `
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`;
  if (page.url() === 'about:blank') await page.addInitScript(script);
  else await page.evaluate(script);
};

const submitTo = ({ client }: Service, projectName: string) =>
  client.submitRun({
    body: {
      projectName,
      status: 'passed',
      startTime: DEMO_END.toISOString(),
      testCases: [{ title: 'pays by card', status: 'passed', duration: 1200 }],
    },
  });
