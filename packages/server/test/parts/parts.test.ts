import { randomUUID } from 'node:crypto';
import type { Submission, SubmittedCase } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, richCase, submission, testCase } from '../conformance/build.ts';
import { expectIssue, request, sendJson, SUBMIT } from '../conformance/wire.ts';
import { json, runFields, sendForm, text } from '../files/form.ts';
import { inDatabase } from '../in-database.ts';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const casesOf = (prefix: string, ...statuses: string[]): SubmittedCase[] =>
  statuses.map((status, at) => testCase({ title: `${prefix} ${at}`, status, duration: 10 * (at + 1) }));

interface Shop {
  readonly projectName: string;
  readonly runKey: string;
}
const newShop = (): Shop => ({ projectName: newName(), runKey: newName('key') });

const shardOf = (shop: Shop, index: number, total: number, overrides: Partial<Submission> = {}): Submission =>
  submission({
    ...shop,
    shard: { index, total },
    testCases: casesOf(`shard ${index}`, 'passed', 'failed'),
    ...overrides,
  });

const submit = (body: Submission, key?: string) =>
  server.client.submitRun({ body, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) });
const readRun = (id: number) => server.client.getRun({ params: { id } });
const titlesOf = async (id: number): Promise<string[]> => (await readRun(id)).testCases.map(({ title }) => title);

describe('parts with one run key', () => {
  it('make one run, whatever their order, whose figures are those of all of them', async () => {
    const shop = newShop();
    const third = shardOf(shop, 3, 3, {
      status: 'passed',
      startTime: minute(1),
      duration: 500,
      branch: 'three',
      metadata: { machine: 3 },
    });
    const first = shardOf(shop, 1, 3, {
      metadata: { machine: 1 },
      status: 'timedout',
      startTime: minute(5),
      duration: 9_000,
      testCases: [richCase({ title: 'rich' }), testCase({ title: 'slow', duration: 100 })],
    });
    const { testRunId, projectId } = await submit(third);
    expect(await readRun(testRunId)).toMatchObject({
      status: 'passed',
      metadata: { machine: 3 },
      shards: { total: 3, missing: [1, 2], parts: [{ index: 3, attempt: 1, status: 'passed', totalTests: 2 }] },
    });
    expect(await submit(first)).toEqual({ success: true, testRunId, projectId, outcome: 'stored' });
    const run = await readRun(testRunId);
    expect(run).toMatchObject({
      status: 'timedout',
      startTime: minute(1),
      duration: 9_000,
      branch: 'three',
      metadata: { machine: 1 },
      totalTests: 4,
      passedTests: 2,
      failedTests: 2,
      avgTestDuration: Math.round((812.5 + 100 + 10 + 20) / 4),
      p90TestDuration: 812.5,
      shards: { total: 3, missing: [2], parts: [{ index: 1, duration: 9_000 }, { index: 3 }] },
    });
    expect(run.testCases.map(({ title }) => title)).toEqual(['rich', 'slow', 'shard 3 0', 'shard 3 1']);
    expect(run.testCases[0]).toMatchObject({
      steps: [{ title: 'open the basket' }, {}],
      metadata: { owner: 'payments' },
    });
    for (const { id, title } of run.testCases) {
      const found = await server.client.getTestCase({ params: { id } });
      expect(found).toMatchObject({ id, title, testRun: { id: testRunId, shards: run.shards }, history: [{ id }] });
    }
    const groups = await server.client.listRunRequests({ params: { id: testRunId } });
    expect(groups.map(({ route, testCaseIds }) => [route, testCaseIds])).toEqual([
      ['/api/orders/:id', [run.testCases[0]!.id]],
      ['/api/basket', [run.testCases[0]!.id]],
    ]);
    const { testRuns, totalRuns, totalTestCases } = await server.client.getProject({ params: { id: projectId } });
    expect({ runs: testRuns.length, totalRuns, totalTestCases }).toEqual({ runs: 1, totalRuns: 1, totalTestCases: 4 });
    expect(testRuns[0]!.shards).toEqual(run.shards);
  });

  it('are stored once, also when many come at the same moment', async () => {
    const shop = newShop();
    const bodies = [1, 2, 3, 1, 2, 3, 1].map((index) => shardOf(shop, index, 3));
    const replies = await Promise.all(bodies.map((body) => submit(body)));
    expect(new Set(replies.map(({ testRunId }) => testRunId)).size).toBe(1);
    const run = await readRun(replies[0]!.testRunId);
    expect(run.shards).toMatchObject({ missing: [], parts: [{ index: 1 }, { index: 2 }, { index: 3 }] });
    expect(run.totalTests).toBe(6);
    expect(new Set(run.testCases.map(({ id }) => id)).size).toBe(6);
  });

  it('are replaced by a later try and never by an earlier one, and old ids are gone', async () => {
    const shop = newShop();
    const { testRunId, projectId } = await submit(
      shardOf(shop, 1, 2, { testCases: casesOf('only in the first try', 'failed'), status: 'failed' }),
    );
    await submit(shardOf(shop, 2, 2, { status: 'passed' }));
    const [old] = (await readRun(testRunId)).testCases;
    const second = { attempt: 2, status: 'passed', testCases: casesOf('second try', 'passed') };
    await submit(shardOf(shop, 1, 2, second));
    await submit(shardOf(shop, 1, 2, { startTime: minute(9), testCases: casesOf('late', 'failed') }));
    const run = await readRun(testRunId);
    expect(run).toMatchObject({ status: 'passed', totalTests: 3 });
    expect(run.shards!.parts.map(({ index, attempt }) => [index, attempt])).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(run.testCases.map(({ title }) => title)).toEqual(['second try 0', 'shard 2 0', 'shard 2 1']);
    expect((await request(server, `/api/test-cases/${old!.id}`)).status).toBe(404);
    const tests = await server.client.listTests({ params: { id: projectId } });
    expect(tests.map(({ title }) => title).sort()).toEqual(['second try 0', 'shard 2 0', 'shard 2 1']);
    expect((await server.client.getProject({ params: { id: projectId } })).totalTestCases).toBe(3);
  });

  it('get their run its number once they are complete, one after the other, and not while one may come', async () => {
    const read = async (id: number) => {
      const due = '(SELECT max(due_at) FROM jobs WHERE run_id = runs.id) AS due';
      return (await inDatabase(server.dataDir, `SELECT sequence, ${due} FROM runs WHERE id = ?`, id))[0]!;
    };
    const { projectName } = newShop();
    const numbers = [];
    for (const runKey of ['one', 'two', 'three']) {
      const { testRunId: id } = await submit(shardOf({ projectName, runKey }, 1, 2));
      expect((await read(id))['sequence']).toBeLessThan(0);
      expect((await read(id))['due']).toBeGreaterThan(Date.now());
      await submit(shardOf({ projectName, runKey }, 2, 2));
      await expect.poll(async () => (await read(id))['sequence']).toBeGreaterThanOrEqual(0);
      numbers.push((await read(id))['sequence']);
    }
    expect(numbers).toEqual([0, 1, 2]);
  });

  it('are told apart by their project', async () => {
    const one = newShop();
    const other = { ...one, projectName: newName() };
    expect((await submit(shardOf(one, 1, 2))).testRunId).not.toBe((await submit(shardOf(other, 2, 2))).testRunId);
  });

  it('answer a repeated Idempotency-Key with the same run, whatever comes with it', async () => {
    const shop = newShop();
    const key = randomUUID();
    const { testRunId } = await submit(shardOf(shop, 1, 2), key);
    const { testCases } = await readRun(testRunId);
    expect(await submit(shardOf(shop, 2, 2), key)).toMatchObject({ testRunId, outcome: 'stored' });
    expect((await readRun(testRunId)).testCases).toEqual(testCases);
    expect((await readRun(testRunId)).shards!.missing).toEqual([2]);
  });

  it('join a run of the same key that came without shards, as a part of its own', async () => {
    const shop = newShop();
    const whole = submission({ ...shop, testCases: casesOf('whole', 'skipped'), status: 'skipped' });
    const { testRunId } = await submit(whole);
    const ids = (await readRun(testRunId)).testCases.map(({ id }) => id);
    await submit(shardOf(shop, 2, 2, { status: 'odd' }));
    await submit(whole);
    const run = await readRun(testRunId);
    expect(run).toMatchObject({ status: 'odd', totalTests: 3, shards: { missing: [1] } });
    expect(run.shards!.parts.map(({ index }) => index)).toEqual([0, 2]);
    expect(run.testCases.map(({ title }) => title)).toEqual(['whole 0', 'shard 2 0', 'shard 2 1']);
    expect(run.testCases[0]!.id).toBe(ids[0]);
  });

  it('may be without any case', async () => {
    const shop = newShop();
    const { testRunId } = await submit(shardOf(shop, 1, 3, { testCases: [], totalTests: 7 }));
    await submit(shardOf(shop, 2, 3, { testCases: [] }));
    await submit(shardOf(shop, 3, 3));
    expect(await readRun(testRunId)).toMatchObject({ totalTests: 9, shards: { missing: [] } });
    expect(await titlesOf(testRunId)).toEqual(['shard 3 0', 'shard 3 1']);
  });

  it('may say any numbers: those beyond all counting are cut off', async () => {
    const shop = newShop();
    const most = Number.MAX_SAFE_INTEGER;
    const { testRunId } = await submit(shardOf(shop, 1, 2, { totalTests: most, duration: most, attempt: most }));
    await submit(shardOf(shop, 2, 2, { totalTests: most, passedTests: most, failedTests: 0 }));
    expect(await readRun(testRunId)).toMatchObject({ totalTests: most, passedTests: most, duration: most });
  });

  it('go with their run, and a part that comes later makes a new one', async () => {
    const shop = newShop();
    const { testRunId } = await submit(shardOf(shop, 1, 2));
    await server.client.deleteRun({ params: { id: testRunId } });
    const again = await submit(shardOf(shop, 2, 2));
    expect(again.testRunId).not.toBe(testRunId);
    expect((await readRun(again.testRunId)).shards!.missing).toEqual([1]);
  });
});

describe('a run without shards', () => {
  it('has none to tell, and a repeated run key stores nothing, also with another attempt', async () => {
    const shop = newShop();
    const { testRunId } = await submit(submission({ ...shop }));
    expect((await submit(submission({ ...shop, attempt: 2, startTime: minute(5) }))).testRunId).toBe(testRunId);
    const run = await readRun(testRunId);
    expect({ shards: run.shards, expectedTests: run.expectedTests, startTime: run.startTime }).toEqual({
      shards: null,
      expectedTests: null,
      startTime: minute(0),
    });
  });
});

describe('a submission names the field that is wrong', () => {
  it.each([
    ['/shard/index', { shard: { index: 3, total: 2 } }],
    ['/shard/index', { shard: { index: 0, total: 2 } }],
    ['/shard/index', { shard: { index: 1.5, total: 2 } }],
    ['/shard/total', { shard: { index: 1, total: 1_001 } }],
    ['/shard/total', { shard: { index: 1 } }],
    ['/shard', { shard: 'first' }],
    ['/runKey', { shard: { index: 1, total: 2 }, runKey: null }],
    ['/attempt', { attempt: 0 }],
    ['/attempt', { attempt: '1' }],
  ])('%s', async (pointer, fields) => {
    await expectIssue(await sendJson(server, 'POST', SUBMIT, { ...submission(newShop()), ...fields }), pointer);
  });
});

it('an upload names the field of its form that is wrong', async () => {
  const { projectName, runKey } = newShop();
  const testRun = runFields({ runKey, shard: { index: 2, total: 1 } });
  await expectIssue(
    await sendForm(server, [text('projectName', projectName), json('testRun', testRun)]),
    '/testRun/shard/index',
  );
});
