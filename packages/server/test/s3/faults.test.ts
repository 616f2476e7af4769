import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { S3Location } from '../../src/blobs/s3-location.ts';
import { type S3BlobsOptions, type S3Blobs, openS3Blobs } from '../../src/blobs/s3.ts';
import { type Staging, TEXT, createStaging, noneNamed, unnamed } from '../../src/blobs/testing/store-cases.ts';
import { type Fate, type S3Proxy, type S3Request, refusal, startS3Proxy } from './s3-proxy.ts';
import { type TestS3, keysIn, startTestS3 } from './s3-server.ts';

const MIB = 1024 * 1024;
/** No server takes smaller ones. */
const PART_BYTES = 5 * MIB;
/** In two parts. */
const LARGE = randomBytes(PART_BYTES + 1_000);

let s3: TestS3;
let proxy: S3Proxy;
beforeAll(async () => {
  s3 = await startTestS3();
  proxy = await startS3Proxy(s3.newLocation().endpoint!);
});
afterAll(async () => {
  await proxy.stop();
  await s3.stop();
});

let staging: Staging;
let location: S3Location;
beforeEach(() => {
  staging = createStaging();
  location = s3.newLocation();
  proxy.fate = () => 'pass';
  proxy.seen.length = 0;
});
afterEach(() => staging.delete());

const open = (options: S3BlobsOptions = {}): S3Blobs =>
  openS3Blobs(proxy.through(location), staging.dir, { unsettledMs: -60_000, partBytes: PART_BYTES, ...options });

const isPart = ({ method, path }: S3Request): boolean => method === 'PUT' && path.includes('partNumber=');
const isCompletion = ({ method, path }: S3Request): boolean => method === 'POST' && path.includes('uploadId=');
const isPut = ({ method, path, headers }: S3Request): boolean =>
  method === 'PUT' && path.includes('/blobs/') && !path.includes('partNumber=') && !headers['x-amz-copy-source'];

/** Each request meets one of them, in turn, the first time it is sent. */
const once = (fates: readonly Fate[]): ((request: S3Request) => Fate) => {
  const met = new Set<string>();
  return ({ method, path }) => {
    const key = `${method} ${path}`;
    if (met.has(key)) return 'pass';
    met.add(key);
    return fates[met.size % fates.length]!;
  };
};

describe('a request that fails is sent again', () => {
  const fates: [string, Fate[]][] = [
    [
      'throttled, or a server error',
      [refusal(500, 'InternalError'), refusal(503, 'SlowDown'), refusal(429, 'TooManyRequests')],
    ],
    ['cut off before it had its effect', ['cut']],
    ['cut off after it had its effect', ['cut-after']],
  ];
  it.each(fates)('%s', async (_, fates) => {
    proxy.fate = once(fates);
    const blobs = open();
    const files = [staging.stage(LARGE), staging.stage(TEXT, true)];
    const held = await blobs.hold(files);
    expect((await blobs.readAll(held[0]!)).equals(LARGE)).toBe(true);
    expect(await buffer(await blobs.read(held[0]!, { start: 5, end: 9 }))).toEqual(LARGE.subarray(5, 10));
    blobs.release(files.map(({ hash }) => hash));
    for (const { hash } of files) expect(await blobs.quarantine(hash, unnamed)).toBe(true);
    expect((await blobs.readAll(held[0]!)).equals(LARGE)).toBe(true);
    expect(await blobs.restore(files[1]!.hash)).toBe(true);
    for (const { hash } of files) {
      expect(await blobs.remove(hash, unnamed)).toBeGreaterThan(0);
    }
    expect(await blobs.purge(Date.now() + 1_000, noneNamed)).toMatchObject({ count: 2 });
    expect(await keysIn(location)).toEqual([]);
  });
});

it('sends a request again that is not answered', async () => {
  let stalled = 0;
  proxy.fate = (request) => (isPart(request) && stalled++ === 0 ? 'stall' : 'pass');
  const blobs = open({ idleMs: 3_000 });
  const [blob] = await blobs.hold([staging.stage(LARGE)]);
  expect(stalled).toBe(3);
  expect((await blobs.readAll(blob!)).equals(LARGE)).toBe(true);
});

it('goes on where an answer was cut off', async () => {
  const blobs = open();
  const [blob] = await blobs.hold([staging.stage(LARGE)]);
  let cuts = 0;
  proxy.fate = ({ method }) => (method === 'GET' && cuts++ < 4 ? 'cut-answer' : 'pass');
  expect((await blobs.readAll(blob!)).equals(LARGE)).toBe(true);
  cuts = 0;
  const range = { start: 100, end: PART_BYTES };
  expect((await buffer(await blobs.read(blob!, range))).equals(LARGE.subarray(100, PART_BYTES + 1))).toBe(true);
  expect(cuts).toBeGreaterThan(4);
});

it('says that the store is away, stores nothing by halves, and works again without a restart', async () => {
  const blobs = open({ attempts: 2 });
  const [blob] = await blobs.hold([staging.stage(TEXT)]);
  await proxy.stop();
  const away = { code: 'unavailable', retryAfterSeconds: 5, message: expect.stringContaining('ECONNREFUSED') };
  const works: (() => Promise<unknown>)[] = [
    () => blobs.hold([staging.stage(LARGE)]),
    () => blobs.read(blob!),
    () => blobs.withFile(blob!, async () => undefined),
    () => blobs.remove('0'.repeat(64), unnamed),
    () => blobs.list().next(),
  ];
  for (const work of works) await expect(work()).rejects.toMatchObject(away);
  expect(await blobs.findProblem()).toContain('ECONNREFUSED');
  await proxy.start();
  expect(await blobs.readAll(blob!)).toEqual(TEXT);
  expect(await keysIn(location)).toHaveLength(1);
  await expect.poll(() => blobs.findProblem()).toBeNull();
});

it('says so within seconds when nothing answers', async () => {
  proxy.fate = () => 'stall';
  expect(await open().findProblem()).toBe('The file store does not answer');
});

it.each([
  ['AccessDenied', 403],
  ['NoSuchBucket', 404],
  ['SlowDown', 503],
])('names what the store answers for good: %s', async (code, status) => {
  proxy.fate = () => refusal(status, code);
  const blobs = open({ attempts: 2 });
  await expect(blobs.hold([staging.stage(TEXT)])).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  expect(await blobs.findProblem()).toContain(code);
});

it('takes a content for stored that another replica has put there at the same moment', async () => {
  const blobs = open();
  for (const content of [TEXT, LARGE]) {
    const brought: string[] = [];
    proxy.fate = (request) => (isPut(request) || isCompletion(request) ? refusal(412, 'PreconditionFailed') : 'pass');
    await blobs.hold([staging.stage(content)], (hash) => brought.push(hash));
    expect(brought).toEqual([]);
  }
  const conditions = proxy.seen.filter((request) => isPut(request) || isCompletion(request));
  expect(conditions.map(({ headers }) => headers['if-none-match'])).toEqual(['*', '*']);
  expect(proxy.seen.some(({ method, path }) => method === 'DELETE' && path.includes('uploadId='))).toBe(true);
});

it.each([
  ['refuses conditions', 501, 'NotImplemented'],
  ['has two conditional writes at once', 409, 'ConditionalRequestConflict'],
])('writes without a condition to a store that %s', async (_, status, code) => {
  const blobs = open();
  proxy.fate = ({ headers }) => (headers['if-none-match'] === '*' ? refusal(status, code) : 'pass');
  for (const content of [TEXT, LARGE]) {
    const [blob] = await blobs.hold([staging.stage(content)]);
    expect((await blobs.readAll(blob!)).equals(content)).toBe(true);
  }
});

it('ends an upload of which a part was refused', async () => {
  proxy.fate = (request) =>
    isPart(request) && request.path.includes('partNumber=2') ? refusal(400, 'BadDigest') : 'pass';
  await expect(open().hold([staging.stage(LARGE)])).rejects.toMatchObject({ code: 'unavailable' });
  expect(proxy.seen.at(-1)).toMatchObject({ method: 'DELETE', path: expect.stringContaining('uploadId=') });
  expect(await keysIn(location)).toEqual([]);
});

it('ends uploads that were cut off long ago, and no others', async () => {
  const upload = (key: string, initiated: string): string =>
    `<Upload><Key>${location.prefix}${key}</Key><UploadId>of-${key}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
  const page = (uploads: string, more: boolean): string =>
    `<?xml version="1.0"?><ListMultipartUploadsResult><IsTruncated>${more}</IsTruncated><NextKeyMarker>b</NextKeyMarker>${uploads}</ListMultipartUploadsResult>`;
  proxy.fate = ({ method, path }) => {
    if (method === 'DELETE') return { status: 204, body: '' };
    if (!path.includes('uploads')) return 'pass';
    const body = path.includes('key-marker=b')
      ? page(upload('c', '2026-01-01T00:00:00.000Z'), false)
      : page(upload('a', '2026-01-01T00:00:00.000Z') + upload('b', '2026-01-03T00:00:00.000Z'), true);
    return { status: 200, body };
  };
  expect(await open().abandonUploads(Date.parse('2026-01-02T00:00:00Z'))).toBe(2);
  const ended = proxy.seen
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => /uploadId=of-(.)/.exec(path)?.[1]);
  expect(ended).toEqual(['a', 'c']);
});

it('has only so much of all uploads in memory', async () => {
  const bodiesBytes = 2 * PART_BYTES;
  let [now, most] = [0, 0];
  proxy.fate = async (request): Promise<Fate> => {
    if (!isPart(request)) return 'pass';
    const bytes = Number(request.headers['content-length']);
    most = Math.max(most, (now += bytes));
    // The first waits for company, which a busy machine brings late.
    await vi.waitUntil(() => most > PART_BYTES, { timeout: 10_000, interval: 5 }).catch(() => undefined);
    await pause(20);
    now -= bytes;
    return 'pass';
  };
  const blobs = open({ bodiesBytes });
  const contents = Array.from({ length: 3 }, () => randomBytes(PART_BYTES + 1_000));
  await Promise.all(contents.map((content) => blobs.hold([staging.stage(content)])));
  expect(proxy.seen.filter(isPart)).toHaveLength(6);
  expect(most).toBeGreaterThan(PART_BYTES);
  expect(most).toBeLessThanOrEqual(bodiesBytes);
  expect(readdirSync(staging.dir)).toEqual([]);
});

it.each([
  { server: 'that can', fate: 'pass' as const },
  { server: 'that cannot', fate: refusal(501, 'NotImplemented') },
])('deletes many contents by one request from a server $server', async ({ fate }) => {
  const isMany = ({ method, path }: S3Request): boolean => method === 'POST' && path.includes('?delete');
  proxy.fate = (request) => (isMany(request) ? fate : 'pass');
  const blobs = open();
  const files = Array.from({ length: 8 }, (_, nth) => staging.stage(Buffer.from(`content ${nth}`)));
  await blobs.hold(files);
  blobs.release(files.map(({ hash }) => hash));
  for (const { hash } of files) await blobs.quarantine(hash, unnamed);
  proxy.seen.length = 0;
  expect(await blobs.purge(Date.now() + 1_000, noneNamed)).toMatchObject({ count: 8 });
  expect(proxy.seen.filter(isMany)).toHaveLength(1);
  // The list, and that request.
  if (fate === 'pass') expect(proxy.seen).toHaveLength(2);
  expect(await keysIn(location)).toEqual([]);
});
