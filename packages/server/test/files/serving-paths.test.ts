import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../robustness/raw-http.ts';
import { sharedServer, type TestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import { file, filePath, rawRequest, textFields, uniqueBytes, upload } from './form.ts';
import { filesIn } from './stored.ts';

const SECRET = 'nobody may read this';
const CONTENT = 'content of the report';

let server: TestServer;
let base: string;
let blob: string;
beforeAll(async () => {
  server = await sharedServer();
  writeFileSync(join(server.dataDir, 'secret.txt'), SECRET);
  const report = await zipOf({
    'index.html': '<!doctype html>',
    'a.txt': CONTENT,
    'data/b.txt': CONTENT,
    'data/t.zip': 'x',
  });
  const { reportPath } = await upload(server, [
    ...textFields(),
    file('report_html', report),
    file('trace_0', uniqueBytes()),
  ]);
  base = filePath(reportPath!).replace(/index\.html$/, '');
  blob = filesIn(server.dataDir, 'blobs')[0]!.slice(server.dataDir.length + 1);
});

const LEAKS = [SECRET, 'SQLite format 3', 'root:x:0:0', '"name": "@assay'];

const expectNoWayOut = async (path: string): Promise<void> => {
  const { status, head, body } = await exchange(
    server.url,
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  const shown = JSON.stringify(path.slice(0, 200));
  expect([302, 400, 403, 404, 414, 431], `${shown} ${head}`).toContain(status);
  for (const leak of LEAKS) expect(body.includes(leak), shown).toBe(false);
  if (status === 302) expect(head).not.toMatch(/location: (?:https?:)?\/\//i);
};

const UPS = [
  '..',
  '%2e%2e',
  '%2E%2e',
  '.%2e',
  '%252e%252e',
  '..%00',
  '%c0%ae%c0%ae',
  '%uff0e%uff0e',
  '．．',
  '..;',
  '....',
];
const SLASHES = ['/', '%2f', '%2F', '\\', '%5c', '%5C', '%252f', '//', '%c0%af', '/./'];
const TARGETS = ['secret.txt', 'assay.db', 'etc/passwd', 'package.json', 'proc/self/environ'];

describe('no path leads out of the store', () => {
  it('by any spelling of dot-dot and slash', async () => {
    for (const up of UPS) {
      for (const slash of SLASHES) {
        const climb = `${up}${slash}`.repeat(3);
        await expectNoWayOut(encodeURI(`/api/files/${climb}${TARGETS[0]}`).replaceAll('%25', '%'));
        await expectNoWayOut(encodeURI(`${base}${climb.repeat(3)}${TARGETS[2]}`).replaceAll('%25', '%'));
      }
    }
  });

  it('by mixtures of them', async () => {
    const segment = fc.constantFrom(
      ...UPS,
      ...TARGETS,
      '.',
      '%2e',
      '',
      '%00',
      'reports',
      '1',
      'traces',
      'blobs',
      '~',
      'C:',
    );
    const path = fc.array(fc.tuple(segment, fc.constantFrom(...SLASHES)), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('/api/files/', '/api/files', base), async (parts, start) => {
        const text = parts.map(([name, slash]) => name + slash).join('');
        await expectNoWayOut(encodeURI(start + text).replaceAll('%25', '%'));
      }),
      { numRuns: 250, seed: 11 },
    );
  });

  it.each([
    '//etc/passwd',
    '%2fetc%2fpasswd',
    'file:///etc/passwd',
    'C:/windows/win.ini',
    'C:%5cwindows%5cwin.ini',
    '\\\\server\\share',
    '%00',
    'reports/1/a.txt%00',
    'reports/1/a.txt%00.html',
    'reports/1%00/a.txt',
    'reports/1/%',
    'reports/1/%zz',
    'reports/1/%ff%fe',
    'reports/01/a.txt',
    'reports/1.0/a.txt',
    'reports/-1/a.txt',
    'reports/99999999999999999999/a.txt',
    'reports/1e0/a.txt',
    'reports/ 1/a.txt',
    'reports/1/a.txt/',
    'reports/1//a.txt',
    'reports//1/a.txt',
    'reports/1/./a.txt/.',
    'reports',
    'reports/',
    'reports/1',
    'reports/1/',
    'traces',
    'traces/1',
    'blobs',
    'staging',
    'assay.db',
    'secret.txt',
    '',
    '.',
    '__proto__',
    'constructor',
    'reports/__proto__/a.txt',
    "reports/1/' OR 1=1 --",
    'reports/1/%25',
    `reports/1/${'a/'.repeat(4_000)}`,
    `reports/1/${'a'.repeat(9_000)}`,
  ])('by row %#', async (path) => {
    await expectNoWayOut(`/api/files/${path}`.replaceAll(' ', '%20'));
  });

  it('to a blob by its name on disk', async () => {
    expect(readFileSync(join(server.dataDir, blob)).length).toBeGreaterThan(0);
    await expectNoWayOut(`/api/files/${blob}`);
    await expectNoWayOut(`/api/files/${blob.split('/').at(-1)}`);
    await expectNoWayOut(`${base}../../${blob}`);
  });
});

describe('a file', () => {
  it.each(['a.txt', '%61.txt', 'a%2Etxt', 'data/b.txt'])('is found by %s', async (name) => {
    const { status, body } = await rawRequest(server, `${base}${name}`);
    expect(status).toBe(200);
    expect(String(body)).toBe(CONTENT);
  });

  it('is found with any query', async () => {
    expect((await rawRequest(server, `${base}a.txt?v=1&trace=../x`)).status).toBe(200);
  });
});

describe('a trace', () => {
  it('is found by the name that the upload answered, and by no other', async () => {
    const { traces } = await upload(server, [...textFields(), file('trace_0', uniqueBytes())]);
    const path = filePath(traces[0]!.path);
    expect((await rawRequest(server, path)).status).toBe(200);
    for (const name of ['other.zip', 'trace.zip%0a', 'TRACE.ZIP', 'trace_zip']) {
      expect((await rawRequest(server, path.replace(/[^/]+$/, name))).status, name).toBe(404);
    }
  });
});

describe('the trace viewer of a report', () => {
  const open = (value: string) => rawRequest(server, `${base}trace/index.html?trace=${encodeURIComponent(value)}`);

  it('is ours, with the trace of the report', async () => {
    for (const value of [`${server.url}${base}data/t.zip`, `${base}data/t.zip`, '../data/t.zip']) {
      const { status, headers } = await open(value);
      expect([301, 302, 303, 307, 308], value).toContain(status);
      const shown = await fetch(new URL(headers.location!, server.url));
      expect(shown.status).toBe(200);
      expect(shown.url).toBe(`${server.url}/trace-viewer/?trace=${base}data/t.zip`);
    }
  });

  it.each([
    'https://evil.example/a.zip',
    '//evil.example/a.zip',
    'javascript:alert(1)',
    'data:text/html,x',
    '\r\nX: y',
  ])('never opens %j', async (value) => {
    const { status, headers } = await open(value);
    expect(status).toBeLessThan(500);
    expect(new URL(headers.location ?? '/', server.url).origin).toBe(server.url);
    expect(headers['x']).toBeUndefined();
    if (headers.location === undefined) return;
    const shown = await fetch(new URL(headers.location, server.url), { redirect: 'manual' });
    expect(shown.status).not.toBe(200);
  });
});
