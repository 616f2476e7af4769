import { randomBytes } from 'node:crypto';
import type { Submission } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { ON_POSTGRES, sharedServer, startTestServer, type TestServer } from '../server.ts';
import { minute, newName, richCase, submission, testCase } from './build.ts';
import { expectError, request } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const storeRuns = async (...runs: Partial<Submission>[]): Promise<{ projectId: number; runIds: number[] }> => {
  const projectName = newName();
  const runIds: number[] = [];
  let projectId = 0;
  for (const [index, run] of runs.entries()) {
    const body = submission({ projectName, startTime: minute(index), ...run });
    const answer = await server.client.submitRun({ body });
    runIds.push(answer.testRunId);
    projectId = answer.projectId;
  }
  return { projectId, runIds };
};

const remove = (id: number): Promise<Response> => request(server, `/api/test-runs/${id}`, { method: 'DELETE' });

const caseIdOf = async (runId: number): Promise<number> =>
  (await server.client.getRun({ params: { id: runId } })).testCases[0]!.id;

describe('deleting a run', () => {
  it('answers success', async () => {
    const { runIds } = await storeRuns({});
    const response = await remove(runIds[0]!);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: true });
  });

  it('makes the run, its requests and its cases 404, and the second deletion too', async () => {
    const { runIds } = await storeRuns({ testCases: [richCase()] });
    const id = runIds[0]!;
    const caseId = await caseIdOf(id);
    await remove(id);
    await expectError(await request(server, `/api/test-runs/${id}`), 404, 'run_not_found');
    await expectError(await request(server, `/api/test-runs/${id}/network-requests`), 404, 'run_not_found');
    await expectError(await request(server, `/api/test-cases/${caseId}`), 404, 'test_case_not_found');
    await expectError(await remove(id), 404, 'run_not_found');
  });

  it('takes the run out of its project and makes the one before it the latest', async () => {
    const { projectId: id, runIds } = await storeRuns({}, {}, {});
    await remove(runIds[2]!);
    const project = await server.client.getProject({ params: { id } });
    expect(project).toMatchObject({ totalRuns: 2, latestRun: { id: runIds[1] } });
    expect(project.testRuns.map((run) => run.id)).toEqual([runIds[1], runIds[0]]);
    const listed = (await server.client.listProjects()).find((entry) => entry.id === id);
    expect(listed).toMatchObject({ totalRuns: 2, latestRun: { id: runIds[1] } });
  });

  it('takes the run out of the trend', async () => {
    const { projectId: id, runIds } = await storeRuns({}, {}, {});
    await remove(runIds[1]!);
    const points = await server.client.getPerformance({ params: { id } });
    expect(points.map((point) => point.id)).toEqual([runIds[0], runIds[2]]);
  });

  it('takes the results out of the figures of their tests', async () => {
    const { projectId: id, runIds } = await storeRuns(
      { testCases: [testCase({ status: 'passed', retries: 1, duration: 100 })] },
      { testCases: [testCase({ status: 'failed', duration: 300 })] },
    );
    await remove(runIds[1]!);
    expect(await server.client.listTests({ params: { id } })).toMatchObject([
      {
        totalRuns: 1,
        passedRuns: 1,
        failedRuns: 0,
        flakyRuns: 1,
        avgDuration: 100,
        lastRun: minute(0),
        lastStatus: 'passed',
      },
    ]);
    expect(await server.client.listSlowTests({ params: { id } })).toMatchObject([
      { runCount: 1, durations: [100], maxDuration: 100, latestDuration: 100 },
    ]);
  });

  it('lets a test without results vanish', async () => {
    const { projectId: id, runIds } = await storeRuns(
      { testCases: [testCase({ title: 'stays' })] },
      { testCases: [testCase({ title: 'stays' }), testCase({ title: 'goes' })] },
    );
    expect((await server.client.getProject({ params: { id } })).totalTestCases).toBe(2);
    await remove(runIds[1]!);
    expect((await server.client.listTests({ params: { id } })).map((test) => test.title)).toEqual(['stays']);
    expect((await server.client.listSlowTests({ params: { id } })).map((test) => test.title)).toEqual(['stays']);
    expect((await server.client.getProject({ params: { id } })).totalTestCases).toBe(1);
  });

  it('takes the result out of the history of the other runs', async () => {
    const { runIds } = await storeRuns({}, {}, {});
    const caseIds = await Promise.all(runIds.map(caseIdOf));
    await remove(runIds[1]!);
    const { history } = await server.client.getTestCase({ params: { id: caseIds[0]! } });
    expect(history.map((result) => result.id)).toEqual([caseIds[2], caseIds[0]]);
  });

  it('keeps a project without runs, with no latest run', async () => {
    const { projectId: id, runIds } = await storeRuns({});
    await remove(runIds[0]!);
    const empty = { id, totalRuns: 0, totalTestCases: 0, latestRun: null };
    expect(await server.client.getProject({ params: { id } })).toMatchObject({ ...empty, testRuns: [] });
    expect((await server.client.listProjects()).find((project) => project.id === id)).toMatchObject(empty);
    expect(await server.client.getPerformance({ params: { id } })).toEqual([]);
    expect(await server.client.listSlowTests({ params: { id } })).toEqual([]);
    expect(await server.client.listTests({ params: { id } })).toEqual([]);
  });

  it('lets the project take new runs afterwards', async () => {
    const projectName = newName();
    const first = await server.client.submitRun({ body: submission({ projectName }) });
    await remove(first.testRunId);
    const second = await server.client.submitRun({ body: submission({ projectName }) });
    expect(second.projectId).toBe(first.projectId);
    expect(second.testRunId).not.toBe(first.testRunId);
    await expectError(await request(server, `/api/test-runs/${first.testRunId}`), 404, 'run_not_found');
  });

  it('leaves other runs and projects alone', async () => {
    const mine = await storeRuns({}, {});
    const other = await storeRuns({}, {});
    const before = await server.client.getProject({ params: { id: other.projectId } });
    await remove(mine.runIds[0]!);
    expect(await server.client.getProject({ params: { id: other.projectId } })).toEqual(before);
  });

  it('at the same moment twice succeeds once', async () => {
    const { runIds } = await storeRuns({});
    const answers = await Promise.all([remove(runIds[0]!), remove(runIds[0]!)]);
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });
});

describe('the disk space of a deleted run', () => {
  it.skipIf(ON_POSTGRES)('is really given back', async () => {
    await using fresh = await startTestServer({ maxBodyBytes: 64 * 1024 * 1024 });
    const sizeOf = async () => (await fresh.client.getStats()).storageSizeOnDisk;
    await fresh.client.submitRun({ body: submission() });
    const before = await sizeOf();
    const testCases = Array.from({ length: 2_000 }, (_, index) =>
      testCase({ title: `case ${index}`, status: 'failed', error: randomBytes(2_000).toString('hex') }),
    );
    const { testRunId } = await fresh.client.submitRun({ body: submission({ testCases }) });
    const full = await sizeOf();
    expect(full - before).toBeGreaterThan(2_000_000);
    await fresh.client.deleteRun({ params: { id: testRunId } });
    await expect.poll(sizeOf, { interval: 250 }).toBeLessThan(before + (full - before) / 2);
  });
});
