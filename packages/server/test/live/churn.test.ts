import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { minute, newName, richCase, submission, testCase } from '../conformance/build.ts';
import { startTestServer } from '../server.ts';

const SHARDS = 4;
const BATCHES = 8;

it('shards that are sent at once, fall silent and go on make one run, and no read ever counts a result twice', async () => {
  await using server = await startTestServer({ runQuietMs: 60, answerCacheBytes: 0 });
  const { client } = server;
  const projectName = newName();
  const title = (shard: number, batch: number): string => `test ${shard} ${batch}`;
  // Enough runs that those which settle fill spans.
  for (let nth = 0; nth < 14; nth++) await client.submitRun({ body: submission({ projectName, testCases: [] }) });

  const sendShard = async (index: number): Promise<number> => {
    const shard = { index, total: SHARDS };
    const body = { projectName, runKey: 'key', startTime: minute(index), shard };
    const { testRunId: id, part } = await client.startRun({ body });
    for (let batch = 0; batch < BATCHES; batch++) {
      const testCases = [testCase({ title: title(index, batch), duration: index * 100 + batch })];
      await client.addResults({ params: { id }, body: { part, batch, testCases } });
      await delay((index * 17 + batch * 29) % 150);
    }
    await client.finishRun({ params: { id }, body: { part, status: 'passed', duration: index } });
    return id;
  };
  const sending = new AbortController();
  const readAll = async (): Promise<number> => {
    let reads = 0;
    const [project] = await client.listProjects();
    for (; !sending.signal.aborted; reads++) {
      const tests = await client.listTests({ params: { id: project!.id }, query: { history: 3 } });
      expect(tests.filter(({ totalRuns }) => totalRuns !== 1)).toEqual([]);
      const [test] = tests;
      if (test) expect((await client.getTest({ params: { id: test.id } })).results).toHaveLength(1);
    }
    return reads;
  };
  const reading = [readAll(), readAll()];
  const ids = await Promise.all(Array.from({ length: SHARDS }, (_, nth) => sendShard(nth + 1))).finally(() =>
    sending.abort(),
  );
  expect(Math.min(...(await Promise.all(reading)))).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(1);
  const run = await client.getRun({ params: { id: ids[0]! } });
  const expected = Array.from({ length: SHARDS }, (_, nth) =>
    Array.from({ length: BATCHES }, (_batch, batch) => title(nth + 1, batch)),
  ).flat();
  expect(run.testCases.map((found) => found.title)).toEqual(expected);
  expect(run).toMatchObject({
    status: 'passed',
    duration: SHARDS,
    totalTests: expected.length,
    shards: { missing: [] },
  });
});

it('requests of a run that grows and loses parts are told at any moment', async () => {
  await using server = await startTestServer({ answerCacheBytes: 0, segmentCacheBytes: 0 });
  const { client } = server;
  const projectName = newName();
  const sending = new AbortController();
  const start = (attempt: number) =>
    client.startRun({
      body: { projectName, runKey: 'key', startTime: minute(0), shard: { index: 1, total: 1 }, attempt },
    });
  const { testRunId: id } = await start(1);
  const read = async (): Promise<void> => {
    while (!sending.signal.aborted) {
      for (const group of await client.listRunRequests({ params: { id } })) {
        expect(group.testCases).not.toContain('');
        expect(group.testCaseIds.length).toBeGreaterThan(0);
      }
    }
  };
  const reading = [read(), read()];
  const send = async (): Promise<void> => {
    for (let attempt = 2; attempt < 6; attempt++) {
      const { part } = await start(attempt);
      for (let batch = 0; batch < 12; batch++) {
        const testCases = [richCase({ title: `test ${batch}` })];
        await client.addResults({ params: { id }, body: { part, batch, testCases } });
      }
    }
  };
  await Promise.all([...reading, send().finally(() => sending.abort())]);
});
