import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';
import { expectError, readJson, request } from './wire.ts';

const RUNS = 55;

let server: TestServer;
let projectId: number;
const runIds: number[] = [];
beforeAll(async () => {
  server = await sharedServer();
  const projectName = newName();
  for (let index = 0; index < RUNS; index++) {
    const body = submission({ projectName, startTime: minute(index), testCases: [] });
    const answer = await server.client.submitRun({ body });
    projectId = answer.projectId;
    runIds.push(answer.testRunId);
  }
});

const idsOf = async (query: string): Promise<number[]> => {
  const points = (await readJson(server, `/api/projects/${projectId}/performance${query}`)) as { id: number }[];
  return points.map((point) => point.id);
};

describe('how many runs the trend shows', () => {
  it('are the latest 50 by default, oldest first', async () => {
    expect(await idsOf('')).toEqual(runIds.slice(-50));
  });

  it.each([1, 2, 49, 50, 51])('are the latest %i when the limit says so', async (limit) => {
    expect(await idsOf(`?limit=${limit}`)).toEqual(runIds.slice(-limit));
  });

  it('are all when the limit is higher', async () => {
    expect(await idsOf('?limit=200')).toEqual(runIds);
  });

  it.each(['0', '-1', '201', '100000', 'abc', '1.5', 'NaN', 'Infinity', '10x'])('cannot be %s', async (limit) => {
    const response = await request(server, `/api/projects/${projectId}/performance?limit=${limit}`);
    const error = await expectError(response, 400, 'invalid_query');
    expect(JSON.stringify([error.message, error.issues])).toContain('limit');
  });
});

describe('a point of the trend', () => {
  it('has the figures of its run', async () => {
    const testCases = [
      testCase({ title: 'a', duration: 100, retries: 1 }),
      testCase({ title: 'b', duration: 300 }),
      testCase({ title: 'c', duration: undefined, status: 'failed' }),
    ];
    const run = { status: 'failed', duration: 900, commit: 'abc123', branch: 'main' };
    const body = submission({ ...run, testCases, startTime: '2026-03-01T10:00:00+02:00' });
    const { testRunId, projectId } = await server.client.submitRun({ body });
    expect(await server.client.getPerformance({ params: { id: projectId } })).toMatchObject([
      {
        ...run,
        id: testRunId,
        startTime: '2026-03-01T08:00:00.000Z',
        avgTestDuration: 200,
        p90TestDuration: 300,
        totalTests: 3,
        flakyTests: 1,
      },
    ]);
  });

  it('has null for what was not sent', async () => {
    const { projectId } = await server.client.submitRun({ body: submission({ duration: undefined, testCases: [] }) });
    expect(await server.client.getPerformance({ params: { id: projectId } })).toMatchObject([
      { duration: null, avgTestDuration: null, p90TestDuration: null, commit: null, branch: null, totalTests: 0 },
    ]);
  });

  it('stands by its start, and by its id at the same instant', async () => {
    const projectName = newName();
    const ids: number[] = [];
    let project = 0;
    for (const at of [5, 1, 5, 3]) {
      const answer = await server.client.submitRun({ body: submission({ projectName, startTime: minute(at) }) });
      ids.push(answer.testRunId);
      project = answer.projectId;
    }
    const points = await server.client.getPerformance({ params: { id: project } });
    expect(points.map((point) => point.id)).toEqual([ids[1], ids[3], ids[0], ids[2]]);
    const latest = await server.client.getPerformance({ params: { id: project }, query: { limit: 2 } });
    expect(latest.map((point) => point.id)).toEqual([ids[0], ids[2]]);
  });
});
