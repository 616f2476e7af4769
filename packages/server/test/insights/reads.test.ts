import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { expectError } from '../conformance/wire.ts';
import { sharedServer, type TestServer } from '../server.ts';

let server: TestServer;
let projectId: number;
let runIds: number[];
let testId: number;

const ERROR = 'TimeoutError: page.click: Timeout 30000ms exceeded.\n    at tests/a.spec.ts:3:5';

/** Six runs of two branches; `breaks` fails in the last two of main, `mends` in all but the last. */
beforeAll(async () => {
  server = await sharedServer();
  const projectName = newName();
  const submit = (at: number, branch: string, breaks: string, mends: string, retries = 0) =>
    server.client.submitRun({
      body: submission({
        projectName,
        branch,
        startTime: minute(at),
        duration: 1_000 * (at + 1),
        testCases: [
          testCase({
            title: 'breaks',
            status: breaks,
            error: breaks === 'failed' ? ERROR.replace('30000', `${at}`) : null,
          }),
          testCase({ title: 'mends', status: mends }),
          testCase({ title: 'wavers', retries }),
          ...(at === 5 ? [testCase({ title: 'is new', status: 'failed', error: 'x'.repeat(5_000) })] : []),
        ],
      }),
    });
  const stored = [
    await submit(0, 'main', 'passed', 'failed', 1),
    await submit(1, 'main', 'passed', 'failed'),
    await submit(2, 'main', 'skipped', 'timedOut', 1),
    await submit(3, 'main', 'failed', 'failed'),
    await submit(4, 'feature', 'passed', 'passed'),
    await submit(5, 'main', 'failed', 'passed'),
  ];
  runIds = stored.map(({ testRunId }) => testRunId);
  ({ projectId } = stored[0]!);
  testId = (await server.client.getRun({ params: { id: runIds[0]! } })).testCases[0]!.testId;
});

const project = () => ({ params: { id: projectId } });

describe('a comparison', () => {
  it('goes by the branch of the run: what broke, since when, and what was mended', async () => {
    const { failures, fixed, ...others } = await server.client.compareRun({ params: { id: runIds[5]! } });
    expect(failures).toMatchObject([
      { title: 'breaks', isNew: false, failedRuns: 2, failingSince: { id: runIds[3] }, sinceBeyond: false },
      { title: 'is new', isNew: true, failedRuns: 1, failingSince: { id: runIds[5] }, sinceBeyond: false },
    ]);
    expect(failures[1]!.error).toHaveLength(2_000);
    expect(fixed).toMatchObject([{ title: 'mends', failedRuns: 4, lastFailed: { id: runIds[3] } }]);
    expect(others).toMatchObject({
      previousRun: { id: runIds[4] },
      comparedWith: { id: runIds[3], branch: 'main' },
      nextRun: null,
      usualDuration: 2_500,
      addedTests: 1,
      removedTests: 0,
    });
  });

  it('goes by the default branch when its own has no other run', async () => {
    expect(await server.client.compareRun({ params: { id: runIds[4]! } })).toMatchObject({
      previousRun: { id: runIds[3] },
      comparedWith: { id: runIds[3] },
      nextRun: { id: runIds[5] },
      failures: [],
      fixed: [
        { title: 'breaks', failedRuns: 1 },
        { title: 'mends', failedRuns: 4 },
      ],
    });
  });

  it('of the first run has nothing to compare with', async () => {
    expect(await server.client.compareRun({ params: { id: runIds[0]! } })).toMatchObject({
      previousRun: null,
      comparedWith: null,
      usualDuration: null,
      failures: [{ title: 'mends', isNew: true }],
      fixed: [],
      addedTests: 0,
    });
  });
});

describe('the tests of a project', () => {
  it('show their latest runs as letters, oldest first', async () => {
    const tests = await server.client.listTests({ ...project(), query: { history: 4 } });
    expect(new Map(tests.map(({ title, history }) => [title, history]))).toEqual(
      new Map([
        ['breaks', 'SFPF'],
        ['mends', 'FFPP'],
        ['wavers', 'KPPP'],
        ['is new', '---F'],
      ]),
    );
    expect(tests.find(({ title }) => title === 'mends')?.lastFailure).toMatchObject({ testRunId: runIds[3] });
    expect(tests.find(({ title }) => title === 'wavers')?.lastFailure).toBeNull();
  });

  it('tell their last failure, however long ago', async () => {
    const tests = await server.client.listTests({ ...project(), query: { history: 1 } });
    expect(tests.find(({ title }) => title === 'mends')).toMatchObject({
      history: 'P',
      lastFailure: { testRunId: runIds[3] },
    });
  });

  it('are the same bytes as ever without a history', async () => {
    const path = `${server.url}/api/projects/${projectId}/test-cases`;
    const plain = await (await fetch(path)).text();
    expect(await (await fetch(`${path}?history=0`)).text()).toBe(plain);
    expect(plain).not.toContain('history');
  });

  it('have the same order and pages with a history', async () => {
    const plain = await server.client.listTests(project());
    const paged = await fetch(`${server.url}/api/projects/${projectId}/test-cases?history=2&limit=3`);
    expect(paged.headers.get('link')).toContain('history=2');
    const ids = ((await paged.json()) as { id: number }[]).map(({ id }) => id);
    expect(ids).toEqual(plain.slice(0, 3).map(({ id }) => id));
  });
});

describe('the flaky tests', () => {
  it('are those that passed after a retry, with how often and since when', async () => {
    const [wavers, ...others] = await server.client.listFlakyTests(project());
    expect(others).toEqual([]);
    expect(wavers).toMatchObject({
      title: 'wavers',
      flakyRuns: 2,
      totalRuns: 6,
      flakyRate: 33.3,
      rateLow: 9.7,
      rateHigh: 70,
      firstFlaky: { id: runIds[0] },
      lastFlaky: { id: runIds[2] },
      history: 'KPKPPP',
    });
  });
});

describe('one test', () => {
  it('has its figures, its landmarks and its errors by cause', async () => {
    const { results, errors, ...test } = await server.client.getTest({ params: { id: testId } });
    expect(test).toMatchObject({
      title: 'breaks',
      totalRuns: 6,
      passedRuns: 3,
      failedRuns: 2,
      skippedRuns: 1,
      firstSeen: { testRunId: runIds[0] },
      lastPassed: { testRunId: runIds[4] },
      lastFailed: { testRunId: runIds[5] },
    });
    expect(results.map(({ testRunId }) => testRunId)).toEqual(runIds.toReversed());
    expect(errors).toEqual([
      {
        message: 'TimeoutError: page.click: Timeout <*> exceeded.',
        count: 2,
        firstSeen: expect.objectContaining({ testRunId: runIds[3] }),
        lastSeen: expect.objectContaining({ testRunId: runIds[5] }),
        sample: ERROR.replace('30000', '5'),
      },
    ]);
  });

  it('that is not there is a 404', async () => {
    await expectError(await fetch(`${server.url}/api/tests/999999`), 404, 'test_not_found');
    await expectError(await fetch(`${server.url}/api/tests/x`), 400, 'invalid_id');
  });
});

describe('the projects', () => {
  it('show the latest runs of their default branch, oldest first, when asked', async () => {
    const [found] = await server.client.listProjects({ query: { recent: 2 } });
    expect(found?.recentRuns?.map(({ id }) => id)).toEqual([runIds[3], runIds[5]]);
    expect((await server.client.listProjects())[0]).not.toHaveProperty('recentRuns');
  });
});

describe('parameters out of their range are refused with what is wrong', () => {
  it.each([
    ['/api/projects?recent=61', '/recent'],
    ['/api/projects?recent=-1', '/recent'],
    ['/api/projects/ID/test-cases?history=101', '/history'],
    ['/api/projects/ID/test-cases?history=x', '/history'],
    ['/api/projects/ID/flaky-tests?runs=0', '/runs'],
    ['/api/projects/ID/flaky-tests?runs=201', '/runs'],
    ['/api/tests/TEST?limit=1001', '/limit'],
    ['/api/tests/TEST?limit=0', '/limit'],
    ['/api/admin/cleanup', '/olderThanDays'],
    ['/api/admin/cleanup?olderThanDays=0', '/olderThanDays'],
  ])('%s', async (path, pointer) => {
    const url = server.url + path.replace('ID', String(projectId)).replace('TEST', String(testId));
    const { issues } = await expectError(await fetch(url), 400, 'invalid_query');
    expect(issues?.map((issue) => issue.path)).toContain(pointer);
  });
});

describe('what has not changed is not sent again', () => {
  it.each([
    '/api/projects?recent=3',
    '/api/projects/ID/test-cases?history=3',
    '/api/projects/ID/flaky-tests',
    '/api/tests/TEST',
    '/api/test-runs/RUN/comparison',
    '/api/admin/storage',
  ])('%s', async (path) => {
    const url =
      server.url +
      path.replace('ID', String(projectId)).replace('TEST', String(testId)).replace('RUN', String(runIds[5]));
    const first = await fetch(url);
    const body = await first.text();
    const headers = { 'if-none-match': first.headers.get('etag')! };
    expect((await fetch(url, { headers })).status).toBe(304);
    await server.client.updateProject({ params: { id: projectId }, body: { label: newName() } });
    const changed = await fetch(url, { headers });
    expect(changed.status).toBe(200);
    expect((await changed.text()).length).toBeGreaterThan(body.length / 2);
  });
});
