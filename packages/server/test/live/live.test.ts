import { randomUUID } from 'node:crypto';
import { MAX_RESULTS_PER_RUN, type RunStart, type SubmittedCase } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSegmentStore } from '../../src/segments/store.ts';
import { minute, newName, richCase, runStart, submission, testCase } from '../conformance/build.ts';
import { SUBMIT, expectError, expectIssue, request, sendJson } from '../conformance/wire.ts';
import { nextOf, openEvents } from '../events/read-events.ts';
import { inDatabase, openDatabaseOf } from '../in-database.ts';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const start = (body: Partial<RunStart> = {}, key?: string) =>
  server.client.startRun(
    key === undefined
      ? { body: runStart(body) }
      : { body: { projectName: newName(), startTime: minute(0), ...body }, headers: { 'idempotency-key': key } },
  );
const add = (id: number, part: number, batch: number, testCases: SubmittedCase[]) =>
  server.client.addResults({ params: { id }, body: { part, batch, testCases } });
const send = (id: number, what: 'results' | 'finish', body: unknown) =>
  sendJson(server, 'POST', `/api/test-runs/${id}/${what}`, body);
const finish = (id: number, part: number, fields: object = {}) =>
  server.client.finishRun({ params: { id }, body: { part, status: 'passed', ...fields } });
const readRun = (id: number) => server.client.getRun({ params: { id } });
const named = (title: string, overrides: Partial<SubmittedCase> = {}) => testCase({ title, ...overrides });

describe('a run that is sent while it happens', () => {
  it('is shown as running with what has arrived, and keeps its ids when it is finished', async () => {
    const { testRunId: id, projectId, part, nextBatch } = await start({ expectedTests: 5, branch: 'main' });
    expect(nextBatch).toBe(0);
    expect(await readRun(id)).toMatchObject({
      status: 'running',
      totalTests: 0,
      expectedTests: 5,
      branch: 'main',
      testCases: [],
      shards: null,
    });
    expect(await add(id, part, 0, [richCase({ title: 'a' }), named('b')])).toEqual({ success: true, nextBatch: 1 });
    await add(id, part, 1, [named('c', { retries: 1 }), named('d', { status: 'skipped', duration: 700 })]);
    const running = await readRun(id);
    expect(running).toMatchObject({ status: 'running', totalTests: 4, failedTests: 1, flakyTests: 1, skippedTests: 1 });
    expect(running).toMatchObject({
      avgTestDuration: Math.round((812.5 + 100 + 100) / 3),
      p90TestDuration: 812.5,
    });
    const tests = await server.client.listTests({ params: { id: projectId } });
    expect(tests.map(({ title, totalRuns }) => [title, totalRuns]).sort()).toEqual(
      ['a', 'b', 'c', 'd'].map((t) => [t, 1]),
    );
    expect(await finish(id, part, { status: 'failed', duration: 4_000, totalTests: 9 })).toEqual({
      success: true,
      testRunId: id,
      projectId,
      outcome: 'stored',
    });
    expect(await finish(id, part, { status: 'passed' })).toEqual({
      success: true,
      testRunId: id,
      projectId,
      outcome: 'stored',
    });
    const done = await readRun(id);
    expect(done).toMatchObject({ status: 'failed', duration: 4_000, totalTests: 9, expectedTests: null });
    expect(done.testCases).toEqual(running.testCases);
  });

  it('stores each batch once and in order, and says which one is next', async () => {
    const key = randomUUID();
    const projectName = newName();
    const first = await start({ projectName }, key);
    const { testRunId: id, part } = first;
    await add(id, part, 0, [named('a')]);
    expect(await add(id, part, 0, [named('something else')])).toEqual({ success: true, nextBatch: 1 });
    const gap = await expectError(
      await send(id, 'results', { part, batch: 2, testCases: [named('c')] }),
      409,
      'batch_missing',
    );
    expect(gap.message).toContain('1');
    expect(await add(id, part, 7, [])).toEqual({ success: true, nextBatch: 1 });
    expect(await start({ projectName }, key)).toEqual({ ...first, nextBatch: 1 });
    expect((await readRun(id)).testCases.map(({ title }) => title)).toEqual(['a']);
  });

  it('takes nothing more once it is finished, and 404 for what is not there', async () => {
    const { testRunId: id, part } = await start();
    const other = await start();
    await finish(id, part);
    const batch = { part, batch: 0, testCases: [named('late')] };
    await expectError(await send(id, 'results', batch), 409, 'part_finished');
    await expectError(await send(id, 'results', { ...batch, part: other.part }), 404, 'part_not_found');
    await expectError(await send(999_999, 'results', batch), 404, 'run_not_found');
    await expectError(await send(id, 'finish', { part: 999_999, status: 'passed' }), 404, 'part_not_found');
    await expectError(await send(999_999, 'finish', { part, status: 'passed' }), 404, 'run_not_found');
  });

  it('tells a sender the same at each try, also one whose place another sender has', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const shop = { projectName: newName(), runKey: newName('key') };
    const kept = await start(shop, first);
    await finish(kept.testRunId, kept.part);
    expect(await start(shop, first)).toEqual({ ...kept, outcome: 'stored' });
    const late = { ...shop, startTime: minute(1) };
    const superseded = await start(late, second);
    expect(superseded).toMatchObject({ testRunId: kept.testRunId, outcome: 'superseded' });
    expect(await start(late, second)).toEqual(superseded);
  });

  it('gives way to a whole submission under its key as long as it is not finished', async () => {
    const key = randomUUID();
    const projectName = newName();
    const { testRunId: id, part } = await start({ projectName }, key);
    await add(id, part, 0, [named('lost'), named('kept')]);
    const whole = {
      body: submission({ projectName, testCases: [named('kept'), named('new')] }),
      headers: { 'idempotency-key': key },
    };
    expect((await server.client.submitRun(whole)).testRunId).toBe(id);
    expect((await server.client.submitRun(whole)).testRunId).toBe(id);
    const run = await readRun(id);
    expect(run).toMatchObject({ status: 'passed', totalTests: 2, shards: null });
    expect(run.testCases.map(({ title }) => title)).toEqual(['kept', 'new']);
    await expectError(await send(id, 'results', { part, batch: 1, testCases: [named('late')] }), 409, 'part_finished');
    await expectError(await send(id, 'finish', { part, status: 'passed' }), 409, 'part_finished');
    const { totalTestCases, totalRuns } = await server.client.getProject({ params: { id: run.projectId } });
    expect({ totalTestCases, totalRuns }).toEqual({ totalTestCases: 2, totalRuns: 1 });
  });

  it('keeps its run keys: one that names another run names it on', async () => {
    const projectName = newName();
    const find = (runKey: string) => server.client.findRun({ query: { projectName, runKey } });
    const key = randomUUID();
    const one = await start({ projectName, runKey: 'one' }, key);
    const two = await start({ projectName, runKey: 'two' });
    const headers = { 'idempotency-key': key };
    const whole = await server.client.submitRun({ body: submission({ projectName, runKey: 'two' }), headers });
    expect(whole.testRunId).toBe(one.testRunId);
    expect((await find('one')).testRunId).toBe(one.testRunId);
    expect((await find('two')).testRunId).toBe(two.testRunId);
  });

  it('is there, empty, for who read of results that are replaced by another try', async () => {
    const shard = { projectName: newName(), runKey: newName('key'), shard: { index: 1, total: 1 } };
    const { testRunId: id, part } = await start(shard);
    await add(id, part, 0, [named('a')]);
    const database = await openDatabaseOf(server.dataDir, 'read');
    const run = await database.queries.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await start({ ...shard, attempt: 2 });
    const results = (await createSegmentStore(database.queries, { maxCachedBytes: 0 }).results([run])).get(id);
    await database.close();
    expect([run.result_count, results?.rows]).toEqual([1, 0]);
  });

  it('is counted once, as are its results', async () => {
    const countAll = async (): Promise<number[]> => {
      const text = await (await request(server, '/metrics')).text();
      return ['runs', 'results'].map((what) => Number(text.match(`assay_stored_${what}_total (\\d+)`)![1]));
    };
    const before = await countAll();
    const counted = async (): Promise<number[]> => (await countAll()).map((count, at) => count - before[at]!);
    const shop = { projectName: newName(), runKey: newName('key') };
    const testCases = [named('a'), named('b')];
    const shard = (index: number) => submission({ ...shop, shard: { index, total: 2 }, testCases });
    for (const index of [1, 2, 2, 1]) await server.client.submitRun({ body: shard(index) });
    expect(await counted()).toEqual([1, 4]);
    await server.client.submitRun({ body: submission({ testCases }) });
    expect(await counted()).toEqual([2, 6]);
  });

  it('may be one shard of a run, beside others that are sent at the same time', async () => {
    const shop = { projectName: newName(), runKey: newName('key') };
    const one = await start({ ...shop, shard: { index: 1, total: 3 }, startTime: minute(3), expectedTests: 3 });
    const two = await start({ ...shop, shard: { index: 2, total: 3 } });
    const id = one.testRunId;
    expect(two.testRunId).toBe(id);
    await add(id, two.part, 0, [named('2a')]);
    await add(id, one.part, 0, [named('1a', { duration: 40 })]);
    await add(id, two.part, 1, [named('2b')]);
    await add(id, one.part, 1, [richCase({ title: '1b' })]);
    const live = await readRun(id);
    expect(live.testCases.map(({ title }) => title)).toEqual(['1a', '1b', '2a', '2b']);
    expect(live).toMatchObject({ status: 'running', startTime: minute(0), expectedTests: 5, shards: { missing: [3] } });
    await finish(id, two.part, { duration: 10 });
    expect((await readRun(id)).shards!.parts.map(({ status }) => status)).toEqual(['running', 'passed']);
    await server.client.submitRun({
      body: submission({ ...shop, shard: { index: 3, total: 3 }, testCases: [named('3a')] }),
    });
    await finish(id, one.part, { status: 'failed', duration: 20 });
    const done = await readRun(id);
    expect(done).toMatchObject({ status: 'failed', duration: 1_200, totalTests: 5, shards: { missing: [] } });
    expect(done.testCases.slice(0, 4)).toEqual(live.testCases);
    for (const { id: caseId, title } of done.testCases) {
      expect(await server.client.getTestCase({ params: { id: caseId } })).toMatchObject({
        title,
        history: [{ id: caseId }],
      });
    }
    const late = await start({ ...shop, shard: { index: 2, total: 3 }, attempt: 2 });
    expect((await readRun(id)).testCases.map(({ title }) => title)).toEqual(['1a', '1b', '3a']);
    const early = await start({ ...shop, shard: { index: 2, total: 3 } });
    await expectError(
      await send(id, 'results', { part: early.part, batch: 0, testCases: [named('x')] }),
      409,
      'part_finished',
    );
    await add(id, late.part, 0, [named('2c')]);
    expect((await readRun(id)).testCases.map(({ title }) => title)).toEqual(['1a', '1b', '2c', '3a']);
  });

  it('tells whoever listens of its start, its results and its end', async () => {
    const events = await openEvents(server);
    await events.next();
    const { testRunId: id, projectId, part } = await start();
    const told = (kind: string) => ({ event: 'run', data: { kind, projectId, testRunId: id } });
    const next = () => nextOf(events, projectId);
    expect(await next()).toEqual(told('stored'));
    await add(id, part, 0, [named('a')]);
    expect(await next()).toEqual(told('changed'));
    await add(id, part, 1, []);
    await finish(id, part);
    expect(await next()).toEqual(told('changed'));
    events.close();
  });
});

describe('a run that has no ids left', () => {
  it('refuses what has no room, and says so', async () => {
    const shop = { projectName: newName(), runKey: newName('key') };
    const { testRunId: id, part } = await start({ ...shop, shard: { index: 1, total: 2 } });
    await add(id, part, 0, [named('a')]);
    await inDatabase(server.dataDir, 'UPDATE runs SET next_index = ? WHERE id = ?', MAX_RESULTS_PER_RUN - 1, id);
    const two = [named('b'), named('c')];
    const error = await expectError(await send(id, 'results', { part, batch: 1, testCases: two }), 409, 'run_full');
    expect(error.message).toContain('room for 1 more');
    const shard = submission({ ...shop, shard: { index: 2, total: 2 }, testCases: two });
    await expectError(await sendJson(server, 'POST', SUBMIT, shard), 409, 'run_full');
    expect((await readRun(id)).shards!.missing).toEqual([2]);
    expect(await add(id, part, 1, [named('b')])).toEqual({ success: true, nextBatch: 2 });
    expect((await readRun(id)).testCases.map(({ title }) => title)).toEqual(['a', 'b']);
  });
});

describe('bodies of a live run that are not right', () => {
  it.each([
    ['/startTime', { startTime: 'soon' }],
    ['/projectName', { projectName: ' ' }],
    ['/shard/index', { runKey: 'k', shard: { index: 2, total: 1 } }],
    ['/runKey', { shard: { index: 1, total: 1 } }],
    ['/runKey', {}],
    ['/runKey', { runKey: null }],
    ['/expectedTests', { expectedTests: -1 }],
    ['/attempt', { attempt: 1.5 }],
  ])('a start names %s', async (pointer, fields) => {
    const body = { projectName: newName(), startTime: minute(0), ...fields };
    await expectIssue(await sendJson(server, 'POST', '/api/test-runs/start', body), pointer);
  });

  it('a start without any key names both ways to give one, and stores nothing', async () => {
    const body = { projectName: newName(), startTime: minute(0) };
    const refused = await sendJson(server, 'POST', '/api/test-runs/start', body);
    const { message, issues } = await expectError(refused, 400, 'invalid_body');
    expect(issues).toEqual([{ path: '/runKey', message: expect.stringContaining('Idempotency-Key') }]);
    expect(message).toContain('runKey');
    const projects = await server.client.listProjects();
    expect(projects.map(({ name }) => name)).not.toContain(body.projectName);
    expect(await server.client.startRun({ body, headers: { 'idempotency-key': newName('key') } })).toMatchObject({
      outcome: 'stored',
    });
  });

  it.each([
    ['/part', { part: 0 }],
    ['/part', { part: undefined }],
    ['/batch', { batch: -1 }],
    ['/batch', { batch: '0' }],
    ['/testCases', { testCases: undefined }],
    ['/testCases', { testCases: {} }],
    ['/testCases', { testCases: null }],
    ['/testCases/1/title', { testCases: [testCase(), { ...testCase(), title: '' }] }],
  ])('a batch names %s', async (pointer, fields) => {
    const { testRunId, part } = await start();
    const body = { part, batch: 0, testCases: [], ...fields };
    await expectIssue(await sendJson(server, 'POST', `/api/test-runs/${testRunId}/results`, body), pointer);
    expect(await readRun(testRunId)).toMatchObject({ status: 'running', totalTests: 0 });
  });

  it.each([
    ['/status', { status: ' ' }],
    ['/status', { status: undefined }],
    ['/status', { status: 'running' }],
    ['/duration', { duration: -1 }],
    ['/totalTests', { totalTests: 'all' }],
  ])('a finish names %s', async (pointer, fields) => {
    const { testRunId, part } = await start();
    await expectIssue(await send(testRunId, 'finish', { part, status: 'passed', ...fields }), pointer);
    expect((await readRun(testRunId)).status).toBe('running');
  });

  it('are refused when they are no JSON or no object', async () => {
    const { testRunId } = await start();
    for (const path of [
      '/api/test-runs/start',
      `/api/test-runs/${testRunId}/results`,
      `/api/test-runs/${testRunId}/finish`,
    ]) {
      for (const body of ['', '{', '[]', 'null', '7', '"x"']) {
        const headers = { 'content-type': 'application/json' };
        await expectError(await request(server, path, { method: 'POST', headers, body }), 400, 'invalid_body');
      }
    }
  });
});
