import type { DatabaseSync } from 'node:sqlite';
import type { RunStart, Submission, SubmittedCase } from '@assay/contract';
import { minute, richCase, submission, testCase } from '../conformance/build.ts';
import { zipOf } from '../files/archives.ts';
import { until } from '../robustness/service-process.ts';
import { jsonLines } from '../traces/trace-zip.ts';

const QUIET_PATIENCE_MS = 150_000;
const LARGE_BATCHES = 340;
const ADMINISTRATOR = { username: 'ann', password: 'a long passphrase of ann', name: 'Ann' };

interface Reply {
  readonly testRunId: number;
  readonly part: number;
}

/** Talks to a service of any version: by addresses, not by the client of this one. */
export const createSender = (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const call = async <T>(method: string, path: string, init: RequestInit = {}): Promise<T> => {
    const response = await fetch(url + path, { ...init, method, headers: { ...headers, ...init.headers } });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
    return JSON.parse(answer) as T;
  };
  return {
    get: <T>(path: string) => call<T>('GET', path),
    delete: <T>(path: string) => call<T>('DELETE', path),
    send: <T>(method: 'POST' | 'PUT', path: string, body: unknown, more: Record<string, string> = {}) =>
      call<T>(method, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...more } }),
    form: (path: string, parts: Readonly<Record<string, string | Buffer>>) => {
      const body = new FormData();
      for (const [name, part] of Object.entries(parts)) {
        if (typeof part === 'string') body.set(name, part);
        else body.set(name, new Blob([new Uint8Array(part)]), 'file.zip');
      }
      return call('POST', path, { body });
    },
  };
};

export type Sender = ReturnType<typeof createSender>;

/** Signs the Administrator of the installation in, who is made when there is none; returns the cookie. */
export const signIn = async (url: string): Promise<string> => {
  const post = (path: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMINISTRATOR),
    });
  const made = await post('/api/auth/setup');
  const response = made.ok ? made : await post('/api/auth/login');
  if (!response.ok) throw new Error(`Signing in answered ${response.status}: ${await response.text()}`);
  return response.headers.getSetCookie()[0]!.split(';')[0]!;
};

/** Stores one of everything that an installation may hold. Takes some minutes: a part must go quiet. */
export const fillInstallation = async (sender: Sender, database: DatabaseSync): Promise<void> => {
  const late = await startQuietRun(sender);
  await sendHistory(sender);
  await sendShards(sender);
  await sendUpload(sender);
  await sendLargeRun(sender, database);
  await sender.send('POST', '/api/users', {
    username: 'ci-jobs',
    password: 'a long passphrase of ci',
    role: 'reporter',
  });
  await sender.send('POST', '/api/users/2/api-keys', { name: 'CI' });
  await addLateTrace(sender, database, late);
  await sendOpenRuns(sender);
  await untilTracesAreRead(database);
};

const untilTracesAreRead = (database: DatabaseSync): Promise<void> =>
  until('traces are read', () => count(database, `SELECT count(*) AS n FROM traces WHERE state = 'waiting'`) === 0);

const count = (database: DatabaseSync, sql: string): number => Number(database.prepare(sql).get()!['n']);

const cases = (nth: number): SubmittedCase[] => [
  richCase({ title: 'pays', status: nth % 5 === 0 ? 'failed' : 'passed', duration: 200 + nth }),
  testCase({ title: 'logs in', retries: nth % 3 === 0 ? 1 : 0, duration: 50 + (nth % 7) * 10 }),
  testCase({ title: 'is skipped', status: 'skipped', duration: 0 }),
  testCase({ title: 'has a status of its own', status: nth % 2 ? 'quarantined' : 'timedOut' }),
  testCase({ title: `only in run ${nth}`, location: 'tests/b.spec.ts:1' }),
];

const submit = (sender: Sender, body: Partial<Submission>) =>
  sender.send<Reply>('POST', '/api/test-runs/submit', submission(body));

/** Enough runs to have summaries of two levels, of which some were deleted. */
const sendHistory = async (sender: Sender): Promise<void> => {
  for (let nth = 0; nth < 40; nth++) {
    await submit(sender, {
      projectName: 'history',
      startTime: minute(nth),
      status: nth % 5 === 0 ? 'failed' : 'passed',
      branch: nth % 4 === 0 ? 'feature' : 'main',
      commit: `c0ffee${nth}`,
      metadata: { build: nth },
      testCases: cases(nth),
    });
  }
  const { testRuns } = await sender.get<{ testRuns: { id: number }[] }>('/api/projects/2');
  for (const nth of [3, 20]) await sender.delete(`/api/test-runs/${testRuns[nth]!.id}`);
  await submit(sender, { projectName: 'empty runs', testCases: [] });
  await sender.send('PUT', '/api/projects/2', { label: 'History', description: 'of many runs' });
};

const sendShards = async (sender: Sender): Promise<void> => {
  const send = (runKey: string, index: number, attempt: number, total = 3) =>
    submit(sender, {
      projectName: 'shards',
      runKey,
      attempt,
      shard: { index, total },
      startTime: minute(index),
      testCases: [richCase({ title: `first of ${index}` }), ...cases(index * 10 + attempt)],
    });
  for (const index of [2, 1, 3]) await send('all there', index, 1);
  await send('all there', 2, 2);
  await send('one missing', 1, 1);
  await send('one missing', 3, 1);
};

const startLive = (sender: Sender, body: Partial<RunStart>) =>
  sender.send<Reply>(
    'POST',
    '/api/test-runs/start',
    { projectName: 'live', startTime: minute(0), ...body },
    { 'idempotency-key': JSON.stringify(body) },
  );

const addBatch = (sender: Sender, { testRunId, part }: Reply, batch: number, testCases: SubmittedCase[]) =>
  sender.send('POST', `/api/test-runs/${testRunId}/results`, { part, batch, testCases });

const startQuietRun = async (sender: Sender): Promise<Reply> => {
  const run = await startLive(sender, { startTime: minute(1) });
  for (let batch = 0; batch < 5; batch++) {
    await addBatch(sender, run, batch, [
      richCase({ title: `rich ${batch}` }),
      testCase({ title: `plain ${batch}` }),
      testCase({ title: `noted ${batch}`, metadata: { batch }, annotations: [{ type: 'note' }] }),
    ]);
  }
  return run;
};

const trace = (name: string) =>
  zipOf({
    'trace.trace': jsonLines(
      { version: 8, type: 'context-options', browserName: 'chromium', wallTime: 1, monotonicTime: 0 },
      { type: 'before', callId: 'call@1', startTime: 5, class: 'Page', method: 'goto', params: { url: '/' } },
      { type: 'after', callId: 'call@1', endTime: 25 },
      { type: 'console', messageType: 'log', text: `of ${name}`, time: 7, location: { url: '', lineNumber: 1 } },
    ),
    'trace.network': jsonLines({
      type: 'resource-snapshot',
      snapshot: {
        _monotonicTime: 6,
        time: 12,
        request: { method: 'GET', url: `https://shop.test/api/${name}` },
        response: { status: 200, content: { mimeType: 'application/json' } },
      },
    }),
  });

const addLateTrace = async (sender: Sender, database: DatabaseSync, run: Reply): Promise<void> => {
  await until(
    'the quiet run is finalized',
    () => count(database, `SELECT sequence AS n FROM runs WHERE id = ${run.testRunId}`) >= 0,
    QUIET_PATIENCE_MS,
  );
  await sender.form(`/api/test-runs/${run.testRunId}/files`, {
    part: String(run.part),
    trace_4: await trace('late-of-a-plain-case'),
    trace_8: await trace('late-of-a-noted-case'),
    trace_9: await trace('late-of-a-rich-case'),
  });
  await untilTracesAreRead(database);
  await sender.send('POST', `/api/test-runs/${run.testRunId}/finish`, {
    part: run.part,
    status: 'failed',
    duration: 9_000,
  });
};

const sendUpload = async (sender: Sender): Promise<void> => {
  await sender.form('/api/test-runs/upload', {
    projectName: 'files',
    testRun: JSON.stringify({ status: 'failed', startTime: minute(0), duration: 1_200 }),
    testCases: JSON.stringify([testCase({ title: 'with a trace' }), richCase({ title: 'with both' })]),
    report_html: await zipOf({ 'index.html': '<html><body>a report</body></html>', 'data/1.txt': 'one' }),
    trace_0: await trace('upload'),
    trace_1: await trace('upload-rich'),
  });
};

/** Finalized as several blocks, with details that are joined across them. */
const sendLargeRun = async (sender: Sender, database: DatabaseSync): Promise<void> => {
  const run = await startLive(sender, { startTime: minute(2) });
  for (let batch = 0; batch < LARGE_BATCHES; batch++) {
    await addBatch(sender, run, batch, [largeCase(2 * batch), largeCase(2 * batch + 1)]);
  }
  await sender.send('POST', `/api/test-runs/${run.testRunId}/finish`, {
    part: run.part,
    status: 'passed',
    duration: 9_000,
  });
  await until(
    'the large run is finalized',
    () => count(database, `SELECT sequence AS n FROM runs WHERE id = ${run.testRunId}`) >= 0,
  );
};

const largeCase = (nth: number): SubmittedCase =>
  testCase({
    title: `case ${nth}`,
    metadata: { nth },
    annotations: [{ type: 'nth', description: String(nth) }],
    networkRequests: Array.from({ length: 120 }, (_, at) => ({
      method: at % 2 ? 'GET' : 'POST',
      url: `https://shop.test/api/items/of/${'abcdefghij'[at % 10]}`,
      status: at % 10 ? 200 : 500,
      duration: (at % 10) + 0.5,
      resourceType: at % 2 ? 'fetch' : 'xhr',
    })),
  });

/** Left as they are while something is still expected of them. */
const sendOpenRuns = async (sender: Sender): Promise<void> => {
  const run = await startLive(sender, { startTime: minute(3), expectedTests: 20, branch: 'main' });
  for (let batch = 0; batch < 4; batch++) await addBatch(sender, run, batch, cases(batch));
  await sender.form(`/api/test-runs/${run.testRunId}/files`, {
    part: String(run.part),
    trace_1: await trace('still-open'),
  });
  await startLive(sender, { startTime: minute(4), runKey: 'nothing yet', shard: { index: 1, total: 2 } });
};
