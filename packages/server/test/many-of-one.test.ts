import { aCase, aSubmission } from '@assay/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, startTestServer } from './server.ts';

const MANY = 200_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('more of one thing than a call can take arguments', () => {
  it('results of one test in a run have a history of the latest 30', async () => {
    const testCases = Array.from({ length: MANY }, () => ({ title: 'again', status: 'passed' }));
    const { testRunId } = await server.client.submitRun({ body: aSubmission({ projectName: 'again', testCases }) });
    const { testCases: page } = await server.client.getRun({ params: { id: testRunId }, query: { limit: 1 } });
    const { history } = await server.client.getTestCase({ params: { id: page[0]!.id } });
    const latest = Array.from({ length: 30 }, (_, index) => page[0]!.id + MANY - 1 - index);
    expect(history.map(({ id }) => id)).toEqual(latest);
  });

  it('requests of one case are stored and grouped', async () => {
    const request = { method: 'GET', url: 'https://a.test/b', status: 200 };
    const testCases = [aCase({ networkRequests: Array.from({ length: MANY }, () => request) })];
    const { testRunId: id } = await server.client.submitRun({ body: aSubmission({ projectName: 'asks', testCases }) });
    expect(await server.client.listRunRequests({ params: { id } })).toMatchObject([{ route: '/b', count: MANY }]);
  });
});
