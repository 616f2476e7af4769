import type { ProjectDetails } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyServer, sharedServer, type TestServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';
import { readJson } from './wire.ts';

describe('the project list', () => {
  it('is an empty array when there is no project, and has the newest activity first', async () => {
    const server = await emptyServer();
    expect(await readJson(server, '/api/projects')).toEqual([]);
    const submit = (projectName: string, at: number) =>
      server.client.submitRun({ body: submission({ projectName, startTime: minute(at) }) });
    await submit('a', 0);
    await submit('b', 1);
    await submit('c', 2);
    const names = async () => (await server.client.listProjects()).map((project) => project.name);
    expect(await names()).toEqual(['c', 'b', 'a']);
    await submit('a', 3);
    expect(await names()).toEqual(['a', 'c', 'b']);
    await submit('b', 4);
    expect(await names()).toEqual(['b', 'a', 'c']);
  });
});

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const storeRuns = async (...starts: string[]): Promise<{ projectId: number; runIds: number[] }> => {
  const projectName = newName();
  const runIds: number[] = [];
  let projectId = 0;
  for (const startTime of starts) {
    const answer = await server.client.submitRun({ body: submission({ projectName, startTime }) });
    runIds.push(answer.testRunId);
    projectId = answer.projectId;
  }
  return { projectId, runIds };
};

const getProject = (id: number): Promise<ProjectDetails> => server.client.getProject({ params: { id } });

describe('a project in the list', () => {
  it('has its fields and its latest run', async () => {
    const projectName = newName();
    const testCases = [testCase({ title: 'a', retries: 1 }), testCase({ title: 'b', status: 'failed' })];
    await server.client.submitRun({ body: submission({ projectName, startTime: minute(0) }) });
    const body = submission({ projectName, startTime: minute(1), status: 'failed', duration: 5, testCases });
    const { testRunId, projectId } = await server.client.submitRun({ body });
    const project = (await server.client.listProjects()).find(({ name }) => name === projectName);
    expect(project).toMatchObject({ id: projectId, label: null, description: null, totalRuns: 2, totalTestCases: 3 });
    expect(project?.latestRun).toMatchObject({
      id: testRunId,
      projectId,
      status: 'failed',
      startTime: minute(1),
      duration: 5,
      totalTests: 2,
      passedTests: 1,
      failedTests: 1,
      skippedTests: 0,
      flakyTests: 1,
      avgTestDuration: 100,
      p90TestDuration: 100,
    });
  });

  it('has the times at which it was made and changed', async () => {
    const before = Date.now();
    const { projectId } = await storeRuns(minute(0));
    const { createdAt, updatedAt } = await getProject(projectId);
    for (const time of [createdAt, updatedAt]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(time)).toBeGreaterThanOrEqual(before - 1_000);
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now() + 1_000);
    }
  });

  it('has the same fields as its details', async () => {
    const { projectId } = await storeRuns(minute(0), minute(1));
    const { testRuns, ...fields } = await getProject(projectId);
    expect(testRuns).toHaveLength(2);
    expect((await server.client.listProjects()).find((project) => project.id === projectId)).toMatchObject(fields);
  });

  it('counts a test once over all its runs', async () => {
    const { projectId } = await storeRuns(minute(0), minute(1), minute(2));
    expect(await getProject(projectId)).toMatchObject({ totalRuns: 3, totalTestCases: 1 });
  });
});

describe('the runs of a project', () => {
  it('are newest first by their start, not by their submission', async () => {
    const { projectId, runIds } = await storeRuns(minute(5), minute(9), minute(1), minute(7));
    const project = await getProject(projectId);
    expect(project.testRuns.map((run) => run.id)).toEqual([runIds[1], runIds[3], runIds[0], runIds[2]]);
    expect(project.latestRun?.id).toBe(runIds[1]);
    const listed = (await server.client.listProjects()).find(({ id }) => id === projectId);
    expect(listed?.latestRun?.id).toBe(runIds[1]);
  });

  it('are compared as instants, whatever their offset', async () => {
    const { projectId, runIds } = await storeRuns(
      '2026-03-01T10:00:00+05:00',
      '2026-03-01T08:00:00Z',
      '2026-03-01T01:00:00-09:00',
    );
    expect((await getProject(projectId)).testRuns.map((run) => run.id)).toEqual([runIds[2], runIds[1], runIds[0]]);
  });

  it('that started at the same instant have the newest id first', async () => {
    const { projectId, runIds } = await storeRuns(minute(3), minute(3), minute(3));
    const project = await getProject(projectId);
    expect(project.testRuns.map((run) => run.id)).toEqual(runIds.toReversed());
    expect(project.latestRun?.id).toBe(runIds[2]);
  });

  it('have their fields and their reports', async () => {
    const { projectId } = await storeRuns(minute(0));
    const { testRuns } = await getProject(projectId);
    expect(testRuns).toMatchObject([{ projectId, status: 'passed', startTime: minute(0), totalTests: 1, reports: [] }]);
  });

  it('carry branch and commit', async () => {
    const body = submission({ branch: 'feature/ü', commit: 'abc123' });
    const { projectId } = await server.client.submitRun({ body });
    expect((await getProject(projectId)).testRuns).toMatchObject([{ branch: 'feature/ü', commit: 'abc123' }]);
  });

  it('are those of this project only', async () => {
    const first = await storeRuns(minute(0), minute(1));
    const second = await storeRuns(minute(2));
    expect((await getProject(first.projectId)).testRuns.map((run) => run.id)).toEqual(first.runIds.toReversed());
    expect((await getProject(second.projectId)).testRuns.map((run) => run.id)).toEqual(second.runIds);
  });
});
