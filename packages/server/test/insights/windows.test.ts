import { ApiError, type WindowQuery } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { inDatabase } from '../in-database.ts';
import { startTestServer, type TestServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await startTestServer({ answerCacheBytes: 0 })));
afterAll(() => server.stop());

interface Sent {
  readonly branch?: string;
  readonly status?: string;
  readonly title?: string;
  readonly retries?: number;
}

/** Runs of one test each, one a minute. */
const send = async (...runs: readonly Sent[]): Promise<{ id: number; runIds: number[] }> => {
  const projectName = newName();
  const runIds: number[] = [];
  let id = 0;
  for (const [at, { branch = null, status = 'passed', title = 'pays', retries = 0 }] of runs.entries()) {
    const testCases = [testCase({ title, status, retries })];
    const body = submission({ projectName, branch, status, startTime: minute(at), testCases });
    const reply = await server.client.submitRun({ body });
    runIds.push(reply.testRunId);
    id = reply.projectId;
  }
  return { id, runIds };
};

const times = (count: number, sent: Sent): Sent[] => Array.from({ length: count }, () => sent);

describe('the tests of a branch', () => {
  const figures = async (id: number, query: WindowQuery & { runs?: number }) =>
    (await server.client.listTests({ params: { id }, query })).map(({ title, totalRuns, failedRuns, lastStatus }) => ({
      title,
      totalRuns,
      failedRuns,
      lastStatus,
    }));

  it('are those of its runs, whatever happened on others', async () => {
    const { id } = await send(
      ...times(40, { branch: 'main' }),
      ...times(3, { branch: 'bot', status: 'failed' }),
      { branch: 'bot', title: 'only there' },
      {},
    );
    expect(await figures(id, { branch: 'main' })).toEqual([
      { title: 'pays', totalRuns: 40, failedRuns: 0, lastStatus: 'passed' },
    ]);
    expect(await figures(id, { branch: 'bot' })).toEqual([
      { title: 'only there', totalRuns: 1, failedRuns: 0, lastStatus: 'passed' },
      { title: 'pays', totalRuns: 3, failedRuns: 3, lastStatus: 'failed' },
    ]);
    expect((await figures(id, {}))[0]).toMatchObject({ title: 'pays', totalRuns: 44 });
  });

  it('of the days that are asked for: the first moment belongs to them, the last does not', async () => {
    const { id } = await send(...times(5, { branch: 'main' }), ...times(5, { branch: 'main', status: 'failed' }));
    const query = { branch: 'main', since: minute(3), until: minute(7) };
    expect(await figures(id, query)).toEqual([{ title: 'pays', totalRuns: 4, failedRuns: 2, lastStatus: 'failed' }]);
    expect(await server.client.getWindow({ params: { id }, query })).toMatchObject({
      runs: 4,
      results: 4,
      firstRun: { startTime: minute(3) },
      lastRun: { startTime: minute(6) },
      allRuns: 4,
    });
    expect(await figures(id, { since: minute(50) })).toEqual([]);
  });

  it('are the same when another branch became the default one, and its summaries are made', async () => {
    const { id } = await send(...times(20, { branch: 'main' }), ...times(20, { branch: 'next', status: 'failed' }));
    const read = () => figures(id, { branch: 'next' });
    const expected = [{ title: 'pays', totalRuns: 20, failedRuns: 20, lastStatus: 'failed' }];
    await server.client.updateProject({ params: { id }, body: { defaultBranch: 'next' } });
    expect(await read()).toEqual(expected);
    const kept = async () => {
      const statement = 'SELECT branch, span FROM branch_summaries WHERE project_id = ? ORDER BY 1, 2';
      return (await inDatabase(server.dataDir, statement, id)).map(
        ({ branch, span }) => `${String(branch)} ${String(span)}`,
      );
    };
    // The first 16 runs are all of main; the second 16 have four of it.
    await expect.poll(kept).toEqual(['main 0', 'main 1', 'next 1']);
    expect(await read()).toEqual(expected);
  });
});

it('a test is told of a branch as it is there, also when it never ran there', async () => {
  const { id, runIds } = await send(
    { branch: 'main' },
    { branch: 'bot', status: 'failed' },
    { branch: 'main', title: 'other' },
    { branch: 'bot' },
  );
  const [{ id: testId } = { id: 0 }] = await server.client.listTests({ params: { id }, query: { branch: 'bot' } });
  const read = (query: WindowQuery) => server.client.getTest({ params: { id: testId }, query });
  expect(await read({ branch: 'main' })).toMatchObject({
    totalRuns: 1,
    lastFailed: null,
    results: [{ testRunId: runIds[0] }],
  });
  expect(await read({ branch: 'bot' })).toMatchObject({
    totalRuns: 2,
    lastFailed: { testRunId: runIds[1] },
    firstSeen: { testRunId: runIds[1] },
  });
  expect(await read({ branch: 'nowhere' })).toMatchObject({ totalRuns: 0, results: [], firstSeen: null });
});

it('flaky and slow tests and trends are those of the branch', async () => {
  const { id, runIds } = await send({ branch: 'main' }, { branch: 'bot', retries: 1 });
  const params = { id };
  expect(await server.client.listFlakyTests({ params, query: { branch: 'main' } })).toEqual([]);
  expect(await server.client.listFlakyTests({ params, query: { branch: 'bot' } })).toHaveLength(1);
  expect(await server.client.listSlowTests({ params, query: { branch: 'main' } })).toMatchObject([{ runCount: 1 }]);
  const points = await server.client.getPerformance({ params, query: { branch: 'bot' } });
  expect(points.map((point) => point.id)).toEqual([runIds[1]]);
  const { testRuns } = await server.client.getProject({ params, query: { branch: 'main' } });
  expect(testRuns.map((run) => run.id)).toEqual([runIds[0]]);
});

it('branches are listed with their latest run, the default one first', async () => {
  const { id, runIds } = await send({ branch: 'main' }, { branch: 'Fix/Pay' }, {}, { branch: 'bot', status: 'failed' });
  const list = async (query: { q?: string; limit?: number } = {}) =>
    (await server.client.listBranches({ params: { id }, query })).map(({ name, isDefault, totalRuns, latestRun }) => [
      name,
      isDefault,
      totalRuns,
      latestRun.id,
    ]);
  expect(await list()).toEqual([
    ['main', true, 1, runIds[0]],
    ['bot', false, 1, runIds[3]],
    ['Fix/Pay', false, 1, runIds[1]],
  ]);
  expect(await list({ q: 'PAY' })).toEqual([['Fix/Pay', false, 1, runIds[1]]]);
  expect(await list({ limit: 1 })).toHaveLength(1);
  expect(await list({ q: '100 %' })).toEqual([]);
});

it('a time that is none is refused by its name', async () => {
  const { id } = await send({});
  for (const [name, value] of [
    ['since', 'yesterday'],
    ['until', '2026-02-30'],
    ['since', '-7d'],
  ] as const) {
    const refused = await server.client.listFlakyTests({ params: { id }, query: { [name]: value } }).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_query', issues: [{ path: `/${name}` }] } });
  }
});
