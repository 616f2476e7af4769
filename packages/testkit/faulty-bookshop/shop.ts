import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as base } from '@playwright/test';
import { answer, json, PAGE } from '../bookshop/shop.ts';
import { type Fault, FAULTS } from './faults.ts';

/** What a page of today has around it: a script, figures that are sent now and then, warnings that nobody reads. */
const AROUND = `<script src="/currency.js"></script><script>
  window.currency ?? console.error('no currency');
  if (Math.random() < 0.3) fetch('/api/telemetry', { method: 'POST' });
  if (Math.random() < 0.3) console.warn('currency.js: deprecated since 3.' + Math.floor(Math.random() * 9));
</script><main></main>`;

const pageOf = ({ page = [] }: Fault): string =>
  page.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`The page has no ${from}`);
      return text.replace(from, to);
    },
    PAGE.replace('<main></main>', AROUND).replace('£${', '${currency}${').replace('GPB', 'GBP'),
  );

/** Another one for every page. */
const basketId = (): string => String(1_000 + Math.floor(9_000 * Math.random()));

const routeOf = (method: string, path: string): string => `${method} ${path.replace(/(\/baskets)\/\d+/, '$1')}`;

const serve = async (fault: Fault, page: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = 'GET', url = '/' } = request;
  const address = new URL(url, 'http://shop');
  const route = routeOf(method, address.pathname);
  await sleep((method === 'GET' ? 10 : 40) * (0.5 + 2 * Math.random()));
  const planted = fault.answers?.[route];
  if (planted?.never) return;
  if (planted?.delayMs) await sleep(planted.delayMs);
  if (planted?.status !== undefined) {
    const type = planted.body?.startsWith('<') ? 'text/html' : 'application/json';
    const where = planted.location === undefined ? {} : { location: planted.location };
    response.writeHead(planted.status, { 'content-type': type, ...where }).end(planted.body);
  } else if (route === 'GET /') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page.replaceAll('4711', basketId()));
  } else if (route === 'GET /currency.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end("window.currency = '£';");
  } else if (route === 'POST /api/payments') json(response, 201, { ok: true });
  else if (route === 'POST /api/telemetry') json(response, 202, { ok: true });
  else answer(method, address, response);
};

/** Every worker has a shop of its own on a free port, with the fault that its project is named after. */
export const test = base.extend<object, { shop: string }>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures this one needs
    async ({}, use, { project }) => {
      const fault = FAULTS[project.name] ?? { first: { kind: 'step', what: /never/ } };
      const page = pageOf(fault);
      const server = createServer((request, response) => void serve(fault, page, request, response));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ shop }, use) => use(shop),
});
