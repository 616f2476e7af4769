import Fastify from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerViewer } from '../src/features/viewer/routes.ts';
import { type TestServer, sharedServer } from './server.ts';

const TRACE = '/api/files/traces/7/login.zip';
let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { redirect: 'manual', headers });

describe('a page of the trace viewer', () => {
  test('opens a stored trace, with nothing but its own script', async () => {
    const answer = await get(`/trace-viewer/?trace=${TRACE}`);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain(`data-trace="${TRACE}"`);
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'(?:;|$)/);
  });

  test('says how to open a trace when it is given none', async () => {
    const answer = await get('/trace-viewer/');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Which trace?');
    expect((await get('/trace-viewer/index.html')).headers.get('location')).toBe('/trace-viewer/');
  });

  test.each(['', 'index.html', 'snapshot.html'])('%s refuses a foreign trace', async (name) => {
    const answer = await get(`/trace-viewer/${name}?trace=${encodeURIComponent('https://evil.example/<b>.zip')}`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('https://evil.example/&lt;b&gt;.zip');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'");
  });

  test.each(['', 'index.html'])('%s is sent to the plain path of a trace', async (name) => {
    const answer = await get(`/trace-viewer/${name}?trace=${encodeURIComponent(`${server.url}${TRACE}`)}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`/trace-viewer/?trace=${TRACE}`);
  });

  test('allows no inline script but the one it has, and no other origin', async () => {
    const answer = await get(`/trace-viewer/index.html?trace=${TRACE}`);
    const policy = answer.headers.get('content-security-policy')!;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });
});

describe('a file of the trace viewer', () => {
  test('that is the service worker reaches no other origin and runs behind our guard', async () => {
    const answer = await get('/trace-viewer/sw.bundle.js');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-security-policy')).toContain("connect-src 'self'");
    expect(await answer.text()).toContain("importScripts('./sw.stock.js')");
    expect(await (await get('/trace-viewer/sw.stock.js')).text()).toContain('addEventListener(`fetch`');
  });

  test('is kept for long when its name has a hash, and asked for again by its tag', async () => {
    const page = await (await get(`/trace-viewer/index.html?trace=${TRACE}`)).text();
    const name = /src="\.\/(?<name>index\.[^"]+\.js)"/.exec(page)!.groups!['name']!;
    const answer = await get(`/trace-viewer/${name}`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const again = await get(`/trace-viewer/${name}`, { 'if-none-match': answer.headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  test.each(['uiMode.html', 'nothing.js', 'assets', '%2e%2e/index.js', '..%2f..%2f..%2fpackage.json', 'constructor'])(
    'is never %s',
    async (name) => {
      expect((await get(`/trace-viewer/${name}?trace=${TRACE}`)).status).toBe(404);
    },
  );
});

test('an installation without the viewer says so and still gives the trace', async () => {
  await using app = Fastify();
  registerViewer(app, () => null);
  const answer = await app.inject(`/trace-viewer/?trace=${TRACE}`);
  expect(answer.statusCode).toBe(503);
  expect(answer.body).toContain(`href="${TRACE}"`);
  expect((await app.inject('/trace-viewer/sw.bundle.js')).statusCode).toBe(503);
});
