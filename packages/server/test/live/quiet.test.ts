import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SubmittedCase } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectOwners } from '../../src/features/owners/project-owners.ts';
import { writeRun } from '../../src/features/runs/run-json.ts';
import { createTestCatalogue } from '../../src/history/test-catalogue.ts';
import { createSegmentStore } from '../../src/segments/store.ts';
import { minute, newName, richCase, submission, testCase } from '../conformance/build.ts';
import { openEvents } from '../events/read-events.ts';
import { BOUNDARY, encodeForm, file, formHeaders, text } from '../files/form.ts';
import { inDatabase, openDatabaseOf } from '../in-database.ts';
import { type Folder, newFolder, until } from '../robustness/service-process.ts';
import { startTestServer, type TestServer } from '../server.ts';

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

/** How many blocks and chunks of details a run is stored in, and whether it is finalized. */
const storedAs = async ({ dataDir }: Pick<TestServer, 'dataDir'>, runId: number) => {
  const [stored] = await inDatabase(
    dataDir,
    `SELECT sequence,
       (SELECT count(*) FROM segments WHERE run_id = runs.id) AS blocks,
       (SELECT count(*) FROM details WHERE id / 1048576 = runs.id) AS details
     FROM runs WHERE id = ?`,
    runId,
  );
  const { sequence, blocks, details } = stored as { sequence: number; blocks: number; details: number };
  return { blocks, details, finalized: sequence >= 0 };
};
const isFinalized = async (server: TestServer, runId: number): Promise<boolean> =>
  (await storedAs(server, runId)).finalized;

/** Long enough that a machine that is slow for a moment does not make a sender quiet. */
const QUIET_MS = 1_500;
/** Of a sender that goes on. */
const BEAT_MS = 100;

describe('silence while the service was down', () => {
  const MINUTE_MS = 60_000;
  let folder: Folder;
  let server: TestServer;
  beforeAll(async () => {
    folder = newFolder();
    server = await startTestServer({ dataDir: folder.path });
  });
  afterAll(async () => {
    await server.stop();
    folder[Symbol.dispose]();
  });
  /** As if all parts had been silent for so long before it started. */
  const restart = async (silentMs: number, runQuietMs: number): Promise<void> => {
    await server.stop();
    await inDatabase(folder.path, `UPDATE parts SET heartbeat_at = heartbeat_at - ${silentMs}`);
    server = await startTestServer({ dataDir: folder.path, runQuietMs });
  };

  it('does not count: a sender has the whole quiet time to be heard of again', async () => {
    const { testRunId: id, projectId } = await start(server);
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    try {
      await restart(20 * MINUTE_MS, 10 * MINUTE_MS);
      const statusAfter = async (passedMs: number): Promise<string> => {
        await vi.advanceTimersByTimeAsync(passedMs);
        // The writing thread does this after what the check has asked it for.
        await server.client.updateProject({ params: { id: projectId }, body: { label: `after ${passedMs}` } });
        return statusOf(server, id);
      };
      expect(await statusAfter(9 * MINUTE_MS)).toBe('running');
      expect(await statusAfter(2 * MINUTE_MS)).toBe('interrupted');
    } finally {
      vi.useRealTimers();
    }
  });

  it('closes a run after the start whose sender vanished, and none that is heard of', async () => {
    const vanished = await start(server);
    const resumed = await start(server);
    await add(server, vanished.testRunId, vanished.part, 0, testCase());
    await restart(60 * MINUTE_MS, QUIET_MS);
    const events = await openEvents(server);
    await events.next();
    expect(await statusOf(server, resumed.testRunId)).toBe('running');
    const beats = setInterval(
      () => void add(server, resumed.testRunId, resumed.part, 0).catch(() => undefined),
      BEAT_MS,
    );
    await untilStatus(server, vanished.testRunId, 'interrupted');
    clearInterval(beats);
    await add(server, resumed.testRunId, resumed.part, 0, testCase());
    expect(await statusOf(server, resumed.testRunId)).toBe('running');
    // Closing it and opening it again would each have been told before the batch is.
    const told: unknown[] = [];
    for (;;) {
      const event = await events.next();
      told.push((event?.data as { testRunId: number } | undefined)?.testRunId);
      if (event === null || told.at(-1) === resumed.testRunId) break;
    }
    events.close();
    expect(told).toEqual([vanished.testRunId, resumed.testRunId]);
  });
});

/** Sends the beginning of a form with files, and what it is given after that. */
const beginFiles = (server: TestServer, id: number, part: number) => {
  const form = encodeForm([text('part', String(part)), file('report_html', '')]);
  const { hostname, port } = new URL(server.url);
  const path = `/api/test-runs/${id}/files`;
  const sender = request({ hostname, port, path, method: 'POST', headers: formHeaders(), agent: false });
  const answered = new Promise<number>((resolve, reject) => {
    sender.on('response', (response) => resolve(response.resume().statusCode!)).on('error', reject);
  });
  const end = form.lastIndexOf(`\r\n--${BOUNDARY}--`);
  sender.write(form.subarray(0, end));
  return { answered, write: (bytes: string) => sender.write(bytes), end: () => sender.end(form.subarray(end)), sender };
};

describe.concurrent('a sender that falls silent', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startTestServer({ runQuietMs: QUIET_MS })));
  afterAll(() => server.stop());

  it('a run that nothing more is heard of is closed as interrupted, and whatever comes late still joins', async () => {
    const projectName = newName();
    const key = randomUUID();
    const { testRunId: id, part } = await start(server, { projectName }, key);
    await add(server, id, part, 0, testCase({ title: 'a' }));
    await untilStatus(server, id, 'interrupted');
    await until('it is finalized', () => isFinalized(server, id));

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

  it('a batch that was stored before is news of its sender', async () => {
    const { testRunId: id, part } = await start(server);
    await add(server, id, part, 0, testCase());
    await untilStatus(server, id, 'interrupted');
    expect(await add(server, id, part, 0, testCase())).toEqual({ success: true, nextBatch: 1 });
    expect(await server.client.getRun({ params: { id } })).toMatchObject({ status: 'running', totalTests: 1 });
  });

  it('a part does not go quiet while files for it are on their way', async () => {
    const sent = await start(server);
    const silent = await start(server);
    const { answered, write, end } = beginFiles(server, sent.testRunId, sent.part);
    const seen = new Set<string>();
    while ((await statusOf(server, silent.testRunId)) === 'running') {
      write('a few more bytes');
      seen.add(await statusOf(server, sent.testRunId));
      await delay(BEAT_MS);
    }
    seen.add(await statusOf(server, sent.testRunId));
    end();
    expect(await answered).toBe(200);
    expect([...seen]).toEqual(['running']);
  });
});

describe('a run that is finished', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startTestServer({ segmentCacheBytes: 0, answerCacheBytes: 0 })));
  afterAll(() => server.stop());

  it('files for a part that takes none are refused before they have been sent', async () => {
    const { testRunId: id, part } = await start(server);
    await server.client.finishRun({ params: { id }, body: { part, status: 'passed' } });
    for (const [run, status] of [
      [id, 409],
      [id + 1, 404],
    ] as const) {
      const { answered, sender } = beginFiles(server, run, part);
      expect(await answered).toBe(status);
      sender.destroy();
    }
  });

  it('the many blocks of a run become one for each part when it is finished, and nothing else changes', async () => {
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
    expect(await storedAs(server, id)).toEqual({ blocks: 12, details: 12, finalized: false });
    await server.client.finishRun({ params: { id }, body: { part: one.part, status: 'passed' } });
    await server.client.finishRun({ params: { id }, body: { part: two.part, status: 'passed' } });
    await until('it is finalized', () => isFinalized(server, id));
    expect(await storedAs(server, id)).toMatchObject({ blocks: 2 });
    expect((await storedAs(server, id)).details).toBeLessThan(12);
    expect(await read()).toEqual(before);
  });

  it('an answer that is being written while its run is finalized has all details', async () => {
    const { testRunId: id, part } = await start(server);
    for (let batch = 0; batch < 30; batch++) {
      const cases = Array.from({ length: 10 }, (_, nth) => richCase({ title: `test ${batch} ${nth}` }));
      await add(server, id, part, batch, ...cases);
    }
    const { testCases, ...head } = await server.client.getRun({ params: { id } });
    const database = await openDatabaseOf(server.dataDir, 'read');
    const { queries } = database;
    const run = await queries.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const results = (await createSegmentStore(queries, { maxCachedBytes: 0 }).results([run])).get(id)!;
    const damage = {
      report: (_: number, error: Error): void => {
        throw error;
      },
    };
    const context = {
      queries,
      tests: createTestCatalogue(queries, 1e6),
      damage,
      owners: createProjectOwners(queries),
    };
    const writing = writeRun(context, head, results, { from: 0, to: results.rows, withDetails: true });
    let json = '';
    while (!json.includes('"testCases":[{')) json += (await writing.next()).value;
    await server.client.finishRun({ params: { id }, body: { part, status: 'passed' } });
    await until('it is finalized', () => isFinalized(server, id));
    expect((await storedAs(server, id)).details).toBeLessThan(30);
    for await (const piece of writing) json += piece;
    await database.close();
    const written = JSON.parse(json) as { testCases: unknown };
    expect(written.testCases).toEqual(testCases);
  });
});
