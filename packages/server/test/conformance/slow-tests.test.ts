import type { SubmittedCase } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';
import { expectError, readJson, request } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

/** One run per entry, a minute apart. */
const storeRuns = async (...runs: SubmittedCase[][]): Promise<number> => {
  const projectName = newName();
  let id = 0;
  for (const [index, testCases] of runs.entries()) {
    const body = submission({ projectName, startTime: minute(index), testCases });
    id = (await server.client.submitRun({ body })).projectId;
  }
  return id;
};

const storeSeries = (...durations: number[]): Promise<number> =>
  storeRuns(...durations.map((duration) => [testCase({ duration })]));

describe('the figures of a slow test', () => {
  it('are over the runs it was in', async () => {
    const id = await storeSeries(100, 300, 200);
    const [slow, ...others] = await server.client.listSlowTests({ params: { id } });
    expect(others).toEqual([]);
    expect(slow).toMatchObject({
      title: 'works',
      filePath: 'tests/a.spec.ts',
      avgDuration: 200,
      maxDuration: 300,
      minDuration: 100,
      p90Duration: 300,
      runCount: 3,
      trend: 'stable',
      latestDuration: 200,
      durations: [100, 300, 200],
    });
  });

  it('have a P90 by nearest rank', async () => {
    const id = await storeSeries(10, 3, 1, 8, 2, 9, 7, 4, 6, 5);
    expect(await server.client.listSlowTests({ params: { id } })).toMatchObject([{ p90Duration: 9, avgDuration: 6 }]);
  });

  it('have the series by the start of the runs, not by their submission', async () => {
    const projectName = newName();
    let id = 0;
    for (const [at, duration] of [
      [3, 30],
      [1, 10],
      [2, 20],
    ] as const) {
      const body = submission({ projectName, startTime: minute(at), testCases: [testCase({ duration })] });
      id = (await server.client.submitRun({ body })).projectId;
    }
    const slow = await server.client.listSlowTests({ params: { id } });
    expect(slow).toMatchObject([{ durations: [10, 20, 30], latestDuration: 30 }]);
  });

  it('have the id of the test in the list of tests', async () => {
    const id = await storeSeries(100, 300);
    const [slow] = await server.client.listSlowTests({ params: { id } });
    const [test] = await server.client.listTests({ params: { id } });
    expect(slow?.id).toBe(test?.id);
  });

  it('are there for a duration of zero and not for a test without any duration', async () => {
    const id = await storeRuns([
      testCase({ title: 'zero', duration: 0 }),
      testCase({ title: 'none', duration: undefined }),
    ]);
    expect(await server.client.listSlowTests({ params: { id } })).toMatchObject([
      { title: 'zero', avgDuration: 0, maxDuration: 0, minDuration: 0, durations: [0] },
    ]);
  });

  it('are apart for each browser', async () => {
    const id = await storeRuns([
      testCase({ browser: 'chromium', duration: 10 }),
      testCase({ browser: 'firefox', duration: 30 }),
      testCase({ duration: 20 }),
    ]);
    const slow = await server.client.listSlowTests({ params: { id } });
    expect(slow.map((test) => test.avgDuration)).toEqual([30, 20, 10]);
  });
});

describe('the trend of a slow test', () => {
  it.each<[string, number[]]>([
    ['slower', [100, 100, 200, 200]],
    ['faster', [200, 200, 100, 100]],
    ['stable', [100, 100, 105, 105]],
    ['stable', [105, 105, 100, 100]],
    ['stable', [100, 100, 100, 100]],
    ['slower', [100, 100, 112, 112]],
    ['faster', [100, 100, 88, 88]],
    ['slower', [10, 20, 30, 40, 50, 60, 70, 80]],
    ['stable', [100, 900]],
    ['stable', [100, 500, 900]],
    ['stable', [900, 500, 100]],
  ])('is %s for %j', async (trend, durations) => {
    const id = await storeSeries(...durations);
    expect(await server.client.listSlowTests({ params: { id } })).toMatchObject([{ trend }]);
  });
});

describe('the list', () => {
  it('has at most 20 tests, slowest average first', async () => {
    const durations = Array.from({ length: 25 }, (_, index) => ((index * 7) % 25) + 1);
    const id = await storeRuns(durations.map((duration) => testCase({ title: `takes ${duration}`, duration })));
    const slow = await server.client.listSlowTests({ params: { id } });
    expect(slow.map((test) => test.avgDuration)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    expect(new Set(slow.map((test) => test.id)).size).toBe(20);
  });

  it('is empty when there is no case', async () => {
    const id = await storeRuns([]);
    expect(await readJson(server, `/api/projects/${id}/slow-tests`)).toEqual([]);
  });
});

describe('how many runs are looked at', () => {
  const series = Array.from({ length: 12 }, (_, index) => index + 1);

  it('are the latest 10 by default', async () => {
    const id = await storeSeries(...series);
    expect(await server.client.listSlowTests({ params: { id } })).toMatchObject([
      { runCount: 10, durations: series.slice(-10), minDuration: 3, maxDuration: 12 },
    ]);
  });

  it.each([1, 3, 12, 100])('are the latest %i when runs says so', async (runs) => {
    const id = await storeSeries(...series);
    const durations = series.slice(-runs);
    const slow = await server.client.listSlowTests({ params: { id }, query: { runs } });
    expect(slow).toMatchObject([{ runCount: durations.length, durations }]);
  });

  it('are the latest runs of the project, so a test that left them is not listed', async () => {
    const id = await storeRuns(
      [testCase({ title: 'old' })],
      [testCase({ title: 'new' })],
      [testCase({ title: 'new' })],
    );
    const titles = async (runs: number) =>
      (await server.client.listSlowTests({ params: { id }, query: { runs } })).map((test) => test.title).sort();
    expect(await titles(2)).toEqual(['new']);
    expect(await titles(3)).toEqual(['new', 'old']);
  });

  it.each(['0', '-1', '101', 'abc', '1.5', 'NaN'])('cannot be %s', async (runs) => {
    const id = await storeSeries(1);
    const response = await request(server, `/api/projects/${id}/slow-tests?runs=${runs}`);
    const error = await expectError(response, 400, 'invalid_query');
    expect(JSON.stringify([error.message, error.issues])).toContain('runs');
  });
});
