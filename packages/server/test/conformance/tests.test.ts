import type { Submission, SubmittedCase, Test } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';
import { readJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const storeRuns = async (...runs: Partial<Submission>[]): Promise<number> => {
  const projectName = newName();
  let id = 0;
  for (const [index, run] of runs.entries()) {
    const body = submission({ projectName, startTime: minute(index), ...run });
    id = (await server.client.submitRun({ body })).projectId;
  }
  return id;
};

const listTests = (id: number): Promise<Test[]> => server.client.listTests({ params: { id } });

const only = (fields: Partial<SubmittedCase> = {}): Partial<Submission> => ({ testCases: [testCase(fields)] });

describe('the identity of a test', () => {
  it('is its file, title and browser: in two runs it is one test', async () => {
    const id = await storeRuns(only({ browser: 'chromium' }), only({ browser: 'chromium' }));
    expect(await listTests(id)).toMatchObject([{ filePath: 'tests/a.spec.ts', title: 'works', totalRuns: 2 }]);
  });

  it('does not change when the test moves inside its file', async () => {
    const id = await storeRuns(
      only({ location: 'a.ts:3:5' }),
      only({ location: 'a.ts:90:1' }),
      only({ location: 'a.ts' }),
    );
    expect(await listTests(id)).toMatchObject([{ filePath: 'a.ts', totalRuns: 3 }]);
  });

  it('does not change with the slashes of the path', async () => {
    const id = await storeRuns(only({ location: 'tests\\a.ts:3:5' }), only({ location: 'tests/a.ts:3:5' }));
    expect(await listTests(id)).toMatchObject([{ filePath: 'tests/a.ts', totalRuns: 2 }]);
  });

  it('is another one in another file, and with another title', async () => {
    const id = await storeRuns(
      only({ location: 'a.ts:1:1' }),
      only({ location: 'b.ts:1:1' }),
      only({ title: 'Works' }),
    );
    expect(await listTests(id)).toHaveLength(3);
  });

  it('is another one in another browser, and in none', async () => {
    const run = { testCases: [testCase({ browser: 'chromium' }), testCase({ browser: 'firefox' }), testCase()] };
    const id = await storeRuns(run, run);
    const tests = await listTests(id);
    expect(tests.map((test) => test.browser).sort()).toEqual(['chromium', 'firefox', null]);
    expect(tests.map((test) => test.totalRuns)).toEqual([2, 2, 2]);
  });

  it('does not mix file and title', async () => {
    const run = { testCases: [testCase({ location: 'a', title: 'b c' }), testCase({ location: 'a b', title: 'c' })] };
    expect(await listTests(await storeRuns(run))).toHaveLength(2);
  });

  it('is another one in another project', async () => {
    const [first] = await listTests(await storeRuns(only()));
    const [second] = await listTests(await storeRuns(only()));
    expect(second?.id).not.toBe(first?.id);
    expect([first?.totalRuns, second?.totalRuns]).toEqual([1, 1]);
  });

  it('is named by the cases of every run', async () => {
    const id = await storeRuns(only(), only());
    const [test] = await listTests(id);
    const { testRuns } = await server.client.getProject({ params: { id } });
    const runs = await Promise.all(testRuns.map((run) => server.client.getRun({ params: { id: run.id } })));
    expect(runs.map((run) => run.testCases[0]?.testId)).toEqual([test?.id, test?.id]);
  });

  it('lets a run hold several results of one test', async () => {
    const id = await storeRuns({ testCases: [testCase({ duration: 1 }), testCase({ duration: 2 })] });
    expect(await listTests(id)).toHaveLength(1);
    const { testRuns } = await server.client.getProject({ params: { id } });
    const run = await server.client.getRun({ params: { id: testRuns[0]!.id } });
    expect(run.testCases.map((testCase) => testCase.duration).sort()).toEqual([1, 2]);
  });
});

describe('the figures of a test', () => {
  it('count its results by status', async () => {
    const statuses = ['passed', 'passed', 'passed', 'failed', 'failed', 'skipped'];
    const id = await storeRuns(...statuses.map((status) => only({ status })));
    expect(await listTests(id)).toMatchObject([
      { totalRuns: 6, passedRuns: 3, failedRuns: 2, skippedRuns: 1, flakyRuns: 0, lastStatus: 'skipped' },
    ]);
  });

  it('count a flaky result as flaky and as passed', async () => {
    const id = await storeRuns(only({ retries: 1 }), only({ retries: 0 }), only({ status: 'failed', retries: 2 }));
    expect(await listTests(id)).toMatchObject([{ totalRuns: 3, passedRuns: 2, failedRuns: 1, flakyRuns: 1 }]);
  });

  it('count timed out and interrupted results as failed, a status nobody knows only in the total', async () => {
    const id = await storeRuns(...['timedOut', 'interrupted', 'quarantined'].map((status) => only({ status })));
    expect(await listTests(id)).toMatchObject([{ totalRuns: 3, passedRuns: 0, failedRuns: 2, skippedRuns: 0 }]);
  });

  it('average the durations that are known', async () => {
    const id = await storeRuns(
      only({ duration: 100 }),
      only({ duration: undefined }),
      only({ duration: 201 }),
      only({ duration: 0 }),
    );
    expect(await listTests(id)).toMatchObject([{ totalRuns: 4, avgDuration: 100 }]);
  });

  it('have no average without any duration', async () => {
    expect(await listTests(await storeRuns(only({ duration: undefined })))).toMatchObject([{ avgDuration: null }]);
  });

  it('have the start and the status of the latest run', async () => {
    const id = await storeRuns(only({ status: 'failed' }), only({ status: 'passed' }));
    expect(await listTests(id)).toMatchObject([{ lastRun: minute(1), lastStatus: 'passed' }]);
  });

  it('do not take an older run that came later as the latest', async () => {
    const id = await storeRuns(
      { ...only({ status: 'failed' }), startTime: minute(50) },
      { ...only({ status: 'passed' }), startTime: minute(10) },
    );
    expect(await listTests(id)).toMatchObject([{ totalRuns: 2, lastRun: minute(50), lastStatus: 'failed' }]);
  });

  it('at the same instant take the run with the newest id as the latest', async () => {
    const startTime = minute(5);
    const id = await storeRuns(
      { ...only({ status: 'failed' }), startTime },
      { ...only({ status: 'skipped' }), startTime },
    );
    expect(await listTests(id)).toMatchObject([{ lastRun: startTime, lastStatus: 'skipped' }]);
  });
});

describe('the list of tests', () => {
  it('is an empty array when no run had a case', async () => {
    const id = await storeRuns({ testCases: [] });
    expect(await readJson(server, `/api/projects/${id}/test-cases`)).toEqual([]);
  });

  it('has the test that ran last first', async () => {
    const id = await storeRuns(only({ title: 'a' }), only({ title: 'b' }), only({ title: 'c' }), only({ title: 'a' }));
    expect((await listTests(id)).map((test) => test.title)).toEqual(['a', 'c', 'b']);
  });
});
