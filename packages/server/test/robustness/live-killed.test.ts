import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Client, type RunStart, type SubmittedCase, runFigures } from '@assay/contract';
import { createRandom, draws } from '@assay/testkit';
import { expect, it } from 'vitest';
import { minute, richCase, testCase } from '../conformance/build.ts';
import { newFolder, startServiceProcess, type StartedService } from './service-process.ts';

const SEED = process.env['ROBUSTNESS_SEED'] ?? 'live';
const KILLS = draws(2);
const BATCHES = 25;
const random = createRandom(SEED);

interface Sender {
  readonly key: string;
  readonly start: RunStart;
  readonly batches: readonly SubmittedCase[][];
  /** One that loses its stream for good, and then sends everything at once. */
  readonly fallsBackAt: number;
}

const projectName = 'killed';

const buildSender = (n: number, fields: Partial<RunStart>): Sender => {
  const draw = random.fork(n);
  const caseOf = (title: string): SubmittedCase =>
    draw.chance(0.3)
      ? richCase({ title, browser: null })
      : testCase({ title, status: draw.pick(['passed', 'failed']) });
  return {
    key: `sender ${n}`,
    start: { projectName, startTime: minute(n), ...fields },
    batches: Array.from({ length: BATCHES }, (_, batch) =>
      Array.from({ length: draw.integer(1, 5) }, (_case, at) => caseOf(`test ${n} ${batch} ${at}`)),
    ),
    fallsBackAt: n % 3 === 2 ? draw.integer(1, BATCHES) : Infinity,
  };
};

/** Goes on where the service says that it stands, until it is finished. Any answer but a success fails the test. */
const sendAll = async (client: Client, sender: Sender, answered: () => void): Promise<number> => {
  const headers = { 'idempotency-key': sender.key };
  const { testRunId: id, part, nextBatch } = await client.startRun({ body: sender.start, headers });
  answered();
  const duration = 1_000;
  for (let batch = nextBatch; batch < BATCHES; batch++) {
    if (batch >= sender.fallsBackAt) {
      const body = { ...sender.start, status: 'passed', duration, testCases: sender.batches.flat() };
      expect((await client.submitRun({ body, headers })).testRunId).toBe(id);
      return id;
    }
    const reply = await client.addResults({ params: { id }, body: { part, batch, testCases: sender.batches[batch]! } });
    expect(reply.nextBatch).toBe(batch + 1);
    answered();
  }
  await client.finishRun({ params: { id }, body: { part, status: 'passed', duration } });
  return id;
};

it(`senders that resume make exactly one complete run each, however often the service is killed (seed ${SEED})`, async () => {
  using folder = newFolder();
  const shards = [1, 2, 3].map((index) => ({ runKey: 'in shards', shard: { index, total: 3 } }));
  const senders = [{}, {}, {}, ...shards].map((fields, n) => buildSender(n, fields));
  const runIds = new Map<Sender, number>();

  let service: StartedService = await startServiceProcess(folder.path);
  let revived = Promise.withResolvers<void>();
  let left = Infinity;
  let enough = Promise.withResolvers<void>();
  const answered = (): void => {
    if (--left <= 0) enough.resolve();
  };
  const persist = async (sender: Sender): Promise<void> => {
    while (!runIds.has(sender)) {
      const waiting = revived.promise;
      try {
        runIds.set(sender, await sendAll(service.client, sender, answered));
      } catch (error) {
        if (error instanceof ApiError && error.body?.code !== 'part_finished') throw error;
        if (error instanceof ApiError) sender = Object.assign(sender, { fallsBackAt: 0 });
        else await waiting;
      }
    }
  };
  const all = Promise.all(senders.map(persist));
  for (let kill = 0; kill < KILLS; kill++) {
    enough = Promise.withResolvers();
    left = random.fork(`answers ${kill}`).integer(1, 25);
    await Promise.race([enough.promise, all]);
    await delay(random.fork(`pause ${kill}`).integer(0, 20));
    service.signal('SIGKILL');
    await service.exited;
    service = await startServiceProcess(folder.path);
    revived.resolve();
    revived = Promise.withResolvers();
  }
  await all;
  await using last = service;

  const [project, ...others] = await last.client.listProjects();
  expect(others).toEqual([]);
  const { testRuns, totalTestCases } = await last.client.getProject({ params: { id: project!.id } });
  const byRun = Map.groupBy(senders, (sender) => runIds.get(sender)!);
  expect(testRuns.map(({ id }) => id).sort()).toEqual([...byRun.keys()].sort());
  expect(byRun.size).toBe(4);
  for (const [id, parts] of byRun) {
    const sent = parts.flatMap(({ batches }) => batches.flat());
    const run = await last.client.getRun({ params: { id } });
    expect(run).toMatchObject({ status: 'passed', duration: 1_000, ...runFigures(sent) });
    expect(run.testCases.map(({ title, steps }) => [title, steps?.length])).toEqual(
      sent.map(({ title, steps }) => [title, steps?.length ?? 0]),
    );
    if (parts.length > 1) expect(run.shards).toMatchObject({ missing: [], total: 3 });
  }
  expect(totalTestCases).toBe(new Set(senders.flatMap(({ batches }) => batches.flat().map(({ title }) => title))).size);
});
