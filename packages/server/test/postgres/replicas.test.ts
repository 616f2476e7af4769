import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, runStart, submission, testCase } from '../conformance/build.ts';
import { openEvents } from '../events/read-events.ts';
import type { TestServer } from '../server.ts';
import { type Replicas, startReplicas } from './replicas.ts';

let replicas: Replicas;
let first: TestServer;
let second: TestServer;
let third: TestServer;
beforeAll(async () => {
  replicas = await startReplicas(3);
  [first, second, third] = replicas.servers as [TestServer, TestServer, TestServer];
});
afterAll(() => replicas[Symbol.asyncDispose]());

const inTurns = (count: number): TestServer[] => Array.from({ length: count }, (_, at) => replicas.servers[at % 3]!);
const cases = (...titles: string[]) => titles.map((title) => testCase({ title }));

describe('replicas that share a database', () => {
  it('are one installation', async () => {
    const hellos = await Promise.all(
      replicas.servers.map(async (server) => {
        const events = await openEvents(server);
        const hello = await events.next();
        events.close();
        return (hello!.data as { installation: string }).installation;
      }),
    );
    expect(new Set(hellos).size).toBe(1);
  });

  it('answer at once with what another has stored', async () => {
    const projectName = newName();
    for (const [at, server] of inTurns(9).entries()) {
      const { projectId } = await server.client.submitRun({
        body: submission({ projectName, startTime: minute(at), testCases: cases('a', 'b') }),
      });
      for (const { client } of replicas.servers) {
        const { testRuns, totalRuns } = await client.getProject({ params: { id: projectId } });
        expect(totalRuns).toBe(at + 1);
        expect(testRuns[0]!.startTime).toBe(minute(at));
        const tests = await client.listTests({ params: { id: projectId } });
        expect(tests.map(({ totalRuns: runs }) => runs)).toEqual([at + 1, at + 1]);
      }
    }
  });

  it('store a submission once that all of them get at once under one key', async () => {
    const body = submission();
    const headers = { 'idempotency-key': newName('key') };
    const replies = await Promise.all(inTurns(12).map(({ client }) => client.submitRun({ body, headers })));
    expect(new Set(replies.map(({ testRunId }) => testRunId)).size).toBe(1);
    expect((await first.client.getProject({ params: { id: replies[0]!.projectId } })).totalRuns).toBe(1);
  });

  it('make one project and one test of what many first submissions name at once', async () => {
    const projectName = newName();
    const replies = await Promise.all(
      inTurns(15).map(({ client }, at) =>
        client.submitRun({ body: submission({ projectName, startTime: minute(at), testCases: cases('a', `b${at}`) }) }),
      ),
    );
    expect(new Set(replies.map(({ projectId }) => projectId)).size).toBe(1);
    const tests = await second.client.listTests({ params: { id: replies[0]!.projectId }, query: { limit: 100 } });
    expect(tests).toHaveLength(16);
    expect(tests.find(({ title }) => title === 'a')).toMatchObject({ totalRuns: 15, passedRuns: 15 });
    const numbers = replies.map(({ testRunId }) => testRunId);
    expect(new Set(numbers).size).toBe(15);
  });

  it('join shards that arrive at once into one run', async () => {
    const projectName = newName();
    const runKey = newName('ci');
    const replies = await Promise.all(
      inTurns(6).map(({ client }, at) =>
        client.submitRun({
          body: submission({
            projectName,
            runKey,
            shard: { index: at + 1, total: 6 },
            testCases: cases(`a${at}`, `b${at}`),
          }),
        }),
      ),
    );
    expect(new Set(replies.map(({ testRunId }) => testRunId)).size).toBe(1);
    const { testRunId } = replies[0]!;
    await expect
      .poll(async () => (await third.client.getRun({ params: { id: testRunId } })).shards)
      .toMatchObject({ total: 6 });
    expect(await third.client.getRun({ params: { id: testRunId } })).toMatchObject({ totalTests: 12, passedTests: 12 });
  });

  it('take the batches of a live run in any order, each once', async () => {
    const started = await first.client.startRun({ body: runStart() });
    const { testRunId: id, part } = started;
    const send = (server: TestServer, batch: number) =>
      server.client.addResults({ params: { id }, body: { part, batch, testCases: cases(`case ${batch}`) } });
    for (let batch = started.nextBatch; batch < started.nextBatch + 12; batch++) {
      // A sender whose answer was lost asks another replica.
      const results = await Promise.allSettled(replicas.servers.map((server) => send(server, batch)));
      expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    }
    await second.client.finishRun({ params: { id }, body: { part, status: 'passed', duration: 5 } });
    for (const { client } of replicas.servers)
      expect(await client.getRun({ params: { id } })).toMatchObject({ totalTests: 12, status: 'passed' });
  });

  it('tell the pages of one what another has stored', async () => {
    const events = await openEvents(second);
    expect(await events.next()).toMatchObject({ event: 'hello' });
    const { projectId, testRunId } = await first.client.submitRun({ body: submission() });
    for (;;) {
      const event = await events.next();
      if ((event!.data as { projectId?: number }).projectId !== projectId) continue;
      expect(event).toMatchObject({ event: 'run', data: { projectId, testRunId, kind: 'stored' } });
      break;
    }
    events.close();
  });

  it('forget on all what is deleted on one', async () => {
    const { testRunId, projectId } = await first.client.submitRun({ body: submission() });
    await second.client.submitRun({ body: submission() });
    await third.client.getRun({ params: { id: testRunId } });
    await second.client.deleteRun({ params: { id: testRunId } });
    for (const { client } of replicas.servers) {
      await expect(client.getRun({ params: { id: testRunId } })).rejects.toMatchObject({ status: 404 });
      expect((await client.getProject({ params: { id: projectId } })).totalRuns).toBe(0);
    }
  });
});
