import { beforeAll, describe, expect, it } from 'vitest';
import { file, json, runFields, text, uniqueBytes, upload } from '../files/form.ts';
import { expectNoFiles } from '../files/stored.ts';
import { emptyServer, type TestServer } from '../server.ts';
import { minute, runStart, submission, testCase } from './build.ts';

let server: TestServer;
beforeAll(async () => {
  server = await emptyServer();
});

const namesOf = async (): Promise<string[]> => (await server.client.listProjects()).map(({ name }) => name).sort();

describe('a deleted project', () => {
  it('is gone with all that it had, and nothing else is', async () => {
    const { client } = server;
    const other = await client.submitRun({ body: submission({ projectName: 'other' }) });
    for (let nth = 0; nth < 70; nth++) {
      const testCases = [testCase({ title: `only in ${nth}` }), testCase({ title: 'in all' })];
      await client.submitRun({ body: submission({ projectName: 'shop', startTime: minute(nth), testCases }) });
    }
    const shard = { projectName: 'shop', runKey: 'k', shard: { index: 1, total: 2 } };
    const { projectId, testRunId } = await client.submitRun({ body: submission(shard) });
    const { testRunId: running } = await client.startRun({ headers: {}, body: runStart({ projectName: 'shop' }) });
    await upload(server, [
      text('projectName', 'shop'),
      json('testRun', runFields()),
      json('testCases', [testCase()]),
      file('report_html', '<!doctype html><title>Report</title>'),
      file('trace_0', uniqueBytes()),
      file('attachment_0', uniqueBytes()),
    ]);
    const { testCases } = await client.getRun({ params: { id: testRunId } });
    const etag = (await fetch(`${server.url}/api/projects`)).headers.get('etag')!;

    expect(await client.deleteProject({ params: { id: projectId } })).toMatchObject({ success: true, deletedRuns: 73 });
    expect(await namesOf()).toEqual(['other']);
    const listed = await fetch(`${server.url}/api/projects`, { headers: { 'if-none-match': etag } });
    expect(listed.status).toBe(200);
    await expect(client.getProject({ params: { id: projectId } })).rejects.toMatchObject({ status: 404 });
    for (const id of [testRunId, running]) {
      await expect(client.getRun({ params: { id } })).rejects.toMatchObject({ status: 404 });
    }
    const { id, testId } = testCases[0]!;
    await expect(client.getTestCase({ params: { id } })).rejects.toMatchObject({ status: 404 });
    await expect(client.getTest({ params: { id: testId } })).rejects.toMatchObject({ status: 404 });
    await expect(client.deleteProject({ params: { id: projectId } })).rejects.toMatchObject({ status: 404 });
    expect(await client.getStats()).toMatchObject({
      totalProjects: 1,
      totalRuns: 1,
      totalTestCases: 1,
      totalRunsCases: 1,
      totalReports: 0,
      totalTraces: 0,
      totalAttachments: 0,
    });
    await expectNoFiles(server.dataDir);
    expect(await client.getRun({ params: { id: other.testRunId } })).toMatchObject({ totalTests: 1 });

    const again = await client.submitRun({ body: submission({ ...shard, shard: { index: 2, total: 2 } }) });
    expect(again.projectId).not.toBe(projectId);
    const { testRuns } = await client.getProject({ params: { id: again.projectId } });
    expect(testRuns.map(({ shards }) => shards)).toMatchObject([{ total: 2, missing: [1] }]);
  });
});
