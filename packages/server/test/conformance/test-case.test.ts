import type { SubmittedCase, TestCaseDetails } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { minute, newName, richCase, submission, testCase } from './build.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const submit = async (
  projectName: string,
  at: number,
  fields: Partial<SubmittedCase> = {},
): Promise<TestCaseDetails> => {
  const body = submission({ projectName, startTime: minute(at), testCases: [testCase(fields)] });
  const { testRunId } = await server.client.submitRun({ body });
  const run = await server.client.getRun({ params: { id: testRunId } });
  return server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
};

describe('a test case', () => {
  it('has its fields, its details and the run with the project it belongs to', async () => {
    const projectName = newName();
    const details = await submit(projectName, 3, richCase());
    expect(details).toMatchObject({
      title: 'pays with a card',
      status: 'failed',
      duration: 812.5,
      location: 'tests/checkout/pay.spec.ts:12:7',
      error: richCase().error,
      retries: 2,
      slowestStep: 'pay',
      traces: [],
      attachments: [],
      testRun: { status: 'passed', startTime: minute(3), project: { name: projectName } },
    });
    for (const name of ['steps', 'networkRequests', 'webVitals', 'history']) expect(details).toHaveProperty(name);
  });

  it('has the same fields as in its run', async () => {
    const { id, testRun } = await submit(newName(), 0, richCase());
    const run = await server.client.getRun({ params: { id: testRun.id } });
    const found = run.testCases.find((testCase) => testCase.id === id);
    expect(await server.client.getTestCase({ params: { id } })).toMatchObject(found!);
  });
});

describe('the history of a test case', () => {
  it('holds the result itself when there is no other', async () => {
    const details = await submit(newName(), 0, { status: 'failed', error: 'Boom', retries: 1 });
    expect(details.history).toMatchObject([
      {
        id: details.id,
        testRunId: details.testRun.id,
        startTime: minute(0),
        status: 'failed',
        duration: 100,
        retries: 1,
        flaky: false,
        error: 'Boom',
      },
    ]);
  });

  it('is the latest 30 results, newest first, from whichever run it is read', async () => {
    const projectName = newName();
    const ids: number[] = [];
    for (let index = 0; index < 32; index++) ids.push((await submit(projectName, index, { duration: index })).id);
    const expected = ids.toReversed().slice(0, 30);
    for (const id of [ids[0]!, ids[15]!, ids[31]!]) {
      const { history } = await server.client.getTestCase({ params: { id } });
      expect(history.map((result) => result.id)).toEqual(expected);
    }
    const { history } = await server.client.getTestCase({ params: { id: ids[0]! } });
    expect(history[0]).toMatchObject({ startTime: minute(31), duration: 31 });
    expect(history[29]).toMatchObject({ startTime: minute(2), duration: 2 });
  });

  it('is ordered by the start of the runs, and by id at the same instant', async () => {
    const projectName = newName();
    const ids: number[] = [];
    for (const at of [5, 1, 5, 3]) ids.push((await submit(projectName, at)).id);
    const { history } = await server.client.getTestCase({ params: { id: ids[0]! } });
    expect(history.map((result) => result.id)).toEqual([ids[2], ids[0], ids[3], ids[1]]);
  });

  it('belongs to one test: not to another title, file, browser or project', async () => {
    const projectName = newName();
    const first = await submit(projectName, 0, { browser: 'chromium' });
    await submit(projectName, 1, { browser: 'chromium', title: 'other' });
    await submit(projectName, 2, { browser: 'chromium', location: 'other.ts:3:5' });
    await submit(projectName, 3, { browser: 'firefox' });
    await submit(projectName, 4);
    await submit(newName(), 5, { browser: 'chromium' });
    const last = await submit(projectName, 6, { browser: 'chromium', location: 'tests/a.spec.ts:99:1' });
    expect(last.history.map((result) => result.id)).toEqual([last.id, first.id]);
  });

  it('says which results were flaky', async () => {
    const projectName = newName();
    await submit(projectName, 0, { retries: 1 });
    await submit(projectName, 1, { retries: 1, status: 'failed' });
    const { history } = await submit(projectName, 2, { retries: 0 });
    expect(history.map((result) => result.flaky)).toEqual([false, false, true]);
  });

  it('carries branch and commit of the run', async () => {
    const { testRunId } = await server.client.submitRun({ body: submission({ branch: 'main', commit: 'abc' }) });
    const run = await server.client.getRun({ params: { id: testRunId } });
    const details = await server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
    expect(details.history).toMatchObject([{ branch: 'main', commit: 'abc' }]);
  });
});
