import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ON_POSTGRES, startTestServer, type TestServer } from '../server.ts';
import { daysAgo, submission, testCase } from './build.ts';
import { HUGE, expectError, expectIssue, readJson, request, sendJson } from './wire.ts';

const STATS = '/api/admin/stats';
const CLEANUP = '/api/admin/cleanup';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer({ maxBodyBytes: 64 * 1024 * 1024 })));
afterAll(() => server.stop());
/** Every test begins with an empty service. */
afterEach(async () => {
  for (const { id } of await server.client.listProjects()) await server.client.deleteProject({ params: { id } });
});

const submit = async (projectName: string, days: number, ...titles: string[]): Promise<number> => {
  const testCases = titles.map((title) => testCase({ title }));
  const body = submission({ projectName, startTime: daysAgo(days), testCases });
  return (await server.client.submitRun({ body })).testRunId;
};

describe('storage statistics', () => {
  it('are zero for an empty service', async () => {
    expect(await readJson(server, STATS)).toMatchObject({
      totalProjects: 0,
      totalRuns: 0,
      totalTestCases: 0,
      totalRunsCases: 0,
      totalTraces: 0,
      totalReports: 0,
      reportSizeFromDb: 0,
    });
  });

  it('count projects, runs, tests and the cases that were stored, and give sizes in bytes as integers', async () => {
    await submit('one', 1, 'a', 'b');
    await submit('one', 2, 'a', 'b', 'c');
    const last = await submit('two', 3, 'a');
    const totals = { totalProjects: 2, totalRuns: 3, totalTestCases: 4, totalRunsCases: 6 };
    expect(await server.client.getStats()).toMatchObject({ ...totals, totalTraces: 0, totalReports: 0 });
    await server.client.deleteRun({ params: { id: last } });
    const stats = await server.client.getStats();
    expect(stats).toMatchObject({ totalRuns: 2, totalTestCases: 3, totalRunsCases: 5 });
    for (const size of [stats.reportSizeFromDb, stats.storageSizeOnDisk, stats.databaseSizeOnDisk]) {
      expect(Number.isInteger(size)).toBe(true);
    }
    expect(stats.storageSizeOnDisk).toBeGreaterThan(0);
    expect(stats.databaseSizeOnDisk).toBeGreaterThan(0);
    await server.client.submitRun({ body: submission({ totalTests: 500, passedTests: 500 }) });
    expect(await server.client.getStats()).toMatchObject({ totalTestCases: 4, totalRunsCases: 6 });
  });
});

describe('cleanup', () => {
  it('deletes the runs that started before, in every project, and keeps the others', async () => {
    const old = [await submit('one', 40, 'a', 'gone'), await submit('two', 31, 'a')];
    const young = [await submit('one', 29, 'a'), await submit('two', 0, 'a')];
    const response = await sendJson(server, 'DELETE', CLEANUP, { olderThanDays: 30 });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: true, deletedRuns: 2 });
    for (const id of old) await expectError(await request(server, `/api/test-runs/${id}`), 404, 'run_not_found');
    for (const id of young) expect((await request(server, `/api/test-runs/${id}`)).status).toBe(200);
    expect(await server.client.getStats()).toMatchObject({ totalRuns: 2, totalTestCases: 2, totalRunsCases: 2 });
    for (const project of await server.client.listProjects()) {
      expect(project).toMatchObject({ totalRuns: 1, totalTestCases: 1 });
      const tests = await server.client.listTests({ params: { id: project.id } });
      expect(tests).toMatchObject([{ title: 'a', totalRuns: 1 }]);
    }
  });

  it('goes by the start of a run, not by the time of its submission', async () => {
    await submit('late', 2, 'a');
    expect(await server.client.cleanUp({ body: { olderThanDays: 1 } })).toMatchObject({ deletedRuns: 1 });
    expect((await server.client.getStats()).totalRuns).toBe(0);
  });

  it('deletes nothing when nothing is old enough, and can be repeated', async () => {
    await submit('one', 5, 'a');
    expect(await server.client.cleanUp({ body: { olderThanDays: 6 } })).toMatchObject({
      success: true,
      deletedRuns: 0,
    });
    expect(await server.client.cleanUp({ body: { olderThanDays: 4 } })).toMatchObject({ deletedRuns: 1 });
    expect(await server.client.cleanUp({ body: { olderThanDays: 4 } })).toMatchObject({ deletedRuns: 0 });
  });

  it.skipIf(ON_POSTGRES)('says how many bytes it freed', async () => {
    const testCases = Array.from({ length: 2_000 }, (_, index) =>
      testCase({ title: `case ${index}`, status: 'failed', error: randomBytes(2_000).toString('hex') }),
    );
    await server.client.submitRun({ body: submission({ startTime: daysAgo(10), testCases }) });
    const { freedBytes } = await server.client.cleanUp({ body: { olderThanDays: 1 } });
    expect(Number.isInteger(freedBytes)).toBe(true);
    expect(freedBytes).toBeGreaterThan(1_000_000);
  });

  it('refuses a number of days that is no integer of at least 1, and deletes nothing', async () => {
    await submit('one', 1_000, 'a');
    for (const olderThanDays of [undefined, null, 0, -1, 1.5, '30', '', true, [], {}, HUGE]) {
      await expectIssue(await sendJson(server, 'DELETE', CLEANUP, { olderThanDays }), '/olderThanDays');
    }
    expect((await server.client.getStats()).totalRuns).toBe(1);
  });

  it('needs a body', async () => {
    await submit('one', 1_000, 'a');
    const response = await request(server, CLEANUP, { method: 'DELETE' });
    expect([400, 415]).toContain(response.status);
    await expectError(response, response.status);
    expect((await server.client.getStats()).totalRuns).toBe(1);
  });
});
