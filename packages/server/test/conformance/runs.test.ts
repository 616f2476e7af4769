import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { minute, newName, richCase, submission, testCase } from './build.ts';
import { expectError, readJson, request } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const DETAILS = ['steps', 'slowestStep', 'slowestStepDuration', 'networkRequests', 'webVitals'];

describe('a run', () => {
  it('has its fields, its project, its reports and its cases', async () => {
    const projectName = newName();
    const body = submission({
      projectName,
      status: 'failed',
      startTime: minute(7),
      duration: 4_321,
      branch: 'main',
      commit: '0123abc',
      testCases: [testCase({ title: 'a', retries: 1 }), testCase({ title: 'b', status: 'failed', error: 'Boom' })],
    });
    const { testRunId, projectId } = await server.client.submitRun({ body });
    const run = await server.client.getRun({ params: { id: testRunId } });
    expect(run).toMatchObject({
      id: testRunId,
      projectId,
      status: 'failed',
      startTime: minute(7),
      duration: 4_321,
      totalTests: 2,
      passedTests: 1,
      failedTests: 1,
      skippedTests: 0,
      flakyTests: 1,
      branch: 'main',
      commit: '0123abc',
      project: { id: projectId, name: projectName },
      reports: [],
    });
    const byTitle = new Map(run.testCases.map((testCase) => [testCase.title, testCase]));
    expect(byTitle.get('a')).toMatchObject({
      status: 'passed',
      duration: 100,
      retries: 1,
      location: 'tests/a.spec.ts:3:5',
    });
    expect(byTitle.get('b')).toMatchObject({
      status: 'failed',
      error: 'Boom',
      retries: 0,
      filePath: 'tests/a.spec.ts',
    });
  });

  it('answers the same in the runs of its project, but for its metadata', async () => {
    const { testRunId, projectId } = await server.client.submitRun({ body: submission() });
    const { project, testCases, metadata: _, ...fields } = await server.client.getRun({ params: { id: testRunId } });
    expect(project.id).toBe(projectId);
    expect(testCases).toHaveLength(1);
    expect((await server.client.getProject({ params: { id: projectId } })).testRuns).toMatchObject([fields]);
  });

  it('gives every case its own id, under which the case is found', async () => {
    const titles = ['a', 'b', 'c', 'd'];
    const body = submission({ testCases: titles.map((title) => testCase({ title })) });
    const { testRunId } = await server.client.submitRun({ body });
    const { testCases } = await server.client.getRun({ params: { id: testRunId } });
    expect(new Set(testCases.map((testCase) => testCase.id)).size).toBe(4);
    for (const { id, title } of testCases) {
      expect(await server.client.getTestCase({ params: { id } })).toMatchObject({
        id,
        title,
        testRun: { id: testRunId },
      });
    }
  });
});

describe('the details of the cases of a run', () => {
  let path: string;
  beforeAll(async () => {
    const { testRunId } = await server.client.submitRun({ body: submission({ testCases: [richCase(), testCase()] }) });
    path = `/api/test-runs/${testRunId}`;
  });

  const casesOf = async (query: string): Promise<Record<string, unknown>[]> =>
    ((await readJson(server, path + query)) as { testCases: Record<string, unknown>[] }).testCases;

  it.each(['', '?details=true'])('are there with the query "%s"', async (query) => {
    const cases = await casesOf(query);
    expect(cases).toHaveLength(2);
    for (const testCase of cases) for (const name of DETAILS) expect(testCase).toHaveProperty(name);
    const { steps, slowestStep, slowestStepDuration, networkRequests, webVitals } = richCase();
    expect(cases.find((testCase) => testCase['title'] === 'pays with a card')).toMatchObject({
      steps,
      slowestStep,
      slowestStepDuration,
      networkRequests,
      webVitals,
    });
  });

  it('are left out with details=false, and only they', async () => {
    const full = await casesOf('');
    const short = await casesOf('?details=false');
    expect(short.map((testCase) => testCase['id'])).toEqual(full.map((testCase) => testCase['id']));
    for (const [index, testCase] of short.entries()) {
      for (const name of DETAILS) expect(testCase).not.toHaveProperty(name);
      expect(full[index]).toMatchObject(testCase);
      for (const name of ['id', 'title', 'status', 'duration', 'location', 'error', 'retries']) {
        expect(testCase).toHaveProperty(name);
      }
    }
  });

  it('leave the fields of the run alone', async () => {
    const { testCases: _, ...short } = (await readJson(server, `${path}?details=false`)) as Record<string, unknown>;
    const { testCases: __, ...full } = (await readJson(server, path)) as Record<string, unknown>;
    expect(short).toEqual(full);
  });

  it('cannot be asked for with something else', async () => {
    await expectError(await request(server, `${path}?details=maybe`), 400, 'invalid_query');
  });
});
