import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { PAGES } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../conformance/wire.ts';
import { rawRequest } from '../files/form.ts';
import { startTestServer, type TestServer } from '../server.ts';

const INDEX = '<!doctype html><title>Assay</title><script>import("/assets/main-a1b2c3d4.js")</script>';
const INDEX_SCRIPT = `'sha256-${createHash('sha256').update('import("/assets/main-a1b2c3d4.js")').digest('base64')}'`;
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(500))});`;
const BROWSER = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

const webDir = mkdtempSync(join(tmpdir(), 'assay-web-'));
let server: TestServer;

beforeAll(async () => {
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(join(webDir, 'index.html'), INDEX);
  writeFileSync(join(webDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(webDir, '.hidden'), 'not for anyone');
  writeFileSync(join(webDir, 'assets/main-a1b2c3d4.js'), SCRIPT);
  writeFileSync(join(webDir, 'assets/main-a1b2c3d4.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(webDir, 'assets/main-a1b2c3d4.js.gz'), gzipSync(SCRIPT));
  server = await startTestServer({ webDir, publicUrl: 'https://assay.test', reportsUrl: 'https://reports.test' });
});
afterAll(async () => {
  await server.stop();
  rmSync(webDir, { recursive: true });
});

const get = (path: string, init: RequestInit = {}) => fetch(server.url + path, { redirect: 'manual', ...init });

describe('a page', () => {
  it.each(Object.values(PAGES).map((path) => path.replace(':id', '12')))('%s is the interface', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe(INDEX);
  });

  it('has a tag by which it is not sent again, and no body for HEAD', async () => {
    const etag = (await get('/')).headers.get('etag')!;
    const again = await get('/projects/7', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await get('/test-runs/1', { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  it('may load nothing from elsewhere, run nothing but its own script and be framed by nobody', async () => {
    const { headers } = await get('/login');
    const [first, second] = headers.get('content-security-policy')!.split(', ');
    expect(second).toBe(`script-src 'strict-dynamic' ${INDEX_SCRIPT}; worker-src 'self'`);
    expect(first!.split('; ').sort()).toEqual(
      [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "frame-src 'self' https://reports.test",
        "img-src 'self' data:",
        "manifest-src 'self'",
        "media-src 'self'",
        `script-src 'self' ${INDEX_SCRIPT}`,
        "worker-src 'self'",
        "style-src 'self'",
      ].sort(),
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('permissions-policy')).toContain('camera=()');
  });
});

describe('an asset', () => {
  const path = '/assets/main-a1b2c3d4.js';

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('is sent for Accept-Encoding %s as %s', async (accepted, encoding) => {
    const response = await get(path, { headers: { 'accept-encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe(SCRIPT);
  });

  it('has another tag in another encoding', async () => {
    const tags = ['br', 'gzip', 'identity'].map(async (accepted) =>
      (await get(path, { headers: { 'accept-encoding': accepted } })).headers.get('etag'),
    );
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });

  it('in the root is served too, under a name that may change its content', async () => {
    const response = await get('/favicon.svg');
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });
});

describe('any other path', () => {
  it.each([
    '/nowhere',
    '/projects/abc',
    '/projects/0',
    '/projects/-1',
    '/projects/1.5',
    '/projects/1/other',
    '/tests/12345678901234567890',
    '/assets/gone-00000000.js',
    '/index.html',
    '/.hidden',
    `/assets/main-a1b2c3d4.js.br`,
  ])('%s is a 404: the interface for a browser, JSON for others', async (path) => {
    const response = await get(path, { headers: BROWSER });
    expect([response.status, await response.text()]).toEqual([404, INDEX]);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'strict-dynamic'");
    await expectError(await get(path, { headers: { accept: '*/*' } }), 404, 'not_found');
    const head = await get(path, { method: 'HEAD', headers: BROWSER });
    expect(head.status).toBe(404);
  });

  it.each(['/api', '/api/', '/api/nope', '/api/projects/1/nope'])('%s is JSON for a browser too', async (path) => {
    await expectError(await get(path, { headers: BROWSER }), 404, 'not_found');
  });

  it.each([
    '/../package.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/index.html',
  ])('%s leads out of nowhere', async (path) => {
    const response = await rawRequest(server, path);
    expect(response.status).toBe(404);
    expect(response.body.toString()).not.toContain('"name"');
  });

  it('is JSON for anything but reading', async () => {
    await expectError(await get('/projects/1', { method: 'POST', headers: BROWSER }), 405, 'method_not_allowed');
  });
});

describe('without a built interface', () => {
  it('a page says so and how to build it', async () => {
    await using bare = await startTestServer({ webDir: join(webDir, 'nothing') });
    const response = await fetch(`${bare.url}/projects/1`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toContain('npm run build:web');
    expect((await fetch(`${bare.url}/nowhere`, { headers: BROWSER })).status).toBe(404);
  });
});

describe('the trace viewer', () => {
  it('may be framed by pages of this service', async () => {
    const { headers } = await get('/trace-viewer/?trace=/api/files/traces/1/x.zip');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(headers.get('x-frame-options')).toBeNull();
  });
});
