import type { RunDetails, Submission, SubmittedCase } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { submission, testCase } from './build.ts';
import { SUBMIT, sendJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const store = async (overrides: Partial<Submission>): Promise<RunDetails> => {
  const { testRunId } = await server.client.submitRun({ body: submission(overrides) });
  return server.client.getRun({ params: { id: testRunId } });
};

const cases = (...statuses: string[]): SubmittedCase[] =>
  statuses.map((status, index) => testCase({ title: `case ${index}`, status }));

const lasting = (...durations: (number | undefined)[]): SubmittedCase[] =>
  durations.map((duration, index) => testCase({ title: `case ${index}`, duration }));

describe('counts', () => {
  it('come from the cases when they are absent', async () => {
    const testCases = cases('passed', 'passed', 'failed', 'skipped', 'passed');
    expect(await store({ testCases })).toMatchObject({
      totalTests: 5,
      passedTests: 3,
      failedTests: 1,
      skippedTests: 1,
    });
  });

  it('take timed out and interrupted cases as failed, and a status nobody knows as none', async () => {
    const testCases = cases('failed', 'timedOut', 'interrupted', 'quarantined');
    expect(await store({ testCases })).toMatchObject({
      totalTests: 4,
      passedTests: 0,
      failedTests: 3,
      skippedTests: 0,
    });
  });

  it('are stored as sent when they are present, even when the cases say otherwise', async () => {
    const counts = { totalTests: 90, passedTests: 7, failedTests: 80, skippedTests: 3 };
    expect(await store({ ...counts, testCases: cases('passed') })).toMatchObject(counts);
  });

  it('of zero are stored as zero', async () => {
    const counts = { totalTests: 0, passedTests: 0, failedTests: 0, skippedTests: 0 };
    expect(await store({ ...counts, testCases: cases('passed', 'failed', 'skipped') })).toMatchObject(counts);
  });

  it('that are absent are defaulted beside those that were sent', async () => {
    const testCases = cases('passed', 'failed', 'failed');
    expect(await store({ totalTests: 50, testCases })).toMatchObject({
      totalTests: 50,
      passedTests: 1,
      failedTests: 2,
      skippedTests: 0,
    });
  });

  it('are stored as sent when no cases were sent', async () => {
    const counts = { totalTests: 12, passedTests: 10, failedTests: 1, skippedTests: 1 };
    expect(await store({ ...counts, testCases: undefined })).toMatchObject({ ...counts, testCases: [] });
  });
});

describe('flaky tests', () => {
  const mixed = [
    testCase({ title: 'flaky', status: 'passed', retries: 1 }),
    testCase({ title: 'flaky too', status: 'passed', retries: 3 }),
    testCase({ title: 'steady', status: 'passed', retries: 0 }),
    testCase({ title: 'no retries field', status: 'passed', retries: undefined }),
    testCase({ title: 'failed after retries', status: 'failed', retries: 2 }),
    testCase({ title: 'skipped', status: 'skipped', retries: 1 }),
    testCase({ title: 'timed out', status: 'timedOut', retries: 1 }),
  ];

  it('are the passed cases that were retried', async () => {
    const run = await store({ testCases: mixed });
    expect(run.flakyTests).toBe(2);
    const flaky = run.testCases.filter((testCase) => testCase.flaky).map((testCase) => testCase.title);
    expect(flaky.sort()).toEqual(['flaky', 'flaky too']);
  });

  it.each([0, 99, -5, 'many', null])('are computed although the client sent %j', async (flakyTests) => {
    const response = await sendJson(server, 'POST', SUBMIT, { ...submission({ testCases: mixed }), flakyTests });
    expect(response.status).toBe(200);
    const { testRunId } = (await response.json()) as { testRunId: number };
    expect((await server.client.getRun({ params: { id: testRunId } })).flakyTests).toBe(2);
  });

  it('are also passed tests in the counts', async () => {
    expect(await store({ testCases: mixed.slice(0, 3) })).toMatchObject({ passedTests: 3, flakyTests: 2 });
  });

  it('are counted in the latest run of the project list and in the performance trend', async () => {
    const run = await store({ testCases: mixed });
    const projects = await server.client.listProjects();
    expect(projects.find((project) => project.id === run.projectId)?.latestRun?.flakyTests).toBe(2);
    expect(await server.client.getPerformance({ params: { id: run.projectId } })).toMatchObject([{ flakyTests: 2 }]);
  });
});

describe('average and P90 duration of the cases of a run', () => {
  it.each([
    ['one case', [70], 70, 70],
    ['two cases', [100, 200], 150, 200],
    ['nine cases', [1, 2, 3, 4, 5, 6, 7, 8, 9], 5, 9],
    ['ten cases, in any order', [10, 3, 1, 8, 2, 9, 7, 4, 6, 5], 6, 9],
    ['eleven cases', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 110], 15, 10],
    ['twenty cases', Array.from({ length: 20 }, (_, index) => index + 1), 11, 18],
    ['a mean that is no integer', [1, 1, 2], 1, 2],
    ['zeros', [0, 0, 0], 0, 0],
    ['a zero among others', [0, 100], 50, 100],
  ])('%s', async (_, durations, avgTestDuration, p90TestDuration) => {
    expect(await store({ testCases: lasting(...durations) })).toMatchObject({ avgTestDuration, p90TestDuration });
  });

  it('leave out the cases without a duration', async () => {
    const run = await store({ testCases: lasting(undefined, 100, undefined, 300, undefined) });
    expect(run).toMatchObject({ totalTests: 5, avgTestDuration: 200, p90TestDuration: 300 });
  });

  it('are null when no case has a duration', async () => {
    const run = await store({ testCases: lasting(undefined, undefined) });
    expect(run).toMatchObject({ totalTests: 2, avgTestDuration: null, p90TestDuration: null });
  });
});

describe('durations', () => {
  it.each([
    [0, 0],
    [undefined, null],
    [1_234, 1_234],
    [12.5, 12.5],
  ])('of a run: %s is answered as %s', async (duration, expected) => {
    expect((await store({ duration })).duration).toBe(expected);
  });

  it.each([
    [0, 0],
    [undefined, null],
    [1_234, 1_234],
    [12.5, 12.5],
  ])('of a case: %s is answered as %s', async (duration, expected) => {
    const run = await store({ testCases: lasting(duration) });
    expect(run.testCases[0]?.duration).toBe(expected);
    const details = await server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
    expect(details.duration).toBe(expected);
  });
});
