import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@assay/contract';
import { describe, expect, it, vi } from 'vitest';
import { submission, testCase } from '../conformance/build.ts';
import { startTestServer } from '../server.ts';
import { type RawAnswer, exchangeHeld, holdSubmission } from './raw-http.ts';
import {
  type Exit,
  type StartedService,
  newFolder,
  stagedFiles,
  startServiceProcess,
  until,
} from './service-process.ts';

vi.setConfig({ testTimeout: 90_000 });

const UPLOADS = 3;

/** So large that it goes to a file while it arrives, which shows that the service has it. */
const largeBody = (runKey: string): Buffer => {
  const testCases = Array.from({ length: 400 }, (_, index) =>
    testCase({ title: `case ${index}`, status: 'failed', error: 'x'.repeat(6_000) }),
  );
  return Buffer.from(JSON.stringify(submission({ projectName: 'stop', runKey, testCases })));
};

/** From clients of which all but the first keep their connections open. */
const holdUploads = async (service: StartedService, dataDir: string) => {
  const held = Array.from({ length: UPLOADS }, (_, index) =>
    holdSubmission(service.url, largeBody(`upload ${index}`), { keepAlive: index > 0 }),
  );
  const answers = Promise.allSettled(held.map((upload) => upload.answer));
  await until('the service has a part of each upload', () => stagedFiles(dataDir).length === UPLOADS);
  return { held, answers };
};

/** Sends many submissions at once; what was answered, sorted, once all have ended. */
const submitMany = (service: StartedService) => {
  const answered: string[] = [];
  const begun = Promise.withResolvers<void>();
  const submissions = Array.from({ length: 80 }, async (_, index) => {
    const runKey = `run ${String(index).padStart(2, '0')}`;
    try {
      await service.client.submitRun({ body: submission({ projectName: 'stop', runKey }) });
    } catch (error) {
      if (error instanceof ApiError) expect(error.status).toBe(503);
      return;
    }
    answered.push(runKey);
    begun.resolve();
  });
  return { firstAnswer: begun.promise, answered: Promise.all(submissions).then(() => answered.sort()) };
};

const refusesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });

const isStopping = (service: StartedService): Promise<void> =>
  until('the service takes no more connections', () => refusesConnections(service.port));

const PATIENCE_MS = 40_000;
/** Clients that finish in the end are waited for. */
const PATIENT = { SERVICE_STOP_SECONDS: '60' };

/** A client that keeps its connection open must not keep the service from ending. */
const endOf = async (service: StartedService): Promise<Exit> => {
  const patience = new AbortController();
  const lostPatience = delay(PATIENCE_MS, null, { signal: patience.signal }).catch(() => null);
  const exit = await Promise.race([service.exited, lostPatience]);
  patience.abort();
  if (exit === null) throw new Error('The service did not end after it had answered everything');
  return exit;
};

const logBytesIn = (dataDir: string): number =>
  statSync(join(dataDir, 'assay.db-wal'), { throwIfNoEntry: false })?.size ?? 0;

const storedKeys = (dataDir: string): string[] => {
  const database = new DatabaseSync(join(dataDir, 'assay.db'), { readOnly: true });
  const rows = database.prepare('SELECT key FROM run_keys JOIN runs ON runs.id = run_keys.run_id').all();
  database.close();
  return rows.map((row) => String(row['key']).replace('run:', '')).sort();
};

/** In the shape of all errors. */
const expectRefused = ({ status, body }: RawAnswer): void => {
  expect(status).toBe(503);
  expect(JSON.parse(body)).toMatchObject({
    statusCode: 503,
    code: 'unavailable',
    message: expect.any(String) as unknown,
    requestId: expect.any(String) as unknown,
  });
};

describe.concurrent('after SIGTERM', () => {
  it('requests on their way are finished, others refused, exactly what was answered is stored; the service ends with 0 and a closed database', async () => {
    using folder = newFolder();
    await using service = await startServiceProcess(folder.path, PATIENT);
    const { held, answers } = await holdUploads(service, folder.path);
    let many: ReturnType<typeof submitMany> | undefined;
    const [first, ...late] = await exchangeHeld(service.url, largeBody('another'), async () => {
      await until('the service has a part of it', () => stagedFiles(folder.path).length === UPLOADS + 1);
      many = submitMany(service);
      await many.firstAnswer;
      service.signal('SIGTERM');
      await isStopping(service);
    });
    expect(first?.status).toBe(200);
    // Or the connection was closed before it came.
    for (const answer of late) expectRefused(answer);
    await Promise.all(held.map((upload) => upload.finish()));
    for (const answer of await answers) expect(answer).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    const answered = await many!.answered;
    expect(await endOf(service)).toEqual({ code: 0, signal: null });
    expect(service.stderr()).toBe('');
    const logBytes = logBytesIn(folder.path);
    expect(storedKeys(folder.path)).toEqual(['another', ...answered, 'upload 0', 'upload 1', 'upload 2']);
    expect(logBytes, 'bytes in the log of the database').toBe(0);
  });
});

describe.concurrent('after a second signal', () => {
  it('the service ends at once with another code, and nothing half is stored', async () => {
    using folder = newFolder();
    await using service = await startServiceProcess(folder.path, PATIENT);
    const { answers } = await holdUploads(service, folder.path);
    service.signal('SIGINT');
    await isStopping(service);
    service.signal('SIGINT');
    const { code, signal: killedBy } = await service.exited;
    expect(killedBy).toBeNull();
    expect(code).toBeGreaterThan(0);
    for (const answer of await answers) expect(answer.status).toBe('rejected');
    await using next = await startTestServer({ dataDir: folder.path });
    expect(await next.client.getStats()).toMatchObject({ totalProjects: 0, totalRuns: 0 });
    expect(stagedFiles(folder.path)).toEqual([]);
  });
});

describe.concurrent('with a time to drain', () => {
  const statusOf = async (service: StartedService, path: string): Promise<number> =>
    (await fetch(`${service.url}${path}`)).status;

  it('the service says that it is not ready after SIGINT too, and serves all that still comes', async () => {
    using folder = newFolder();
    await using service = await startServiceProcess(folder.path, { SERVICE_DRAIN_SECONDS: '3600' });
    await until('the service is ready', async () => (await statusOf(service, '/readyz')) === 200);
    service.signal('SIGINT');
    await until('the service is not ready', async () => (await statusOf(service, '/readyz')) === 503);
    expect(await statusOf(service, '/healthz')).toBe(200);
    await service.client.submitRun({ body: submission({ projectName: 'stop' }) });
    const listed = await fetch(`${service.url}/api/projects`);
    expect([listed.status, listed.headers.get('connection')]).toEqual([200, 'close']);
    service.signal('SIGTERM');
    expect((await endOf(service)).code).toBe(1);
  });
});

/** A client that sends this, then more and more of it, and neither reads nor closes. */
const openHostile = async (port: number, first: string, more = ''): Promise<Disposable> => {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => undefined).pause();
  await new Promise<void>((resolve) => socket.once('connect', () => socket.write(first, () => resolve())));
  const timer = setInterval(() => more !== '' && socket.writable && socket.write(more), 50);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      socket.destroy();
    },
  };
};

const HOST = 'Host: localhost\r\n';
const post = (path: string, type: string, length: number | 'chunked'): string =>
  `POST ${path} HTTP/1.1\r\n${HOST}Content-Type: ${type}\r\n${length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;
const SUBMIT = '/api/test-runs/submit';

const HOSTILE: readonly (readonly [what: string, first: string, more?: string])[] = [
  ['sent nothing', ''],
  ['sent half of its headers', `GET / HTTP/1.1\r\n${HOST}X-Half: `],
  ['sends headers without an end', `GET / HTTP/1.1\r\n${HOST}`, 'X-More: 1\r\n'],
  ['is idle between requests', `GET /healthz HTTP/1.1\r\n${HOST}\r\n`],
  ['does not read its answers', `GET /api/openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(300)],
  ['does not read its events', `GET /api/events HTTP/1.1\r\n${HOST}\r\n`],
  ['lets a submission trickle', `${post(SUBMIT, 'application/json', 1_000_000)}{`, ' '],
  ['lets a refused submission trickle', post(SUBMIT, 'text/plain', 'chunked'), '1\r\n \r\n'],
  ['lets a body for nothing trickle', post('/api/nothing', 'application/json', 1_000_000), ' '],
  [
    'lets an upload trickle',
    `${post('/api/test-runs/upload', 'multipart/form-data; boundary=x', 1_000_000)}--x\r\nContent-Disposition: form-data; name="projectName"\r\n\r\n`,
    'x',
  ],
];

describe.concurrent('the time to drain and to stop', () => {
  it('is bounded, whatever clients do', async () => {
    using folder = newFolder();
    await using service = await startServiceProcess(folder.path, {
      SERVICE_DRAIN_SECONDS: '1',
      SERVICE_STOP_SECONDS: '1',
      SERVICE_STALL_SECONDS: '3600',
    });
    using clients = new DisposableStack();
    for (const [, first, more] of HOSTILE) clients.use(await openHostile(service.port, first, more));
    await service.client.listProjects();
    service.signal('SIGTERM');
    expect(await endOf(service)).toEqual({ code: 0, signal: null });
    expect(service.stderr()).toBe('');
  });
});
