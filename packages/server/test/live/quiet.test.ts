import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SubmittedCase } from '@assay/contract';
import { expect, it } from 'vitest';
import { minute, newName, richCase, submission, testCase } from '../conformance/build.ts';
import { newFolder, until } from '../robustness/service-process.ts';
import { startTestServer, type TestServer } from '../server.ts';

const QUIET_MS = 400;

const start = (server: TestServer, fields: object = {}, key = randomUUID()) =>
  server.client.startRun({
    body: { projectName: newName(), startTime: minute(0), ...fields },
    headers: { 'idempotency-key': key },
  });
const add = (server: TestServer, id: number, part: number, batch: number, ...testCases: SubmittedCase[]) =>
  server.client.addResults({ params: { id }, body: { part, batch, testCases } });
const statusOf = async (server: TestServer, id: number): Promise<string> =>
  (await server.client.getRun({ params: { id } })).status;
const untilStatus = (server: TestServer, id: number, status: string): Promise<void> =>
  until(`run ${id} is ${status}`, async () => (await statusOf(server, id)) === status);

/** How many blocks and chunks of details a run is stored in, and whether it is settled. */
const storedAs = ({ dataDir }: Pick<TestServer, 'dataDir'>, runId: number) => {
  const database = new DatabaseSync(join(dataDir, 'assay.db'), { readOnly: true });
  const countOf = (sql: string): number => Number(database.prepare(sql).get(runId)!['count']);
  const blocks = countOf('SELECT count(*) AS count FROM segments WHERE run_id = ?');
  const details = countOf('SELECT count(*) AS count FROM details WHERE id / 1048576 = ?');
  const settled = countOf('SELECT count(*) AS count FROM runs WHERE id = ? AND sequence >= 0') === 1;
  database.close();
  return { blocks, details, settled };
};

it('a run that nothing more is heard of is closed as interrupted, and whatever comes late still joins', async () => {
  await using server = await startTestServer({ runQuietMs: QUIET_MS });
  const projectName = newName();
  const key = randomUUID();
  const { testRunId: id, part } = await start(server, { projectName }, key);
  await add(server, id, part, 0, testCase({ title: 'a' }));
  await untilStatus(server, id, 'interrupted');
  await until('it is settled', () => storedAs(server, id).settled);

  expect(await add(server, id, part, 1, testCase({ title: 'b' }))).toEqual({ success: true, nextBatch: 2 });
  expect(await statusOf(server, id)).toBe('running');
  await untilStatus(server, id, 'interrupted');
  await server.client.finishRun({ params: { id }, body: { part, status: 'passed', duration: 5 } });
  expect(await server.client.getRun({ params: { id } })).toMatchObject({
    status: 'passed',
    duration: 5,
    totalTests: 2,
  });

  const lost = await start(server, { projectName }, `${key} 2`);
  await add(server, lost.testRunId, lost.part, 0, testCase({ title: 'a' }));
  await untilStatus(server, lost.testRunId, 'interrupted');
  const body = submission({ projectName, testCases: [testCase({ title: 'a' }), testCase({ title: 'c' })] });
  const whole = await server.client.submitRun({ body, headers: { 'idempotency-key': `${key} 2` } });
  expect(whole.testRunId).toBe(lost.testRunId);
  expect(await statusOf(server, lost.testRunId)).toBe('passed');
  const tests = await server.client.listTests({ params: { id: whole.projectId } });
  expect(tests.map(({ title, totalRuns }) => [title, totalRuns]).sort()).toEqual([
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ]);
});

it('a run whose sender vanished while the service was down is closed after the start; one that is heard of is not', async () => {
  using folder = newFolder();
  const config = { dataDir: folder.path };
  let vanished;
  let resumed;
  {
    await using server = await startTestServer(config);
    vanished = await start(server);
    resumed = await start(server);
    await add(server, vanished.testRunId, vanished.part, 0, testCase());
  }
  await using server = await startTestServer({ ...config, runQuietMs: QUIET_MS });
  const beats = setInterval(() => void add(server, resumed.testRunId, resumed.part, 0).catch(() => undefined), 20);
  await untilStatus(server, vanished.testRunId, 'interrupted');
  await add(server, resumed.testRunId, resumed.part, 0, testCase());
  expect(await statusOf(server, resumed.testRunId)).toBe('running');
  clearInterval(beats);
});

it('the many blocks of a run become one for each part when it is finished, and nothing else changes', async () => {
  await using server = await startTestServer({ segmentCacheBytes: 0, answerCacheBytes: 0 });
  const shop = { projectName: newName(), runKey: newName('key') };
  const one = await start(server, { ...shop, shard: { index: 1, total: 2 } });
  const two = await start(server, { ...shop, shard: { index: 2, total: 2 } });
  const { testRunId: id, projectId } = one;
  const read = async () => {
    const run = await server.client.getRun({ params: { id } });
    const cases = await Promise.all(
      run.testCases.map((found) => server.client.getTestCase({ params: { id: found.id } })),
    );
    return {
      cases: cases.map(({ testRun: _testRun, ...found }) => found),
      testCases: run.testCases,
      requests: await server.client.listRunRequests({ params: { id } }),
      tests: await server.client.listTests({ params: { id: projectId }, query: { history: 5 } }),
    };
  };
  const caseOf = (title: string) =>
    richCase({ title, status: title.includes('3') ? 'odd' : 'failed', error: `Error: ${title}`, tags: [title] });
  for (let batch = 0; batch < 8; batch++) {
    await add(server, id, one.part, batch, caseOf(`one ${batch}`), testCase({ title: `plain ${batch}` }));
    if (batch < 4) await add(server, id, two.part, batch, caseOf(`two ${batch}`));
  }
  const before = await read();
  expect(storedAs(server, id)).toEqual({ blocks: 12, details: 12, settled: false });
  await server.client.finishRun({ params: { id }, body: { part: one.part, status: 'passed' } });
  await server.client.finishRun({ params: { id }, body: { part: two.part, status: 'passed' } });
  await until('it is settled', () => storedAs(server, id).settled);
  expect(storedAs(server, id)).toMatchObject({ blocks: 2 });
  expect(storedAs(server, id).details).toBeLessThan(12);
  expect(await read()).toEqual(before);
});
