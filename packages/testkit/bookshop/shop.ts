import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test as base } from '@playwright/test';

export const PAGE = readFileSync(join(import.meta.dirname, 'shop.html'), 'utf8');

const BOOKS = [
  { id: 1, title: 'The Sea, the Sea', author: 'Iris Murdoch', price: 11.5 },
  { id: 2, title: 'Middlemarch', author: 'George Eliot', price: 14 },
  { id: 3, title: 'The Left Hand of Darkness', author: 'Ursula K. Le Guin', price: 12.25 },
  { id: 4, title: 'Austerlitz', author: 'W. G. Sebald', price: 13.9 },
  { id: 5, title: 'To the Lighthouse', author: 'Virginia Woolf', price: 9.95 },
  { id: 6, title: 'Invisible Cities', author: 'Italo Calvino', price: 10.4 },
];

export const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A shop that sells books, and cannot take payments since its last release. */
export const answer = (method: string, url: URL, response: ServerResponse): void => {
  const route = `${method} ${url.pathname}`;
  if (route === 'GET /') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  else if (route === 'GET /api/books') {
    const words = (url.searchParams.get('q') ?? '').toLowerCase();
    json(
      response,
      200,
      BOOKS.filter(({ title }) => title.toLowerCase().includes(words)),
    );
  } else if (/^POST \/api\/baskets\/\d+\/items$/.test(route)) json(response, 201, { ok: true });
  else if (route === 'POST /api/payments') json(response, 502, { error: 'payment provider: unknown currency "GPB"' });
  else json(response, 404, { error: 'nothing here' });
};

/** Every worker has a shop of its own on a free port. */
export const test = base.extend<object, { shop: string }>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures this one needs
    async ({}, use) => {
      const server = createServer(({ method = '', url = '/' }, response) => {
        const patienceMs = method === 'GET' ? 30 : 300;
        setTimeout(() => answer(method, new URL(url, 'http://shop'), response), patienceMs);
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
