import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { S3Location } from '../../src/blobs/s3-location.ts';
import { openS3Blobs } from '../../src/blobs/s3.ts';
import { type Swept, QUARANTINE_MS, sweepBlobs } from '../../src/blobs/sweep.ts';
import { type BackupCommand, manageBackups } from '../../src/cli/backups.ts';
import { zipOf } from '../files/archives.ts';
import {
  type Part,
  beside,
  file,
  filePath,
  json,
  rawRequest,
  readStored,
  runFields,
  sendForm,
  text,
  textFields,
  uniqueBytes,
  upload,
} from '../files/form.ts';
import { hashesOf } from '../files/stored.ts';
import { openDatabaseOf } from '../in-database.ts';
import { newFolder, serviceMain } from '../robustness/service-process.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { type S3Proxy, refusal, startS3Proxy } from './s3-proxy.ts';
import { type TestS3, keysIn, startTestS3 } from './s3-server.ts';

let s3: TestS3;
let proxy: S3Proxy;
let location: S3Location;
beforeAll(async () => {
  s3 = await startTestS3();
  proxy = await startS3Proxy(s3.newLocation().endpoint!);
});
afterAll(async () => {
  await proxy.stop();
  await s3.stop();
});
beforeEach(() => void (location = proxy.through(s3.newLocation())));

const PAGE = `<!doctype html><title>Report</title>${'<p>A line of the report</p>'.repeat(100)}`;
const LIBRARY = 'function library() { return 1; }\n'.repeat(3_000);
const PICTURE = uniqueBytes(50_000);
const REPORT = { 'index.html': PAGE, 'library.js': LIBRARY, 'picture.png': PICTURE };
const CONTENTS = Object.values(REPORT);
const send = (server: TestServer, parts: readonly Part[]) => {
  const [, , cases] = textFields();
  return upload(server, [text('projectName', 'shop'), json('testRun', runFields({})), cases!, ...parts]);
};
const hashesIn = async (folder: 'blobs' | 'quarantine'): Promise<string[]> => {
  const keys = (await keysIn(location)).filter((key) => key.startsWith(`${folder}/`));
  return keys.map((key) => /[0-9a-f]{64}/.exec(key)![0]).sort();
};
const sweep = async ({ dataDir }: TestServer, now: number): Promise<Swept> => {
  const database = await openDatabaseOf(dataDir, 'read');
  try {
    const blobs = openS3Blobs(location, join(dataDir, 'staging'), { unsettledMs: -60_000 });
    return await sweepBlobs(blobs, database.queries, now);
  } finally {
    await database.close();
  }
};

describe('a service with its files in S3', () => {
  it('takes reports, traces and attachments, serves them whole and in part, and deletes them with their run', async () => {
    await using server = await startTestServer({ s3: location });
    // Uploaded in parts.
    const large = uniqueBytes(9 * 1024 * 1024);
    const report = await zipOf({ ...REPORT, 'large.bin': large });
    const hashes = hashesOf([...CONTENTS, large]);
    const pictures = Array.from({ length: 20 }, (_, n) => file('attachment_0', PICTURE, `screenshot-${n}.png`));
    const parts = [file('report_html', report), file('trace_0', PICTURE), ...pictures];
    const { reportPath, traces, testRunId } = await send(server, parts);
    expect(await hashesIn('blobs')).toEqual(hashes);
    expect(existsSync(join(server.dataDir, 'blobs'))).toBe(false);

    expect(await readStored(server, beside(reportPath!, 'library.js'))).toEqual(Buffer.from(LIBRARY));
    expect((await readStored(server, beside(reportPath!, 'large.bin'))).equals(large)).toBe(true);
    expect(await readStored(server, traces[0]!.path)).toEqual(PICTURE);
    expect((await rawRequest(server, filePath(reportPath!))).body.toString()).toContain('A line of the report');
    const ranged = await rawRequest(server, filePath(beside(reportPath!, 'large.bin')), {
      range: 'bytes=8388600-8388615',
    });
    expect(ranged.status).toBe(206);
    expect(ranged.body).toEqual(large.subarray(8388600, 8388616));

    const again = await send(server, [file('report_html', report)]);
    await server.client.deleteRun({ params: { id: testRunId } });
    expect(await hashesIn('blobs')).toEqual(hashes);
    await server.client.deleteRun({ params: { id: again.testRunId } });
    expect(await hashesIn('blobs')).toEqual([]);
    expect(await hashesIn('quarantine')).toEqual(hashes);
    expect((await rawRequest(server, filePath(reportPath!))).status).toBe(404);
    await sweep(server, Date.now());
    expect(await hashesIn('quarantine')).toEqual(hashes);
    expect(await sweep(server, Date.now() + QUARANTINE_MS + 1_000)).toMatchObject({ removed: { count: 4 } });
    expect(await keysIn(location)).toEqual([]);
  });

  it('sweeps what a crash left, and takes back what a run names after all', async () => {
    await using server = await startTestServer({ s3: location });
    const parts = [file('report_html', await zipOf(REPORT))];
    const { reportPath } = await send(server, parts);
    const stray = openS3Blobs(location, server.dataDir);
    const named = async (): Promise<boolean> => false;
    const [first] = await hashesIn('blobs');
    await stray.quarantine(first!, named);
    expect(await sweep(server, Date.now())).toMatchObject({ quarantined: 0, restored: 1 });
    for (const hash of await hashesIn('blobs')) await stray.quarantine(hash, named);
    expect(await readStored(server, beside(reportPath!, 'picture.png'))).toEqual(PICTURE);
  });

  it('answers 503 while the store is away, stores nothing by halves, says so, and recovers', async () => {
    await using server = await startTestServer({ s3: location });
    const parts = [file('report_html', await zipOf(REPORT))];
    const stored = await send(server, parts);
    await proxy.stop();
    const page = filePath(stored.reportPath!);
    const refused = await sendForm(server, [...textFields(), file('trace_0', uniqueBytes())]);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    const answered = await rawRequest(server, page);
    expect(answered.status).toBe(503);
    expect(answered.headers['retry-after']).toBe('5');
    const ready = await fetch(`${server.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ reason: expect.stringContaining('ECONNREFUSED') });
    // The files of a run that is deleted meanwhile are left to the sweep.
    expect(await server.client.deleteRun({ params: { id: stored.testRunId } })).toEqual({ success: true });
    expect(await server.client.getStats()).toMatchObject({ totalRuns: 0, totalReports: 0, totalTraces: 0 });
    await proxy.start();
    const again = await send(server, parts);
    expect(await readStored(server, beside(again.reportPath!, 'picture.png'))).toEqual(PICTURE);
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await hashesIn('blobs')).toEqual(hashesOf(CONTENTS));
  });
});

describe('assay-server', () => {
  /** In a process of its own, with the bucket as its operator would name it. */
  const command = async (dataDir: string, ...words: string[]): Promise<string> => {
    const { bucket, prefix, endpoint, region, credentials } = location;
    const path = prefix.split('/').map(encodeURIComponent).join('/');
    const env = {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      SERVICE_DATA_DIR: dataDir,
      SERVICE_FILES_URL: `s3://${bucket}/${path}?endpoint=${endpoint}&region=${region}`,
      AWS_ACCESS_KEY_ID: credentials!.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    };
    const child = spawn(process.execPath, [serviceMain(), ...words], { env });
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    return stdout + stderr;
  };
  /** The same in this process. */
  const manage = async (dataDir: string, name: BackupCommand, ...args: string[]): Promise<string> => {
    let printed = '';
    const line = { args, print: (text: string) => (printed += text), progress: () => undefined };
    await manageBackups({ dataDir, s3: location }, name, line).catch(({ message }: Error) => (printed += message));
    return printed;
  };

  it('backs the database up alone, restores it, and verifies it with the files in the bucket', async () => {
    using folder = newFolder();
    const [copy, restored] = ['copy', 'restored'].map((name) => join(folder.path, name)) as [string, string];
    const content = uniqueBytes(2_000);
    let traces;
    {
      await using server = await startTestServer({ databaseUrl: null, s3: location });
      ({ traces } = await send(server, [file('trace_0', content), file('report_html', await zipOf(REPORT))]));
      const place = `s3://${location.bucket}/${location.prefix}`;
      expect(await command(server.dataDir, 'backup', copy)).toBe(
        `Copied the database with 1 run to ${copy}. It references 4 files in ${place}, which are not copied.\n`,
      );
      expect(await manage(server.dataDir, 'verify')).toContain(`4 files in ${server.dataDir} and ${place}: nothing is`);
    }
    expect(await manage(restored, 'restore', copy)).toContain(`1 run to ${restored}`);
    await using again = await startTestServer({ databaseUrl: null, dataDir: restored, s3: location });
    expect(await readStored(again, traces[0]!.path)).toEqual(content);
    const [hash] = hashesOf([content]);
    const blobs = openS3Blobs(location, folder.path);
    await blobs.remove(hash!, async () => false);
    await blobs.purge(Date.now() + 1_000, async () => new Set());
    expect(await manage(copy, 'verify')).toContain(`file ${hash}: is missing`);
    proxy.fate = () => refusal(403, 'AccessDenied');
    expect(await command(copy, 'verify')).toBe('assay-server: The file store does not work: AccessDenied\n');
    proxy.fate = () => 'pass';
  });
});

describe('a start', () => {
  it('with a new database refuses a bucket that has files, or that does not work', async () => {
    await using server = await startTestServer({ databaseUrl: null, s3: location });
    await send(server, [file('trace_0', PICTURE)]);
    await server.stop();
    await expect(startTestServer({ databaseUrl: null, s3: location })).rejects.toThrow(
      `s3://${location.bucket}/${location.prefix} has data`,
    );
    const missing = { ...location, bucket: 'assay-tests-none' };
    await expect(startTestServer({ databaseUrl: null, s3: missing })).rejects.toThrow('NoSuchBucket');
  });

  it('refuses files on disk that nobody would find', async () => {
    using folder = newFolder();
    const before = await startTestServer({ dataDir: folder.path });
    await send(before, [file('trace_0', PICTURE)]);
    await before.stop();
    await expect(startTestServer({ dataDir: folder.path, s3: location })).rejects.toThrow('would not be found');
  });
});
