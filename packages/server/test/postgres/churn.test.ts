import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Submission, createClient, runFigures } from '@assay/contract';
import { createRandom } from '@assay/testkit';
import { createDatabase } from '@assay/testkit/postgres';
import { expect, it } from 'vitest';
import { minute, testCase } from '../conformance/build.ts';
import { json, runFields, sendForm, text } from '../files/form.ts';
import { type StartedService, newFolder, startServiceProcess } from '../robustness/service-process.ts';
import { startTestS3 } from '../s3/s3-server.ts';
import { startCutProxy } from './cut-proxy.ts';
import { startLoadBalancer } from './load-balancer.ts';

const REPLICAS = 3;
const CLIENTS = 6;
const RUNS_PER_CLIENT = 12;
const KILLS = 4;
const PROJECTS = ['shop', 'office'];

interface Sent {
  readonly projectName: string;
  readonly testCases: NonNullable<Submission['testCases']>;
  /** Of its attachment; null without one. */
  readonly content: string | null;
  readonly isLive: boolean;
  readonly isDeleted: boolean;
  runId: number;
}

it('replicas that are killed and cut off lose nothing that was answered, and store nothing twice', async () => {
  using folder = newFolder();
  await using database = await createDatabase();
  await using proxy = await startCutProxy(database.url);
  await using balancer = await startLoadBalancer();
  const s3 = await startTestS3();
  const { bucket, prefix, endpoint, credentials } = s3.newLocation();
  const settings = {
    SERVICE_DATABASE_URL: proxy.url,
    SERVICE_FILES_URL: `s3://${bucket}/${encodeURI(prefix)}?endpoint=${encodeURIComponent(endpoint!)}`,
    AWS_ACCESS_KEY_ID: credentials!.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    SERVICE_LOG_LEVEL: 'info',
  };
  const start = (at: number): Promise<StartedService> => startServiceProcess(join(folder.path, String(at)), settings);
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, (_, at) => start(at)));
  const listPorts = (): void => {
    balancer.ports = replicas.map(({ port }) => port);
  };
  listPorts();
  const random = createRandom(process.env['ROBUSTNESS_SEED'] ?? 'replicas');
  const client = createClient({ baseUrl: balancer.url });
  const sent: Sent[] = [];

  const work = async (at: number): Promise<void> => {
    for (let n = 0; n < RUNS_PER_CLIENT; n++) {
      const draw = random.fork(at * 1_000 + n);
      const run = drawRun(draw);
      run.runId = run.isLive ? await sendLive(run, `${at} ${n}`) : await sendWhole(run, `${at} ${n}`, at * 100 + n);
      if (run.isDeleted) {
        // An answer that was lost leaves nothing to delete the next time.
        await insist(() => client.deleteRun({ params: { id: run.runId } }), [404]);
      }
      sent.push(run);
    }
  };
  const sendWhole = async ({ projectName, testCases, content }: Sent, key: string, at: number): Promise<number> => {
    const headers = { 'idempotency-key': key };
    const body: Submission = { projectName, status: 'failed', startTime: minute(at), testCases };
    if (content === null) return (await insist(() => client.submitRun({ body, headers }))).testRunId;
    const parts = [
      text('projectName', projectName),
      json('testRun', runFields({ startTime: minute(at) })),
      json('testCases', testCases),
      { name: 'attachment_0', content, filename: 'notes.txt', type: 'text/plain' },
    ];
    return insist(async () => {
      const response = await sendForm({ url: balancer.url }, parts, headers);
      const reply = (await response.json()) as { testRunId: number } & ConstructorParameters<typeof ApiError>[1];
      if (!response.ok) throw new ApiError(response.status, reply);
      return reply.testRunId;
    });
  };
  const sendLive = async ({ projectName, testCases }: Sent, runKey: string): Promise<number> => {
    const body = { projectName, startTime: minute(0), runKey: `live ${runKey}` };
    const { testRunId: id, part } = await insist(() => client.startRun({ body }));
    for (const [batch, one] of testCases.entries()) {
      await insist(() => client.addResults({ params: { id }, body: { part, batch, testCases: [one] } }));
    }
    await insist(() => client.finishRun({ params: { id }, body: { part, status: 'failed', duration: 1 } }));
    return id;
  };

  const killSome = async (): Promise<void> => {
    const draw = random.fork(-1);
    for (let n = 0; n < KILLS; n++) {
      await delay(draw.integer(100, 600));
      const at = draw.integer(0, REPLICAS - 1);
      replicas[at]!.signal('SIGKILL');
      await replicas[at]!.exited;
      proxy.cut();
      await delay(draw.integer(0, 50));
      proxy.mend();
      replicas[at] = await start(at);
      listPorts();
    }
  };

  try {
    await Promise.all([...Array.from({ length: CLIENTS }, (_, at) => work(at)), killSome()]);
    const stored = new Map<number, string>();
    for (const { id, name } of await client.listProjects({})) {
      const { testRuns } = await client.getProject({ params: { id } });
      for (const run of testRuns) stored.set(run.id, name);
    }
    const kept = sent.filter(({ isDeleted }) => !isDeleted);
    expect([...stored].sort()).toEqual(kept.map(({ runId, projectName }) => [runId, projectName]).sort());
    for (const { runId, testCases, content } of kept) {
      const run = await client.getRun({ params: { id: runId } });
      const { passedTests, failedTests, skippedTests } = runFigures(testCases);
      expect(run).toMatchObject({ totalTests: testCases.length, passedTests, failedTests, skippedTests });
      expect(run.testCases.map(({ title }) => title).sort()).toEqual(testCases.map(({ title }) => title).sort());
      if (content === null) continue;
      const { attachments } = await client.getTestCase({ params: { id: run.testCases[0]!.id } });
      expect(attachments).toHaveLength(1);
      expect(await (await fetch(`${balancer.url}/api/files/${attachments[0]!.path}`)).text()).toBe(content);
    }
    const { totalRuns } = await client.getStats({});
    expect(totalRuns).toBe(kept.length);
  } finally {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    await s3.stop();
  }
});

const drawRun = (draw: ReturnType<typeof createRandom>): Sent => {
  const count = draw.integer(1, 8);
  const isLive = draw.chance(0.25);
  return {
    projectName: draw.pick(PROJECTS),
    testCases: Array.from({ length: count }, (_, index) =>
      testCase({ title: `test ${index}`, status: draw.pick(['passed', 'failed', 'skipped']) }),
    ),
    content: !isLive && draw.chance(0.4) ? `seen ${draw.integer(0, 5)}` : null,
    isLive,
    isDeleted: draw.chance(0.15),
    runId: 0,
  };
};

/** Tries until it is answered, as a sender does. */
const insist = async <T>(ask: () => Promise<T>, alsoFine: readonly number[] = []): Promise<T> => {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ApiError && alsoFine.includes(error.status)) return undefined as T;
      // Of a service: it is stopping or its database is away; of none: a connection was lost.
      if (error instanceof ApiError && error.status !== 503) throw error;
      await delay(30);
    }
  }
};
