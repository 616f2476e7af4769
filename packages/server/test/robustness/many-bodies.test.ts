import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { canMount, mountDisk } from '../../../reporter/test/mount-disk.ts';
import { submission, testCase } from '../conformance/build.ts';
import { SUBMIT, expectError, sendText } from '../conformance/wire.ts';
import { type TestServer, sharedServer, startTestServer } from '../server.ts';
import { holdSubmission } from './raw-http.ts';
import {
  type Folder,
  type StartedService,
  newFolder,
  stagedFiles,
  startServiceProcess,
  until,
} from './service-process.ts';

vi.setConfig({ testTimeout: 120_000 });

const MIB = 1024 * 1024;

const padded = (bytes: number): string => JSON.stringify({ ...submission(), padding: 'x'.repeat(bytes) });

/** What a process has, and the most that it had, in MiB. */
const memoryOf = (pid: number): { now: number; peak: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)![1]) / 1024;
  return { now: mib('VmRSS'), peak: mib('VmHWM') };
};

describe.runIf(process.platform === 'linux')('the memory of the service', () => {
  let folder: Folder;
  let service: StartedService;
  let before: number;
  beforeAll(async () => {
    folder = newFolder();
    service = await startServiceProcess(folder.path, { SERVICE_LOG_LEVEL: 'info' });
    await sendText(service, 'POST', SUBMIT, padded(1_000));
    before = memoryOf(service.pid).now;
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it('stays bounded while three hundred clients send 0.87 MB each, and all of them are stored', async () => {
    const body = padded(870_000);
    const { totalRuns } = await service.client.getStats();
    const answers = await Promise.all(Array.from({ length: 300 }, () => sendText(service, 'POST', SUBMIT, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(memoryOf(service.pid).peak - before).toBeLessThan(110);
    expect((await service.client.getStats()).totalRuns).toBe(totalRuns + 300);
  });

  it('is enough at 512 MB for a submission of 42 MB, and is given back', async () => {
    const testCases = Array.from({ length: 240_000 }, (_, index) =>
      testCase({
        title: `suite ${index % 10_000} does what it is expected to do`,
        location: `tests/folder-${index % 30}/some-file-${index % 300}.spec.ts:${index}:3`,
        status: index % 50 ? 'passed' : 'failed',
        error: index % 50 ? undefined : `Error: ${index} was expected to be something else`,
      }),
    );
    const text = JSON.stringify(submission({ testCases, padding: 'x'.repeat(5 * MIB) } as never));
    expect(text.length).toBeGreaterThan(40_000_000);
    expect((await sendText(service, 'POST', SUBMIT, text)).status).toBe(200);
    expect(memoryOf(service.pid).peak).toBeLessThan(512);
    await until('the memory is given back', () => memoryOf(service.pid).now < before + 150);
  });
});

it('a small submission is stored while a large one is parsed', async () => {
  const server = await sharedServer();
  const testCases = Array.from({ length: 30_000 }, (_, index) => testCase({ title: `case ${index % 100}` }));
  const ended: string[] = [];
  const large = sendText(server, 'POST', SUBMIT, JSON.stringify(submission({ testCases }))).then(() =>
    ended.push('large'),
  );
  await until('the large one is on its way', async () => {
    await sendText(server, 'POST', SUBMIT, JSON.stringify(submission()));
    ended.push('small');
    return ended.length > 20 || ended.includes('large');
  });
  await large;
  expect(ended[0]).toBe('small');
});

describe('more bodies than may wait', () => {
  it('are refused with 503 and when to try again, and taken later', async () => {
    await using server = await startTestServer({ maxWaitingBytes: 2 * MIB });
    const body = Buffer.from(padded(3 * MIB));
    const held = holdSubmission(server.url, body, { sentBytes: body.length - 1 });
    await until('all but its end has come', () =>
      stagedFiles(server.dataDir).some((name) => statSync(join(server.dataDir, 'staging', name)).size > 2 * MIB),
    );
    const refused = await sendText(server, 'POST', SUBMIT, JSON.stringify(submission()));
    await expectError(refused, 503, 'unavailable');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await held.finish();
    expect((await held.answer).status).toBe(200);
    expect((await sendText(server, 'POST', SUBMIT, JSON.stringify(submission()))).status).toBe(200);
  });
});

describe('a client that is refused and goes on sending', () => {
  let server: TestServer;
  beforeAll(async () => void (server = await startTestServer({ stallMs: 1_000, maxBodyBytes: 1_000 })));
  afterAll(() => server.stop());

  it.each([
    ['a path that is not there', 'POST /api/nothing', 'application/json'],
    ['a content type that is not taken', `POST ${SUBMIT}`, 'text/plain'],
    ['a form that is none', 'POST /api/test-runs/upload', 'multipart/form-data'],
    ['a body that may not be so large', `POST ${SUBMIT}`, 'application/json'],
  ])('loses its connection: %s', async (_, start, type) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString())).on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.write(`${start} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 100000000\r\n\r\n`);
    socket.write('x'.repeat(2_000));
    const trickle = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(trickle);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});

describe.runIf(canMount())('a disk that fills up while bodies come', () => {
  it('is told by 507, never as a body that is wrong', async () => {
    using folder = newFolder();
    using disk = mountDisk(join(folder.path, 'disk'), 12 * MIB);
    await using server = await startTestServer({ dataDir: join(disk.path, 'data') });
    const testCases = [testCase({ error: 'e'.repeat(1_300_000) })];
    const body = JSON.stringify(submission({ testCases }));
    const statuses = new Set<number>();
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => sendText(server, 'POST', SUBMIT, body)));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].filter((status) => status !== 200)).toEqual([507]);
  });
});
