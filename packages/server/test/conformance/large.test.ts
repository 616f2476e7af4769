import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server.ts';
import { newName, submission, testCase } from './build.ts';
import { SUBMIT, request, sendText } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ maxBodyBytes: 64 * 1024 * 1024 });
});
afterAll(() => server.stop());

/** A body of over 1 MiB, which is stored in steps, each of at most 2,000 new tests. */
const CASES = 12_000;

describe('a run of 12,000 cases', () => {
  let projectId: number;
  let runId: number;
  beforeAll(async () => {
    const statuses = ['passed', 'passed', 'failed', 'skipped'];
    const testCases = Array.from({ length: CASES }, (_, index) =>
      testCase({
        title: `case ${index}`,
        status: statuses[index % 4]!,
        duration: index + 1,
        retries: index % 8 === 0 ? 1 : 0,
        location: `tests/file-${index % 100}.spec.ts:${index}:3`,
      }),
    );
    ({ projectId, testRunId: runId } = await server.client.submitRun({ body: submission({ testCases }) }));
  });

  it('has the right figures', async () => {
    expect((await server.client.getProject({ params: { id: projectId } })).testRuns).toMatchObject([
      {
        totalTests: CASES,
        passedTests: CASES / 2,
        failedTests: CASES / 4,
        skippedTests: CASES / 4,
        flakyTests: CASES / 8,
        avgTestDuration: 6_000,
        p90TestDuration: 10_799,
      },
    ]);
  });

  it('answers all its cases', async () => {
    const run = await server.client.getRun({ params: { id: runId }, query: { details: false } });
    expect(run.testCases).toHaveLength(CASES);
    expect(new Set(run.testCases.map((testCase) => testCase.id)).size).toBe(CASES);
    expect(new Set(run.testCases.map((testCase) => testCase.title)).size).toBe(CASES);
    const last = run.testCases.find((testCase) => testCase.title === `case ${CASES - 1}`);
    expect(last).toMatchObject({ duration: CASES, filePath: 'tests/file-99.spec.ts', line: CASES - 1 });
    const details = await server.client.getTestCase({ params: { id: last!.id } });
    expect(details).toMatchObject({ title: `case ${CASES - 1}`, testRun: { id: runId } });
  });

  it('answers all its tests and the 20 slowest', async () => {
    expect(await server.client.listTests({ params: { id: projectId } })).toHaveLength(CASES);
    const slow = await server.client.listSlowTests({ params: { id: projectId } });
    const timed = Array.from({ length: CASES }, (_, index) => CASES - index).filter((duration) => duration % 4 !== 0);
    expect(slow.map((test) => test.avgDuration)).toEqual(timed.slice(0, 20));
  });

  it('can be walked by pages of 1,000', async () => {
    const titles = new Set<string>();
    let path: string | null = `/api/test-runs/${runId}?details=false&limit=1000`;
    for (let pages = 0; path !== null && pages < 30; pages++) {
      const response = await request(server, path);
      const { testCases } = (await response.json()) as { testCases: { title: string }[] };
      for (const { title } of testCases) titles.add(title);
      path = /<([^>]*)>\s*;\s*rel="?next"?/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(path).toBeNull();
    expect(titles.size).toBe(CASES);
  });

  it('is deleted as a whole', async () => {
    await server.client.deleteRun({ params: { id: runId } });
    expect(await server.client.listTests({ params: { id: projectId } })).toEqual([]);
  });
});

describe('many submissions at the same moment', () => {
  it('are all stored, each in its project', async () => {
    const names = Array.from({ length: 5 }, () => newName());
    const bodies = Array.from({ length: 50 }, (_, index) => submission({ projectName: names[index % 5]! }));
    const answers = await Promise.all(bodies.map((body) => server.client.submitRun({ body })));
    expect(new Set(answers.map((answer) => answer.testRunId)).size).toBe(50);
    const projects = (await server.client.listProjects()).filter((project) => names.includes(project.name));
    expect(projects.map((project) => project.totalRuns)).toEqual([10, 10, 10, 10, 10]);
  });
});

describe('values nested very deep are never a server error', () => {
  const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);
  const withMetadata = (metadata: string): string =>
    JSON.stringify({ ...submission(), metadata: 0 }).replace('"metadata":0', `"metadata":${metadata}`);
  const withSteps = (depth: number): string => {
    const steps = `{"title":"s","steps":[`.repeat(depth) + ']}'.repeat(depth);
    return JSON.stringify(submission()).replace('"title":"works"', `"title":"works","steps":[${steps}]`);
  };

  it.each<[string, string]>([
    ['metadata of 1,000 arrays', withMetadata(nested(1_000, '[', ']'))],
    ['metadata of 100,000 arrays', withMetadata(nested(100_000, '[', ']'))],
    ['metadata of 50,000 objects', withMetadata(nested(50_000, '{"a":[', ']}'))],
    ['100 steps', withSteps(100)],
    ['20,000 steps', withSteps(20_000)],
    ['a body of 100,000 arrays', nested(100_000, '[', ']')],
  ])(
    '%s',
    async (_, text) => {
      const response = await sendText(server, 'POST', SUBMIT, text);
      const body = (await response.json()) as { testRunId?: number };
      expect(response.status).toBeLessThan(500);
      const paths = ['/api/projects', ...(response.status === 200 ? [`/api/test-runs/${body.testRunId}`] : [])];
      for (const path of paths) expect((await request(server, path)).status, path).toBe(200);
    },
    60_000,
  );
});
