import { createHash } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../conformance/wire.ts';
import { inDatabase } from '../in-database.ts';
import { sharedServer, type TestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import { type RawReply, beside, file, filePath, rawRequest, textFields, uniqueBytes, upload } from './form.ts';
import { filesIn } from './stored.ts';

const TEXT = Array.from({ length: 3_000 }, (_, index) => `line ${index} of a text that compresses well\n`).join('');
const LARGE_PAGE = `<!doctype html><html><head><title>Large</title><pre>${TEXT}`;
const OLDER_PAGE = `<!doctype html><html><head><title>Older</title><pre>${TEXT}`;
const UTF_16_PAGE = Buffer.from(`\ufeff<!doctype html><pre>${TEXT}`, 'utf16le');
const BYTES = uniqueBytes(20_000);
const TYPES: Record<string, RegExp> = {
  'a.html': /^text\/html; ?charset=utf-8$/i,
  'a.htm': /^text\/html/,
  'a.js': /^(?:text|application)\/javascript; ?charset=utf-8$/i,
  'a.mjs': /^(?:text|application)\/javascript/,
  'a.css': /^text\/css; ?charset=utf-8$/i,
  'a.json': /^application\/json/,
  'a.txt': /^text\/plain; ?charset=utf-8$/i,
  'a.md': /^text\/(?:markdown|plain)/,
  'a.png': /^image\/png$/,
  'a.jpg': /^image\/jpeg$/,
  'a.jpeg': /^image\/jpeg$/,
  'a.gif': /^image\/gif$/,
  'a.webp': /^image\/webp$/,
  'a.svg': /^image\/svg\+xml/,
  'a.ico': /^image\//,
  'a.webm': /^video\/webm$/,
  'a.mp4': /^video\/mp4$/,
  'a.woff2': /^font\/woff2$/,
  'a.woff': /^font\/woff$/,
  'a.ttf': /^font\/ttf$/,
  'a.xml': /^(?:application|text)\/xml/,
  'a.pdf': /^application\/pdf$/,
  'a.zip': /^application\/zip$/,
  'a.PNG': /^image\/png$/,
  'a.unknown': /^application\/octet-stream$/,
  noextension: /^application\/octet-stream$/,
  'a.html.bin': /^application\/octet-stream$/,
};

let server: TestServer;
let entry: string;
let runId: number;
beforeAll(async () => {
  server = await sharedServer();
  const types = Object.fromEntries(Object.keys(TYPES).map((name, index) => [`${index}/${name}`, `content of ${name}`]));
  const report = await zipOf({
    'index.html': '<!doctype html><title>Report</title>',
    'large.html': LARGE_PAGE,
    'older.html': OLDER_PAGE,
    'utf-16.html': UTF_16_PAGE,
    'text.txt': TEXT,
    'bytes.bin': BYTES,
    'empty.txt': '',
    'page.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'page.xml': '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
    ...types,
  });
  const answer = await upload(server, [...textFields(), file('report_html', report)]);
  entry = answer.reportPath!;
  runId = answer.testRunId;
});

const storedFile = (content: string | Buffer): string => {
  const hash = createHash('sha256').update(content).digest('hex');
  return filesIn(server.dataDir, 'blobs').find((path) => path.includes(hash))!;
};
/** Puts another compressed form of a content in the place of what is stored. */
const storeAnew = async (content: string, stored: Buffer): Promise<void> => {
  writeFileSync(storedFile(content), stored);
  const hash = createHash('sha256').update(content).digest();
  await inDatabase(server.dataDir, 'UPDATE blobs SET stored_size = ? WHERE hash = ?', stored.length, hash);
};
const get = (name: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawReply> =>
  rawRequest(server, filePath(beside(entry, name)), headers, method);

describe('every file', () => {
  it.each(Object.keys(TYPES).entries().toArray())('%d: %s has its type and is not sniffed', async (index, name) => {
    const { status, headers, body } = await get(`${index}/${name}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(TYPES[name]!);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['set-cookie']).toBeUndefined();
    expect(String(body)).toContain(`content of ${name}`);
  });

  it.each(['index.html', 'text.txt', 'bytes.bin', 'page.svg', 'page.xml'])(
    '%s is sandboxed without the origin of the session',
    async (name) => {
      const policy = (await get(name)).headers['content-security-policy'];
      expect(policy).toMatch(/(?:^|; ?)sandbox(?: |;|$)/);
      expect(policy).not.toContain('allow-same-origin');
      expect(policy).not.toContain('allow-top-navigation');
      if (name !== 'index.html') expect(policy).not.toContain('allow-scripts');
      else expect(policy).toContain('allow-scripts');
    },
  );

  it('has a strong tag by which it is asked for again', async () => {
    for (const name of ['index.html', 'text.txt', 'bytes.bin', 'empty.txt']) {
      const { headers } = await get(name);
      const tag = headers.etag!;
      expect(tag).toMatch(/^"[^"]+"$/);
      for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await get(name, { 'if-none-match': value });
        expect(again.status, `${name} ${value}`).toBe(304);
        expect(again.body).toHaveLength(0);
        expect(again.headers.etag).toBe(tag);
        expect(again.headers['cache-control']).toBe(headers['cache-control']);
      }
      expect((await get(name, { 'if-none-match': '"other"' })).status).toBe(200);
      expect((await get(name, { 'if-none-match': tag }, 'HEAD')).status).toBe(304);
    }
  });

  it('with the same tag is the same bytes', async () => {
    const [first, second] = [await get('index.html'), await get('index.html')];
    expect(first.headers.etag).toBe(second.headers.etag);
    expect(first.body).toEqual(second.body);
  });

  it('is asked for again before it is shown again: another installation may have had its address', async () => {
    for (const name of ['index.html', 'text.txt', 'bytes.bin', 'page.svg']) {
      expect((await get(name)).headers['cache-control']).toMatch(/^(?:private, )?no-cache$/);
    }
  });

  it('answers HEAD with the head alone', async () => {
    for (const name of ['index.html', 'text.txt', 'bytes.bin', 'empty.txt']) {
      const [whole, head] = [await get(name), await get(name, {}, 'HEAD')];
      expect(head.status).toBe(200);
      expect(head.body).toHaveLength(0);
      for (const header of ['content-type', 'content-length', 'etag', 'cache-control', 'content-security-policy']) {
        expect(head.headers[header], `${name} ${header}`).toBe(whole.headers[header]);
      }
      expect(Number(whole.headers['content-length'])).toBe(whole.body.length);
    }
  });

  it('that is not there is 404 for GET and HEAD', async () => {
    const answer = await fetch(`${server.url}${filePath(beside(entry, 'nothing.txt'))}`);
    await expectError(answer, 404, 'file_not_found');
    expect((await get('nothing.txt', {}, 'HEAD')).status).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('cannot be changed by %s', async (method) => {
    const { status } = await get('text.txt', {}, method);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

describe('a text that compresses well', () => {
  it.each(['gzip', 'gzip, deflate, br, zstd', 'deflate, gzip;q=0.5', 'GZIP', '*'])(
    'is sent compressed to who accepts %s',
    async (accepted) => {
      const { status, headers, body } = await get('text.txt', { 'accept-encoding': accepted });
      expect(status).toBe(200);
      expect(headers['content-encoding']).toBe('gzip');
      expect(headers['vary']).toMatch(/accept-encoding/i);
      expect(headers['content-type']).toMatch(/^text\/plain/);
      expect(body.length).toBeLessThan(TEXT.length / 3);
      expect(String(gunzipSync(body))).toBe(TEXT);
    },
  );

  it.each([
    undefined,
    'identity',
    'br',
    'gzip;q=0',
    'gzip;q=0.0',
    'gzip ; q=0',
    'deflate',
    '',
    '*;q=0',
    'xgzip',
    'gzipped',
  ])('is sent as it is to who accepts %j', async (accepted) => {
    const { status, headers, body } = await get(
      'text.txt',
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    );
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['vary']).toMatch(/accept-encoding/i);
    expect(Number(headers['content-length'])).toBe(TEXT.length);
    expect(String(body)).toBe(TEXT);
  });

  it.each(['gzip;q=0, *', '*, gzip;q=0'])('is sent as it is to who refuses gzip by %s', async (refused) => {
    const { headers } = await get('text.txt', { 'accept-encoding': refused });
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('has another tag when it is compressed, and both are honoured', async () => {
    const plain = (await get('text.txt')).headers.etag!;
    const packed = (await get('text.txt', { 'accept-encoding': 'gzip' })).headers.etag!;
    expect(packed).not.toBe(plain);
    expect((await get('text.txt', { 'if-none-match': plain })).status).toBe(304);
    const again = await get('text.txt', { 'accept-encoding': 'gzip', 'if-none-match': packed });
    expect(again.status).toBe(304);
    expect(again.headers.vary).toMatch(/accept-encoding/i);
  });

  it('has the same head for HEAD', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const [whole, head] = [await get('text.txt', headers), await get('text.txt', headers, 'HEAD')];
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type']) {
      expect(head.headers[name], name).toBe(whole.headers[name]);
    }
    expect(Number(whole.headers['content-length'] ?? whole.body.length)).toBe(whole.body.length);
  });
});

describe('a page of a report that compresses well', () => {
  it('is sent compressed to who accepts it', async () => {
    const { headers, body } = await get('large.html', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(String(gunzipSync(body))).toContain('line 2999 ');
  });

  it('is sent as it is to everyone else', async () => {
    const { headers, body } = await get('large.html');
    expect(headers['content-encoding']).toBeUndefined();
    expect(String(body)).toContain('line 2999 ');
  });

  it('is the same page in both forms, with the shim in its head', async () => {
    const [plain, packed] = [await get('large.html'), await get('large.html', { 'accept-encoding': 'gzip' })];
    expect(String(plain.body)).toMatch(
      /^<!doctype html><html><head><script data-key="[^"]+">.*<\/script><title>Large/s,
    );
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
  });

  it('is sent from what is stored, not compressed again', async () => {
    const { body } = await get('large.html', { 'accept-encoding': 'gzip' });
    const stored = readFileSync(storedFile(LARGE_PAGE));
    expect(gunzipSync(stored)).toEqual(Buffer.from(LARGE_PAGE));
    const [start, rest] = [stored.subarray(0, 28), stored.subarray(200, -8)];
    expect(body.indexOf(start)).toBe(0);
    expect(body.indexOf(rest)).toBe(body.length - 8 - rest.length);
  });

  it('without a place for the shim is sent as it is stored', async () => {
    const { body } = await get('utf-16.html', { 'accept-encoding': 'gzip' });
    expect(body).toEqual(readFileSync(storedFile(UTF_16_PAGE)));
    expect(gunzipSync(body)).toEqual(UTF_16_PAGE);
  });

  it('that was stored without a seam is served too', async () => {
    await storeAnew(OLDER_PAGE, gzipSync(OLDER_PAGE));
    const [plain, packed] = [await get('older.html'), await get('older.html', { 'accept-encoding': 'gzip' })];
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(String(plain.body)).toMatch(/<head><script data-key="[^"]+">.*<\/script><title>Older.*line 2999 /s);
    expect(gunzipSync(packed.body)).toEqual(plain.body);
  });

  it.each(['large.html', 'utf-16.html'])('%s has the same head for HEAD', async (name) => {
    const headers = { 'accept-encoding': 'gzip' };
    const [whole, head] = [await get(name, headers), await get(name, headers, 'HEAD')];
    for (const header of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type']) {
      expect(head.headers[header], header).toBe(whole.headers[header]);
    }
    expect(Number(whole.headers['content-length'])).toBe(whole.body.length);
    expect(head.body).toHaveLength(0);
    const again = await get(name, { ...headers, 'if-none-match': whole.headers.etag! });
    expect(again.status).toBe(304);
  });

  it.each(['gzip', 'identity'])('is sent whole to who asks for a part of it as %s', async (accepted) => {
    const whole = await get('large.html', { 'accept-encoding': accepted });
    const part = await get('large.html', { 'accept-encoding': accepted, range: 'bytes=5-9' });
    expect(part.status).toBe(200);
    expect(part.body).toEqual(whole.body);
  });
});

describe('a stored file that is damaged', () => {
  const contents: Record<string, string | Buffer> = {
    'bytes.bin': uniqueBytes(20_000),
    'large.bin': uniqueBytes(400_000),
    'text.txt': `damaged ${TEXT}`,
    'large.txt': uniqueBytes(2_000_000).toString('hex'),
    'index.html': `${LARGE_PAGE} damaged`,
  };
  let report: string;
  beforeAll(async () => {
    const answer = await upload(server, [...textFields(), file('report_html', await zipOf(contents))]);
    report = answer.reportPath!;
  });
  const ask = (name: string, headers: Record<string, string> = {}): Promise<RawReply> =>
    rawRequest(server, filePath(beside(report, name)), headers);

  it.each(Object.keys(contents))('%s is refused, with nothing of its head', async (name) => {
    const path = storedFile(contents[name]!);
    const whole = readFileSync(path);
    truncateSync(path, whole.length - 3);
    for (const accepted of ['gzip', 'identity']) {
      const ranges: Record<string, string>[] = [{}, { range: 'bytes=0-4' }, { range: 'bytes=0-4,9-12' }];
      for (const range of ranges) {
        const { status, headers, body } = await ask(name, { 'accept-encoding': accepted, ...range });
        expect(status).toBe(500);
        expect(JSON.parse(String(body))).toMatchObject({ code: 'internal' });
        expect(headers['content-type']).toMatch(/^application\/json/);
        expect(headers['cache-control']).toBe('no-store');
        for (const header of ['etag', 'content-encoding', 'content-range', 'accept-ranges']) {
          expect(headers[header], header).toBeUndefined();
        }
        expect(Number(headers['content-length'])).toBe(body.length);
      }
    }
    writeFileSync(path, whole);
    expect((await ask(name)).status).toBe(200);
  });

  it('ends the connection when only reading it shows the damage', async () => {
    const path = storedFile(contents['large.txt']!);
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole);
    damaged.fill(0, Math.floor(whole.length * 0.8));
    writeFileSync(path, damaged);
    await expect(ask('large.txt')).rejects.toThrow('aborted');
    writeFileSync(path, whole);
    expect((await ask('large.txt')).status).toBe(200);
  });
});

describe('a script of a report', () => {
  it.each(['script', 'worker', 'sharedworker', 'serviceworker'])(
    'is nothing that a page of ours runs as %s',
    async (use) => {
      const name = `${Object.keys(TYPES).indexOf('a.js')}/a.js`;
      const headers = { 'sec-fetch-dest': use, 'sec-fetch-mode': 'no-cors' };
      expect((await get(name, { ...headers, 'sec-fetch-site': 'same-origin' })).status).toBe(403);
      expect((await get(name, { ...headers, 'sec-fetch-site': 'cross-site' })).status).toBe(200);
      expect((await get(name, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    },
  );
});

describe('bytes that do not compress', () => {
  it('are never sent compressed', async () => {
    const { headers, body } = await get('bytes.bin', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body).toEqual(BYTES);
  });
});

describe('after its run was deleted', () => {
  it('a file is gone, also for who has its tag', async () => {
    const { headers } = await get('text.txt');
    await server.client.deleteRun({ params: { id: runId } });
    for (const name of ['index.html', 'text.txt', 'bytes.bin']) {
      expect((await get(name)).status).toBe(404);
      expect((await get(name, { 'if-none-match': headers.etag! })).status).toBe(404);
      expect((await get(name, { range: 'bytes=0-1' })).status).toBe(404);
    }
  });
});
