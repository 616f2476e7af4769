import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { S3Location } from '../../src/blobs/s3-location.ts';
import { openS3Blobs } from '../../src/blobs/s3.ts';
import { TEXT, createStaging, hashesOf, noneNamed, unnamed } from '../../src/blobs/testing/store-cases.ts';
import { file, filePath, json, rawRequest, runFields, text, textFields, upload } from '../files/form.ts';
import { newFolder } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { checkSignature } from './check-signature.ts';
import { type S3Proxy, refusal, startS3Proxy } from './s3-proxy.ts';
import { type TestS3, keysIn, startTestS3 } from './s3-server.ts';

let s3: TestS3;
let proxy: S3Proxy;
let location: S3Location;
let refused: string[] = [];
beforeAll(async () => {
  s3 = await startTestS3();
  proxy = await startS3Proxy(s3.newLocation().endpoint!);
});
afterAll(async () => {
  await proxy.stop();
  await s3.stop();
});
beforeEach(() => {
  location = proxy.through(s3.newLocation());
  refused = [];
  const credentials = location.credentials!;
  proxy.fate = (request, body) => {
    const code = checkSignature(request, body!, credentials);
    if (code === null) return 'pass';
    refused.push(`${code} ${request.method} ${request.url}`);
    return refusal(403, code);
  };
});

describe('a server that checks signatures', () => {
  it('takes every kind of request that a store of blobs makes', async () => {
    const staging = createStaging();
    onTestFinished(() => staging.delete());
    const blobs = openS3Blobs(location, staging.dir, { unsettledMs: -60_000 });
    proxy.seen.length = 0;
    expect(await blobs.findProblem()).toBeNull();
    const large = randomBytes(9 * 1024 * 1024);
    const files = [staging.stage(TEXT, true), staging.stage(Buffer.alloc(0)), staging.stage(large)];
    const hashes = files.map(({ hash }) => hash);
    const [text, , ofParts] = await blobs.hold(files);
    expect(await blobs.hold([staging.stage(TEXT)])).toEqual([text]);
    expect(await blobs.hasBlobs()).toBe(true);
    expect(gunzipSync(await blobs.readAll(text!))).toEqual(TEXT);
    expect(await buffer(await blobs.read(ofParts!, { start: 10, end: 19 }))).toEqual(large.subarray(10, 20));
    blobs.release([...hashes, text!.hash]);
    for (const hash of hashes) expect(await blobs.quarantine(hash, unnamed)).toBe(true);
    expect(await hashesOf(blobs.listQuarantined())).toEqual(hashes.toSorted());
    expect(await blobs.restore(text!.hash)).toBe(true);
    expect(await hashesOf(blobs.list())).toEqual([text!.hash]);
    expect(await blobs.remove(text!.hash, unnamed)).toBe(text!.storedBytes);
    expect(await blobs.purge(Date.now() + 1_000, noneNamed)).toMatchObject({ count: 3 });
    expect(await blobs.abandonUploads(Date.now() + 1_000)).toBe(0);
    expect(await keysIn(location)).toEqual([]);
    expect(refused).toEqual([]);
    const kinds = proxy.seen.map(({ method, path, headers }) => {
      const [, asked = ''] = path.split('?');
      const parameters = [...new URLSearchParams(asked).keys()]
        .filter((name) => name !== 'x-id')
        .sort()
        .join(' ');
      return [method, 'x-amz-copy-source' in headers && 'copy', headers.range && 'range', parameters]
        .filter(Boolean)
        .join(' ');
    });
    expect([...new Set(kinds)].sort()).toEqual([
      'DELETE',
      'GET',
      'GET list-type max-keys prefix',
      'GET list-type prefix',
      'GET prefix uploads',
      'GET range',
      'POST delete',
      'POST uploadId',
      'POST uploads',
      'PUT',
      'PUT copy',
      'PUT partNumber uploadId',
    ]);
  });

  it.each([
    ['another key', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
    ['another id', { accessKeyId: 'wrong' }, 'InvalidAccessKeyId'],
  ])('refuses %s with words for the operator', async (_, wrong, code) => {
    using folder = newFolder();
    const credentials = { ...location.credentials!, ...wrong };
    const blobs = openS3Blobs({ ...location, credentials }, folder.path);
    const message = `The file store refuses the credentials (${code}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and the region`;
    expect(await blobs.findProblem()).toBe(message);
    const started = startTestServer({ dataDir: folder.path, databaseUrl: null, s3: { ...location, credentials } });
    await expect(started).rejects.toThrow(`cannot be used. ${message}`);
    expect(refused.every((said) => said.startsWith(code))).toBe(true);
  });
});

describe('with redirects, a large file', () => {
  /** Not less than is redirected. */
  const LARGE = randomBytes(1024 * 1024);
  let place: S3Location;
  let server: TestServer;
  beforeAll(async () => {
    place = proxy.through(s3.newLocation());
    server = await startTestServer({ s3: { ...place, redirectTo: place.endpoint } });
  });
  afterAll(() => server.stop());

  const send = (to: TestServer) => {
    const [, , cases] = textFields();
    return upload(to, [
      text('projectName', 'shop'),
      json('testRun', runFields()),
      cases!,
      file('trace_0', LARGE),
      { name: 'attachment_0', content: LARGE, filename: "it's a (large) 🦉.bin", type: 'application/x-odd' },
      { name: 'attachment_1', content: LARGE, filename: 'page.html', type: 'text/html' },
      { name: 'attachment_1', content: LARGE, filename: 'drawing.svg', type: 'image/svg+xml' },
      { name: 'attachment_1', content: 'small', filename: 'small.bin', type: 'application/x-odd' },
    ]);
  };
  const pathsOf = async (testRunId: number): Promise<string[]> => {
    const { client } = server;
    const { testCases } = await client.getRun({ params: { id: testRunId } });
    const cases = await Promise.all(testCases.map(({ id }) => client.getTestCase({ params: { id } })));
    return cases.flatMap(({ traces, attachments }) => [...traces, ...attachments].map(({ path }) => path));
  };

  it('that browsers would not run is read from the store itself, and anything else from the service', async () => {
    const { testRunId } = await send(server);
    const redirected: string[] = [];
    for (const path of await pathsOf(testRunId)) {
      const reply = await rawRequest(server, `/api/files/${path}`);
      if (reply.status === 200) continue;
      expect(reply.status).toBe(302);
      expect(reply.headers['cache-control']).toBe('no-store');
      const found = await fetch(reply.headers.location!);
      expect(found.status, reply.headers.location).toBe(200);
      // What the store is told to answer; the server of the tests does not know these parameters.
      const { searchParams } = new URL(reply.headers.location!);
      expect(searchParams.get('response-content-type')).toMatch(/^application\/(?:zip|octet-stream)$/);
      const disposition = searchParams.get('response-content-disposition')!;
      const name = /^attachment; filename\*=UTF-8''(?<name>[\w.%-]+)$/.exec(disposition)!.groups!['name']!;
      redirected.push(decodeURIComponent(name));
      expect(Buffer.from(await found.arrayBuffer()).equals(LARGE)).toBe(true);
      const forged = reply.headers.location!.replace('attachment%3B', 'inline%3B');
      expect((await fetch(forged)).status).toBe(403);
    }
    expect(redirected.sort()).toEqual(['it_s a _large_ 🦉.bin', 'trace.zip']);
    expect(refused.every((said) => said.startsWith('SignatureDoesNotMatch GET'))).toBe(true);
  });

  it('that a page of ours loads comes from the service, and so does all without the setting', async () => {
    const { testRunId, traces } = await send(server);
    const [trace] = traces;
    const asked: Record<string, string>[] = [
      { 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-dest': 'image' },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    ];
    for (const headers of asked) {
      const reply = await rawRequest(server, filePath(trace!.path), headers);
      expect(reply.status).toBe(200);
      expect(reply.body.equals(LARGE)).toBe(true);
    }
    const opened = { 'sec-fetch-dest': 'document', 'user-agent': 'Mozilla/5.0' };
    expect((await rawRequest(server, filePath(trace!.path), opened)).status).toBe(302);
    const blobs = openS3Blobs(place, server.dataDir);
    for (const key of await keysIn(place)) await blobs.quarantine(key.replace('blobs/', ''), async () => false);
    // Only the service can take it out of quarantine.
    expect((await rawRequest(server, filePath(trace!.path), opened)).status).toBe(200);
    expect((await rawRequest(server, filePath(trace!.path), opened)).status).toBe(302);
    await using plain = await startTestServer({ s3: proxy.through(s3.newLocation()) });
    const sent = await send(plain);
    expect((await rawRequest(plain, filePath(sent.traces[0]!.path), opened)).status).toBe(200);
    expect(testRunId).toBeGreaterThan(0);
  });
});
