import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTraceQuery, storedTracePath, traceViewerUrl, viewerRedirect } from './trace-link.ts';

const HOST = 'assay.example:3000';

describe('a stored trace', () => {
  test.each([
    ['/api/files/traces/7/login.zip', '/api/files/traces/7/login.zip'],
    ['/api/files/reports/7/data/a1.zip', '/api/files/reports/7/data/a1.zip'],
    ['http://assay.example:3000/api/files/traces/7/login.zip', '/api/files/traces/7/login.zip'],
    ['https://ASSAY.example:3000/api/files/traces/7/login.zip', '/api/files/traces/7/login.zip'],
    ['/api/files/reports/7/my report/Ünï.ZIP', '/api/files/reports/7/my%20report/%C3%9Cn%C3%AF.ZIP'],
    ['/api/files/reports/7/my%20report/a.zip', '/api/files/reports/7/my%20report/a.zip'],
    ["/api/files/reports/7/$(id);'&!*/a.zip", '/api/files/reports/7/%24%28id%29%3B%27%26%21%2A/a.zip'],
  ])('%s', (value, path) => {
    expect(storedTracePath(value, HOST)).toBe(path);
  });

  test.each([
    'https://evil.example/api/files/traces/7/a.zip',
    'http://assay.example/api/files/traces/7/a.zip',
    'http://assay.example:3000@evil.example/api/files/traces/7/a.zip',
    'http://evil@assay.example:3000/api/files/traces/7/a.zip',
    'http:/assay.example:3000/api/files/traces/7/a.zip',
    '//evil.example/api/files/traces/7/a.zip',
    '//assay.example:3000/api/files/traces/7/a.zip',
    '/\\evil.example/api/files/a.zip',
    '\\\\evil.example/api/files/a.zip',
    '/api/files\\..\\projects/a.zip',
    '/api/files/traces/7/%5c..%5ca.zip',
    '/api/files/../projects/a.zip',
    '/api/files/%2e%2e/projects/a.zip',
    '/api/files/.%2E/projects/a.zip',
    '/api/files/traces/./a.zip',
    '/api/files/traces/7%2f..%2f..%2fa.zip',
    '/api/files//a.zip',
    '/api/files/traces/7/a.zip/',
    '/api/files/traces/7/%zz.zip',
    '/api/files/traces/7/%00.zip',
    '/api/files/tra\tces/7/a.zip',
    '/api/files/traces/7/a.zip\n',
    ' /api/files/traces/7/a.zip',
    '/api/files/traces/7/a.json',
    '/api/files/traces/7/traces.dir',
    '/api/files/traces/7/a.zip?path=/etc/x.json',
    '/api/files/traces/7/x?a.zip',
    '/api/files/traces/7/x#a.zip',
    '/api/projects/a.zip',
    '/API/files/traces/7/a.zip',
    'api/files/traces/7/a.zip',
    '../api/files/traces/7/a.zip',
    'blob:http://assay.example:3000/0f1e.zip',
    'data:application/zip;base64,UEs.zip',
    'file:///api/files/traces/7/a.zip',
    'javascript:alert(1)//api/files/a.zip',
  ])('is not %j', (value) => {
    expect(storedTracePath(value, HOST)).toBeNull();
    expect(readTraceQuery(`?trace=${encodeURIComponent(value)}`, HOST).kind).toBe('foreign');
  });

  test('of any name comes back from its link, and back again', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[/\\\p{Cc}]|^\.{1,2}$/u.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const path = `/api/files/reports/7/${names.map(encodeURIComponent).join('/')}/t.zip`;
        const read = (url: string) => readTraceQuery(new URL(url, `http://${HOST}`).search, HOST);
        const first = read(traceViewerUrl(path));
        if (first.kind !== 'stored') throw new Error(first.kind);
        expect(read(traceViewerUrl(first.path))).toEqual({ kind: 'stored', path: first.path, canonical: true });
        expect(decodeURIComponent(first.path)).toBe(decodeURIComponent(path));
        expect(first.path).toMatch(/^[\w/.~%-]+$/);
      }),
    );
  });

  test('is the only kind that any text can name', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(storedTracePath(url, HOST)).toBeNull();
      }),
    );
  });
});

describe('the parameters of the viewer', () => {
  test.each([
    ['', { kind: 'none' }],
    ['?trace=', { kind: 'none' }],
    ['?timestamp=1', { kind: 'none' }],
    [
      '?trace=/api/files/traces/7/a.zip&timestamp=1',
      { kind: 'stored', path: '/api/files/traces/7/a.zip', canonical: true },
    ],
    [
      '?trace=/api/files/traces/7/a.zip&trace=/api/files/traces/7/b.zip',
      { kind: 'stored', path: '/api/files/traces/7/a.zip', canonical: false },
    ],
    [
      '?trace=/api/files/traces/7/a.zip&trace=https://evil.example/b.zip',
      { kind: 'foreign', value: 'https://evil.example/b.zip' },
    ],
  ])('%s', (query, expected) => {
    expect(readTraceQuery(query, HOST)).toEqual(expected);
  });
});

describe('the copy of the viewer in a report', () => {
  const BASE = '/api/files/reports/7/';
  const OURS = '/trace-viewer/?trace=/api/files/reports/7/data/a1.zip';

  test.each([
    ['trace/index.html', 'trace=http://assay.example:3000/api/files/reports/7/data/a1.zip', OURS],
    ['trace/index.html', 'trace=https://behind.a.proxy/api/files/reports/7/data/a1.zip&timestamp=1', OURS],
    [
      'trace/index.html',
      'trace=http://assay.example/api/files/reports/7/data/a1.zip&trace=http://assay.example/api/files/reports/7/data/b2.zip',
      OURS,
    ],
    ['trace/index.html', 'trace=../data/a1.zip', OURS],
    ['trace/index.html', 'trace=/api/files/reports/7/data/a1.zip', OURS],
    ['trace/', 'trace=../data/a1.zip', OURS],
    ['trace/snapshot.html', 'r=x&trace=../data/a1.zip', OURS],
    [
      'my report/trace/index.html',
      'trace=http://h/api/files/reports/7/my%20report/data/a1.zip',
      '/trace-viewer/?trace=/api/files/reports/7/my%2520report/data/a1.zip',
    ],
  ])('%s?%s opens ours', (file, query, expected) => {
    expect(viewerRedirect(file, query, BASE)).toBe(expected);
    expect(viewerRedirect(file, query, BASE.slice(0, -1))).toBe(expected);
  });

  test.each([
    ['trace/index.html', 'trace=https://evil.example/x.zip'],
    ['trace/index.html', 'trace=../../8/data/a1.zip'],
    ['trace/index.html', 'trace=/api/projects'],
    ['trace/index.html', 'trace=javascript:alert(1)'],
    ['trace/index.html', 'trace=blob:http://assay.example:3000/1'],
  ])('%s?%s is left to ours to refuse', (file, query) => {
    const given = new URLSearchParams(query).get('trace')!;
    const redirect = viewerRedirect(file, query, BASE)!;
    expect(redirect).toMatch(/^\/trace-viewer\/\?trace=/);
    expect(new URLSearchParams(redirect.split('?')[1]).get('trace')).toBe(given);
    expect(readTraceQuery(redirect.slice(redirect.indexOf('?')), HOST).kind).toBe('foreign');
  });

  test.each([
    ['trace/index.html', ''],
    ['trace/index.html', 'timestamp=1'],
    ['index.html', 'trace=../data/a1.zip'],
    ['mytrace/index.html', 'trace=../data/a1.zip'],
    ['trace/sw.bundle.js', 'trace=../data/a1.zip'],
    ['trace/assets/x.html', 'trace=../data/a1.zip'],
  ])('%s?%s is a file like any other', (file, query) => {
    expect(viewerRedirect(file, query, BASE)).toBeNull();
  });
});
