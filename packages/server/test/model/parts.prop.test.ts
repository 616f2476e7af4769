import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ApiError, type Submission } from '@assay/contract';
import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeForm, file, formHeaders, text } from '../files/form.ts';
import { inDatabase } from '../in-database.ts';
import { until } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';
import type { Config } from '../tested-service.ts';
import { compareEverything, compareProject, compareService } from './compare.ts';
import { type Model, createModel, recordDeletion, recordSubmission } from './model.ts';
import { type KeyedRuns, type ModelPart, compareIds, partOf, recordPart, unite } from './parts.ts';
import { submittedRun } from './submissions.ts';
import { traceOf, withTrace } from './traces.ts';

/** More than the few of an ordinary test run, to search for longer. */
const SEQUENCES = Number(process.env['PARTS_SEQUENCES'] ?? draws(1, 24));

const SHORT_QUIET_MS = 100;
const STARTS = ['2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.001Z', '2026-05-02T00:00:00.000Z'];

const partFields = fc.record({
  key: fc.constantFrom<string>('one', 'two'),
  shard: fc.constantFrom(0, 1, 1, 2, 2, 3),
  attempt: fc.constantFrom(undefined, 1, 2, 3),
  startTime: fc.constantFrom(...STARTS),
  run: submittedRun,
});
type PartFields = typeof partFields extends fc.Arbitrary<infer T> ? T : never;

type Command =
  | ({ readonly do: 'part' } & PartFields)
  | ({ readonly do: 'start'; readonly batches: number; readonly expected: number | null } & PartFields)
  | { readonly do: 'go on'; readonly nth: number; readonly finish: boolean; readonly run: PartFields['run'] }
  | { readonly do: 'take place'; readonly nth: number; readonly run: PartFields['run'] }
  | { readonly do: 'trace'; readonly nth: number; readonly at: number }
  | { readonly do: 'quiet' }
  | { readonly do: 'repeat'; readonly nth: number }
  | { readonly do: 'submit'; readonly run: PartFields['run'] }
  | { readonly do: 'delete'; readonly nth: number }
  | { readonly do: 'read' }
  | { readonly do: 'restart' };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: partFields.map((fields) => ({ do: 'part' as const, ...fields })) },
  {
    weight: 5,
    arbitrary: fc
      .record({ part: partFields, batches: fc.nat(2), expected: fc.constantFrom(null, 1, 9) })
      .map(({ part, ...rest }) => ({ do: 'start' as const, ...part, ...rest })),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('go on' as const),
      nth: fc.nat(9),
      finish: fc.boolean(),
      run: submittedRun,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take place' as const), nth: fc.nat(9), run: submittedRun }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('trace' as const), nth: fc.nat(9), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('quiet' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('repeat' as const), nth: fc.nat(30) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('submit' as const), run: submittedRun }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), nth: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

/** So many that spans of runs fill up when a few more come. */
const earlierRuns = fc.array(submittedRun, { minLength: 10, maxLength: 20, size: 'max' });

/** A part that was started, as its sender knows it. */
interface Sender {
  readonly key: string;
  readonly idempotencyKey: string;
  readonly body: Submission;
  readonly runId: number;
  readonly part: number;
  readonly model: ModelPart;
  nextBatch: number;
}

interface World {
  server: TestServer;
  readonly model: Model;
  readonly keyed: KeyedRuns;
  readonly senders: Sender[];
  readonly sent: { readonly key: string; readonly body: Submission }[];
}

const PROJECT = 'in parts';

const bodyOf = ({ key, shard, attempt, startTime, run }: PartFields): Submission => ({
  ...run,
  projectName: PROJECT,
  startTime,
  runKey: key,
  attempt,
  shard: shard === 0 ? undefined : { index: shard, total: 3 },
});

const nextMillisecond = async (): Promise<void> => {
  const startMs = Date.now();
  while (Date.now() === startMs) await setImmediate();
};

const sendPart = async ({ server, model, keyed }: World, key: string, body: Submission): Promise<void> => {
  recordPart(model, keyed, key, partOf(body, 'finished'), await server.client.submitRun({ body }));
};

const startPart = async (world: World, command: Extract<Command, { do: 'start' }>): Promise<void> => {
  const { model, keyed, senders } = world;
  const { client } = world.server;
  const body = bodyOf(command);
  const { projectName, startTime, branch, commit, metadata, runKey, shard, attempt } = body;
  const head = { projectName, startTime, branch, commit, metadata, runKey, shard, attempt };
  const idempotencyKey = randomUUID();
  const start = { body: { ...head, expectedTests: command.expected }, headers: { 'idempotency-key': idempotencyKey } };
  const reply = await client.startRun(start);
  const part = partOf({ ...head, status: 'running', testCases: [] }, 'running');
  part.expectedTests = command.expected;
  const counts = recordPart(model, keyed, command.key, part, reply);
  const same = counts !== part && counts.attempt === part.attempt && counts.startMs === part.startMs;
  if (counts !== part && !same) {
    const late = { part: reply.part, batch: reply.nextBatch, testCases: [{ title: 'late', status: 'passed' }] };
    const refused = await client
      .addResults({ params: { id: reply.testRunId }, body: late })
      .catch((error: unknown) => error);
    expect(refused instanceof ApiError && refused.body?.code).toBe('part_finished');
    return;
  }
  if (counts !== part) {
    reopen(world, command.key, counts);
    return;
  }
  const sender = {
    key: command.key,
    idempotencyKey,
    body,
    runId: reply.testRunId,
    part: reply.part,
    model: part,
    nextBatch: 0,
  };
  senders.push(sender);
  const cases = body.testCases ?? [];
  for (let batch = 0; batch < command.batches; batch++) await sendBatch(world, sender, cases);
  // Only the first answer tells what the part replaced.
  expect(await client.startRun(start)).toEqual({ ...reply, outcome: 'stored', nextBatch: sender.nextBatch });
};

/** Whatever is heard of a quiet part makes it one that runs. */
const reopen = ({ model, keyed }: World, key: string, part: ModelPart): void => {
  if (part.state !== 'quiet') return;
  part.state = 'running';
  unite(model, keyed.get(key)!);
};

const sendBatch = async (world: World, sender: Sender, testCases: Submission['testCases']) => {
  const { server, model, keyed } = world;
  reopen(world, sender.key, sender.model);
  const { runId, part, key } = sender;
  const batch = { part, batch: sender.nextBatch, testCases: testCases ?? [] };
  const send = () => server.client.addResults({ params: { id: runId }, body: batch });
  if (batch.testCases.length > 0) {
    sender.nextBatch++;
    sender.model.cases.push(...(JSON.parse(JSON.stringify(batch.testCases)) as typeof batch.testCases));
    unite(model, keyed.get(key)!);
  }
  expect(await send()).toEqual({ success: true, nextBatch: sender.nextBatch });
  if (batch.testCases.length > 0) expect(await send()).toEqual({ success: true, nextBatch: sender.nextBatch });
};

/** A sender whose part still counts and is open. */
const openSender = ({ senders, keyed }: World, nth: number): Sender | undefined => {
  const open = senders.filter(({ key, model, runId }) => {
    const found = keyed.get(key);
    const counts = found && !found.run.deleted && found.run.id === runId && found.parts.get(model.shard) === model;
    return counts && model.state !== 'finished';
  });
  return open[nth % open.length];
};

/** Sends a trace of a case that has none; when it is read, what it says stands where the case said nothing. */
const sendTrace = async (world: World, sender: Sender, at: number): Promise<void> => {
  const { model, keyed } = world;
  const { cases } = sender.model;
  const nth = at % cases.length;
  const traced = cases[nth];
  if (!traced || traced.traces) return;
  reopen(world, sender.key, sender.model);
  const { zip, contents } = await traceOf(`case-${nth}`);
  const body = encodeForm([text('part', String(sender.part)), file(`trace_${nth}`, zip)]);
  const address = `${world.server.url}/api/test-runs/${sender.runId}/files`;
  const response = await fetch(address, { method: 'POST', headers: formHeaders(), body });
  expect(response.status, await response.text()).toBe(200);
  cases[nth] = withTrace(traced, contents);
  unite(model, keyed.get(sender.key)!);
};

const countRows = async ({ server }: World, table: string, where: string): Promise<number> => {
  const [row] = await inDatabase(server.dataDir, `SELECT count(*) AS count FROM ${table} WHERE ${where}`);
  return Number(row!['count']);
};

const makeJobsDue = ({ server }: World): Promise<unknown> => inDatabase(server.dataDir, 'UPDATE jobs SET due_at = 0');

const untilTracesAreRead = (world: World): Promise<void> =>
  until('the traces are read', async () => (await countRows(world, 'traces', "state = 'waiting'")) === 0);

const restart = async (
  world: World,
  config: Partial<Config> = {},
  whileStopped?: () => Promise<unknown>,
): Promise<void> => {
  const { dataDir } = world.server;
  await world.server.stop();
  await whileStopped?.();
  world.server = await startTestServer({ dataDir, ...config });
};

/** Lets every open part go quiet and every run be finalized. */
const beQuiet = async (world: World): Promise<void> => {
  const { model, keyed } = world;
  // Jobs that were left until the usual quiet period is over.
  await restart(world, { runQuietMs: SHORT_QUIET_MS }, () => makeJobsDue(world));
  await until('every part is closed', async () => (await countRows(world, 'parts', "state = 'running'")) === 0);
  await until('every run is finalized', async () => (await countRows(world, 'runs', 'sequence < 0')) === 0);
  await restart(world);
  for (const found of keyed.values()) {
    if (found.run.deleted) continue;
    for (const part of found.parts.values()) if (part.state === 'running') part.state = 'quiet';
    unite(model, found);
  }
};

const perform = async (world: World, command: Command): Promise<void> => {
  const { model, keyed } = world;
  const { client } = world.server;
  await nextMillisecond();
  switch (command.do) {
    case 'part': {
      const body = bodyOf(command);
      world.sent.push({ key: command.key, body });
      await sendPart(world, command.key, body);
      break;
    }
    case 'repeat': {
      const again = world.sent[command.nth % world.sent.length];
      if (again) await sendPart(world, again.key, again.body);
      break;
    }
    case 'start':
      await startPart(world, command);
      break;
    case 'go on': {
      const sender = openSender(world, command.nth);
      if (!sender) break;
      await sendBatch(world, sender, command.run.testCases);
      if (!command.finish) break;
      const { status, duration, totalTests, passedTests, failedTests, skippedTests } = command.run;
      const finish = { status, duration, totalTests, passedTests, failedTests, skippedTests };
      const { runId, part, key } = sender;
      await client.finishRun({ params: { id: runId }, body: { part, ...finish } });
      sender.model.state = 'finished';
      sender.model.body = { ...sender.model.body, ...finish };
      unite(model, keyed.get(key)!);
      break;
    }
    case 'take place': {
      const sender = openSender(world, command.nth);
      if (!sender) break;
      const { startTime, runKey, shard, attempt } = sender.body;
      const body = { ...command.run, projectName: PROJECT, startTime, runKey, shard, attempt };
      const reply = await client.submitRun({ body, headers: { 'idempotency-key': sender.idempotencyKey } });
      recordPart(model, keyed, sender.key, partOf(body, 'finished'), reply);
      break;
    }
    case 'submit': {
      const body = { projectName: PROJECT, ...command.run };
      recordSubmission(model, body, await client.submitRun({ body }));
      break;
    }
    case 'delete': {
      const runs = model.runs.filter((run) => !run.deleted);
      const run = runs[command.nth % runs.length];
      if (run === undefined) break;
      await client.deleteRun({ params: { id: run.id } });
      recordDeletion(model, run);
      break;
    }
    case 'trace': {
      const sender = openSender(world, command.nth);
      if (sender) await sendTrace(world, sender, command.at);
      break;
    }
    case 'quiet':
      await beQuiet(world);
      break;
    case 'read':
      await untilTracesAreRead(world);
      await compareIds(client, keyed);
      for (const project of model.projects) await compareProject(client, model, project);
      break;
    case 'restart':
      await restart(world);
  }
};

const compareAll = async (world: World): Promise<void> => {
  const { model, keyed } = world;
  const { client } = world.server;
  await untilTracesAreRead(world);
  await compareIds(client, keyed);
  await compareService(client, model);
  await compareEverything(client, model, model.projects);
};

it(
  'every read equals the naive computation of the union of all parts, before and after they are finalized',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        earlierRuns,
        fc.array(command, { minLength: 25, maxLength: 40, size: 'max' }),
        async (earlier, commands) => {
          const dataDir = mkdtempSync(join(tmpdir(), 'assay-parts-'));
          const world: World = {
            server: await startTestServer({ dataDir }),
            model: createModel(),
            keyed: new Map(),
            senders: [],
            sent: [],
          };
          try {
            for (const run of earlier) await perform(world, { do: 'submit', run });
            for (const command of commands) await perform(world, command);
            await compareAll(world);
            await restart(world, { segmentCacheBytes: 0, answerCacheBytes: 0 });
            await compareAll(world);
          } finally {
            await world.server.stop();
            rmSync(dataDir, { recursive: true, force: true });
          }
        },
      ),
      {
        numRuns: SEQUENCES,
        interruptAfterTimeLimit: 60_000 * Math.ceil(SEQUENCES / 5),
        markInterruptAsFailure: false,
        endOnFailure: true,
      },
    );
  },
  240_000 * Math.ceil(SEQUENCES / 5),
);

it('a run is what its parts are, in whatever order they arrive and however often', async () => {
  await using server = await startTestServer();
  const { client } = server;
  const triesOf = fc.uniqueArray(partFields, {
    minLength: 2,
    maxLength: 8,
    selector: ({ shard, attempt, startTime }) => `${shard} ${attempt ?? 1} ${startTime}`,
  });
  const shards = triesOf.map((tries) => tries.filter(({ shard }) => shard > 0)).filter((tries) => tries.length > 1);
  const orders = shards.chain((tries) =>
    fc.tuple(
      fc.constant(tries),
      fc.shuffledSubarray(tries, { minLength: tries.length }),
      fc.array(fc.constantFrom(...tries), { maxLength: 3 }),
    ),
  );
  let projects = 0;
  const tell = async (tries: readonly PartFields[]): Promise<unknown> => {
    const projectName = `order ${projects++}`;
    let runId = 0;
    for (const one of tries) {
      ({ testRunId: runId } = await client.submitRun({ body: { ...bodyOf({ ...one, key: 'k' }), projectName } }));
    }
    const {
      id: _id,
      projectId: _projectId,
      project: _project,
      createdAt: _createdAt,
      ...run
    } = await client.getRun({
      params: { id: runId },
    });
    return { ...run, testCases: run.testCases.map(({ id: _case, testId: _test, ...testCase }) => testCase) };
  };
  await fc.assert(
    fc.asyncProperty(orders, async ([tries, shuffled, again]) => {
      expect(await tell([...shuffled, ...again])).toEqual(await tell(tries));
    }),
    { numRuns: draws(4, 48), interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
  );
});
