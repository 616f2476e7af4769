import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import { type RawReply, beside, file, filePath, rawRequest, textFields, uniqueBytes, upload } from './form.ts';

const BYTES = uniqueBytes(10_000);
const TEXT = Buffer.from(Array.from({ length: 2_000 }, (_, index) => `line ${index} of a long text\n`).join(''));

let server: TestServer;
const paths: Record<string, string> = {};
beforeAll(async () => {
  server = await sharedServer();
  const report = await zipOf({
    'index.html': '<!doctype html>',
    'bytes.bin': BYTES,
    'text.txt': TEXT,
    'empty.bin': '',
  });
  const { reportPath, traces } = await upload(server, [
    ...textFields(),
    file('report_html', report),
    file('trace_0', BYTES),
  ]);
  for (const name of ['bytes.bin', 'text.txt', 'empty.bin']) paths[name] = filePath(beside(reportPath!, name));
  paths['trace'] = filePath(traces[0]!.path);
});

const get = (name: string, headers: Record<string, string>, method = 'GET'): Promise<RawReply> =>
  rawRequest(server, paths[name]!, headers, method);

const contents: [string, Buffer][] = [
  ['bytes.bin', BYTES],
  ['text.txt', TEXT],
  ['trace', BYTES],
];

describe.each(contents)('a range of %s', (name, content) => {
  const last = content.length - 1;

  it.each<[string, number, number]>([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=100-4999', 100, 4_999],
    ['bytes=5000-', 5_000, last],
    ['bytes=-1', last, last],
    ['bytes=-500', last - 499, last],
    ['bytes=-99999999', 0, last],
    ['bytes=10-99999999', 10, last],
    [`bytes=${last}-${last}`, last, last],
    [`bytes=${last}-`, last, last],
    ['bytes=0-', 0, last],
  ])('%s is just these bytes', async (range, from, to) => {
    const { status, headers, body } = await get(name, { range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${from}-${to}/${content.length}`);
    expect(Number(headers['content-length'])).toBe(to - from + 1);
    expect(headers['accept-ranges']).toBe('bytes');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(headers.etag).toBeDefined();
    expect(body).toEqual(content.subarray(from, to + 1));
  });

  it.each([`bytes=${content.length}-`, 'bytes=99999999-', 'bytes=-0', 'bytes=99999999-999999999'])(
    '%s is 416 with the size',
    async (range) => {
      const { status, headers, body } = await get(name, { range });
      expect(status).toBe(416);
      expect(headers['content-range']).toBe(`bytes */${content.length}`);
      expect(JSON.parse(String(body))).toMatchObject({ statusCode: 416, code: 'range_not_satisfiable' });
    },
  );

  it.each(['bytes=10-5', 'bytes=a-b', 'bytes=', 'bytes', 'lines=0-1', 'bytes=-', 'bytes=1-2-3', 'bytes=0x1-5', '0-5'])(
    '%s is no range, so the whole is sent',
    async (range) => {
      const { status, body } = await get(name, { range });
      expect(status).toBe(200);
      expect(body).toEqual(content);
    },
  );

  it('that are several come in parts', async () => {
    const { status, headers, body } = await get(name, { range: 'bytes=0-4, 100-109,-3' });
    expect(status).toBe(206);
    const boundary = /^multipart\/byteranges; ?boundary="?(?<boundary>[^"]+)"?$/.exec(headers['content-type']!)!
      .groups!['boundary']!;
    expect(Number(headers['content-length'] ?? body.length)).toBe(body.length);
    const parts = body
      .toString('latin1')
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => {
        const cut = part.indexOf('\r\n\r\n');
        const range = /content-range: (?<range>.*)/i.exec(part.slice(0, cut))?.groups!['range']!.trim();
        return [range, Buffer.from(part.slice(cut + 4, -2), 'latin1')];
      });
    const at = (from: number, to: number) => [`bytes ${from}-${to}/${content.length}`, content.subarray(from, to + 1)];
    expect(parts).toEqual([at(0, 4), at(100, 109), at(last - 2, last)]);
    expect(body.toString('latin1').trimEnd().endsWith(`--${boundary}--`)).toBe(true);
  });

  it('that are several, some of them behind the end, leave those out', async () => {
    const { status, headers, body } = await get(name, { range: 'bytes=0-4,99999999-' });
    expect(status).toBe(206);
    if (headers['content-range'] !== undefined) expect(body).toEqual(content.subarray(0, 5));
    else expect(body.toString('latin1').split('ontent-').length).toBeGreaterThan(1);
    expect((await get(name, { range: 'bytes=99999998-,99999999-' })).status).toBe(416);
  });

  it('that are a great many cost no more than the file', async () => {
    const range = `bytes=${Array.from({ length: 1_000 }, () => '0-').join(',')}`;
    const { status, body } = await get(name, { range });
    expect([200, 206, 416]).toContain(status);
    expect(body.length).toBeLessThanOrEqual(content.length * 2 + 10_000);
  });

  it('is sent only if the file is still the same', async () => {
    const tag = (await get(name, {})).headers.etag!;
    const range = 'bytes=0-9';
    expect((await get(name, { range, 'if-range': tag })).status).toBe(206);
    for (const other of ['"other"', `W/${tag}`, 'Thu, 01 Jan 2026 00:00:00 GMT', 'nonsense']) {
      const { status, body } = await get(name, { range, 'if-range': other });
      expect(status, other).toBe(200);
      expect(body).toEqual(content);
    }
    expect((await get(name, { range: 'bytes=99999999-', 'if-range': '"other"' })).status).toBe(200);
  });

  it('is not sent to who has the file', async () => {
    const tag = (await get(name, {})).headers.etag!;
    expect((await get(name, { range: 'bytes=0-9', 'if-none-match': tag })).status).toBe(304);
  });

  it('means nothing to HEAD', async () => {
    const { status, headers } = await get(name, { range: 'bytes=0-9' }, 'HEAD');
    expect(status).toBe(200);
    expect(Number(headers['content-length'])).toBe(content.length);
  });
});

describe('a range of a file that is kept compressed', () => {
  it('is right for who accepts gzip too', async () => {
    const { status, headers, body } = await get('text.txt', { range: 'bytes=100-199', 'accept-encoding': 'gzip' });
    if (status === 200) {
      expect(headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(body)).toEqual(TEXT);
      return;
    }
    expect(status).toBe(206);
    const whole = await get('text.txt', headers['content-encoding'] ? { 'accept-encoding': 'gzip' } : {});
    expect(headers.etag).toBe(whole.headers.etag);
    expect(headers['content-range']).toBe(`bytes 100-199/${whole.body.length}`);
    expect(body).toEqual(whole.body.subarray(100, 200));
  });

  it('never mixes parts of both forms', async () => {
    const packed = (await get('text.txt', { 'accept-encoding': 'gzip' })).headers.etag!;
    const { status, body } = await get('text.txt', { range: 'bytes=0-9', 'if-range': packed });
    expect(status).toBe(200);
    expect(body).toEqual(TEXT);
  });
});

describe('a range of an empty file', () => {
  it.each(['bytes=0-', 'bytes=0-0', 'bytes=-5'])('%s is 416, or the whole of nothing', async (range) => {
    const { status, headers } = await get('empty.bin', { range });
    expect([200, 416]).toContain(status);
    if (status === 416) expect(headers['content-range']).toBe('bytes */0');
  });
});
