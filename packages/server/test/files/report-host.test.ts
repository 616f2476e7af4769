import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import { type RawReply, beside, file, filePath, rawRequest, textFields, upload } from './form.ts';

let server: TestServer;
let entry: string;
beforeAll(async () => {
  server = await startTestServer({ publicUrl: 'http://assay.test', reportsUrl: 'http://reports.test' });
  const report = await zipOf({
    'index.html': '<!doctype html><title>Report</title>',
    'a.txt': 'text',
    'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'data/t.zip': 'x',
  });
  entry = (await upload(server, [...textFields(), file('report_html', report)], { host: 'assay.test' })).reportPath!;
});
afterAll(() => server.stop());

const get = (host: string, path: string, headers: Record<string, string> = {}): Promise<RawReply> =>
  rawRequest(server, path, { host, ...headers });

describe('with a host of their own for reports', () => {
  it('the host of the session never shows a page of a report with its own origin', async () => {
    for (const host of ['assay.test', 'other.test', '127.0.0.1', 'REPORTS.TEST.evil']) {
      const { status, headers } = await get(host, filePath(entry));
      if (status === 200) {
        expect(headers['content-security-policy']).toContain('sandbox');
        expect(headers['content-security-policy']).not.toContain('allow-same-origin');
      } else {
        expect(status, host).toBeLessThan(500);
        if (headers.location) expect(headers.location).toBe(`http://reports.test${filePath(entry)}`);
      }
    }
  });

  it('the host of the reports shows a page as it was uploaded', async () => {
    const { status, headers, body } = await get('reports.test', filePath(entry));
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(String(body)).toContain('<title>Report</title>');
  });

  it('the host of the reports answers nothing but files', async () => {
    for (const path of ['/api/projects', '/api/admin/stats', '/api/test-runs/1', '/docs', '/', '/metrics']) {
      const { status } = await get('reports.test', path);
      expect([301, 302, 307, 308, 403, 404, 421], path).toContain(status);
    }
    const { status } = await rawRequest(server, '/api/test-runs/1', { host: 'reports.test' }, 'DELETE');
    expect(status).toBeGreaterThanOrEqual(400);
    expect((await get('assay.test', '/api/test-runs/1')).status).toBe(200);
  });

  it('the host of the reports is the same by another port, in capitals, and whatever a script says was forwarded', async () => {
    await using proxied = await startTestServer({
      publicUrl: 'http://assay.test',
      reportsUrl: 'http://reports.test',
      trustProxy: true,
    });
    const askAs = async (host: string, forwarded?: string): Promise<number> => {
      const headers = { host, ...(forwarded === undefined ? {} : { 'x-forwarded-host': forwarded }) };
      return (await rawRequest(proxied, '/api/projects', headers)).status;
    };
    expect(await askAs('assay.test')).toBe(200);
    expect(await askAs('127.0.0.1', 'assay.test')).toBe(200);
    for (const host of ['reports.test:81', 'Reports.Test', 'reports.test.']) expect(await askAs(host), host).toBe(404);
    for (const forwarded of ['assay.test', 'reports.test:1', 'localhost']) {
      expect(await askAs('reports.test', forwarded), forwarded).toBe(404);
    }
    expect(await askAs('127.0.0.1', 'reports.test')).toBe(404);
  });

  it('files beside the page are on its host too', async () => {
    const { status, body } = await get('reports.test', filePath(beside(entry, 'a.txt')));
    expect(status).toBe(200);
    expect(String(body)).toBe('text');
  });

  it('the trace viewer opens on the host of the session', async () => {
    const trace = `http://reports.test${filePath(beside(entry, 'data/t.zip'))}`;
    const path = `${filePath(beside(entry, 'trace/index.html'))}?trace=${encodeURIComponent(trace)}`;
    const { status, headers } = await get('reports.test', path);
    expect([301, 302, 303, 307, 308]).toContain(status);
    const target = new URL(headers.location!, 'http://reports.test');
    expect(target.origin).toBe('http://assay.test');
    expect(target.pathname).toBe('/trace-viewer/');
    expect(target.searchParams.get('trace')).toContain(filePath(beside(entry, 'data/t.zip')));
  });
});
