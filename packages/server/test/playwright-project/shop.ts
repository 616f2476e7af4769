import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base } from '@playwright/test';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const HOME = `<!doctype html>
<title>Shop</title>
<h1>Shop</h1>
<img src="/images/logo.gif?cache=1" alt="">
<label>Password <input type="password"></label>
<button onclick="load()">Load user</button>
<output></output>
<script>
  const load = async () => {
    const user = await (await fetch('/api/users/123?token=secret', { headers: { authorization: 'Bearer secret' } })).json();
    document.querySelector('output').textContent = user.name;
  };
</script>`;

const BROKEN = `<!doctype html>
<title>Broken</title>
<h1>Broken</h1>
<script>
  console.log('nothing to see');
  console.warn('stock is low:', 3);
  console.error('no price for', 'chair');
  setTimeout(() => { throw new TypeError('basket is undefined'); }, 0);
  const request = new XMLHttpRequest();
  request.open('POST', '/api/orders?session=secret');
  request.setRequestHeader('content-type', 'application/json');
  request.onloadend = () => { document.querySelector('h1').textContent = 'Answered ' + request.status; };
  request.send(JSON.stringify({ card: 'secret' }));
</script>`;

const ANSWERS: Readonly<Record<string, { status: number; type: string; body: string | Buffer }>> = {
  '/': { status: 200, type: 'text/html', body: HOME },
  '/broken': { status: 200, type: 'text/html', body: BROKEN },
  '/images/logo.gif': { status: 200, type: 'image/gif', body: PIXEL },
  '/api/users/123': { status: 200, type: 'application/json', body: '{"name":"Ada"}' },
  '/api/orders': { status: 500, type: 'application/json', body: '{"error":"no stock"}' },
};
const NOT_FOUND = { status: 404, type: 'text/plain', body: 'nothing here' };

/** Every worker has a shop of its own on a free port. */
export const test = base.extend<object, { shop: string }>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures this one needs
    async ({}, use) => {
      const server = createServer((request, response) => {
        const { status, type, body } = ANSWERS[request.url?.split('?')[0] ?? ''] ?? NOT_FOUND;
        response.writeHead(status, { 'content-type': type, 'set-cookie': 'session=secret' }).end(body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ shop }, use) => use(shop),
});
