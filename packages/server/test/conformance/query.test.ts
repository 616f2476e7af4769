import type { QueryReply } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, startTestServer, type TestServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';
import { expectError, pathsOf, request, sendJson } from './wire.ts';

let server: TestServer;
let project: number;
const projectName = newName();
const REFUSED = 'Error: connect ECONNREFUSED 127.0.0.1:5432';

const submitAt = (at: number, failing: number) =>
  server.client.submitRun({
    body: submission({
      projectName,
      startTime: minute(at),
      duration: 1_000 * at,
      branch: at % 2 === 0 ? 'main' : 'next',
      metadata: { environment: at < 3 ? 'staging' : 'production' },
      testCases: Array.from({ length: 6 }, (_, nth) =>
        testCase({
          title: `case ${nth}`,
          status: nth < failing ? 'failed' : 'passed',
          error: nth < failing ? REFUSED : null,
          duration: 100 * (nth + 1),
        }),
      ),
    }),
  });

beforeAll(async () => {
  server = await sharedServer();
  for (const at of [0, 1, 2, 3, 4]) ({ projectId: project } = await submitAt(at, at % 3));
});

const pathOf = (query: Record<string, unknown>): string => {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  return `/api/query?${new URLSearchParams(Object.fromEntries(texts)).toString()}`;
};

describe('bad input', () => {
  const ofProject = (query: Record<string, unknown>) => ({ over: 'results', project, ...query });
  it.each<[string, () => Record<string, unknown>, string]>([
    ['nothing to query', () => ({}), '/over'],
    ['suites', () => ofProject({ over: 'suites' }), '/over'],
    ['results of no project', () => ({ over: 'results' }), '/project'],
    ['tests of no project', () => ({ over: 'tests' }), '/project'],
    ['a project that is no id', () => ofProject({ project: 'x' }), '/project'],
    ['a field that there is not', () => ofProject({ filter: 'statu:failed' }), '/filter'],
    ['a status that is nearly one', () => ofProject({ filter: 'status:faild' }), '/filter'],
    ['a filter without an end', () => ofProject({ filter: 't => (t.retries' }), '/filter'],
    [
      'a filter that is too deep',
      () => ofProject({ filter: `t => ${'('.repeat(40)}1${' + 1)'.repeat(40)}` }),
      '/filter',
    ],
    ['a filter that is too long', () => ofProject({ filter: 'x'.repeat(8_001) }), '/filter'],
    ['an order that there is not', () => ofProject({ order: 'title' }), '/order'],
    ['a limit of nothing', () => ofProject({ limit: 0 }), '/limit'],
    ['a limit that is too high', () => ofProject({ limit: 1_001 }), '/limit'],
    ['a cursor of our own making', () => ofProject({ cursor: 'abc' }), '/cursor'],
    ['a cursor of groups', () => ofProject({ cursor: 'abc', by: 'day' }), '/cursor'],
    ['an order of groups', () => ofProject({ order: 'started', by: 'day' }), '/order'],
    ['a group that there is not', () => ofProject({ by: 'week' }), '/by'],
    ['runs by cause', () => ofProject({ over: 'runs', by: 'cause' }), '/by'],
    ['tests by day', () => ofProject({ over: 'tests', by: 'day' }), '/by'],
    ['a figure that there is not', () => ofProject({ figures: 'count,mean' }), '/figures'],
    ['a time that is none', () => ofProject({ since: 'yesterday' }), '/since'],
    ['an explanation that is none', () => ofProject({ explain: 2 }), '/explain'],
  ])('is refused and named: %s', async (_, query, path) => {
    const error = await expectError(await request(server, pathOf(query())), 400, 'invalid_query');
    expect(pathsOf(error)).toContain(path);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown node', { filter: { v: 1, root: { kind: 'Nothing' } } }, '/filter/root/kind'],
    ['a newer version', { filter: { v: 2, root: { kind: 'Constant', value: true } } }, '/filter/v'],
    ['no envelope', { filter: 7 }, '/filter'],
    ['a figure that there is not', { figures: ['mean'] }, '/figures/0'],
    ['a time that is none', { until: 'tomorrow' }, '/until'],
    ['a cursor of another order', { cursor: Buffer.from('["started",null,1,1,0,0]').toString('base64url') }, '/cursor'],
  ])('in a body is refused and named: %s', async (_, more, path) => {
    const response = await sendJson(server, 'POST', '/api/query', { over: 'results', project, ...more });
    const error = await expectError(response, 400, 'invalid_body');
    expect(pathsOf(error)).toContain(path);
  });

  it('names a project that there is not', async () => {
    for (const over of ['results', 'runs', 'tests']) {
      await expectError(await request(server, pathOf({ over, project: 999_999 })), 404, 'project_not_found');
      const response = await sendJson(server, 'POST', '/api/query', { over, project: 999_999 });
      await expectError(response, 404, 'project_not_found');
    }
  });
});

const titlesOf = ({ results }: QueryReply): string[] =>
  results!.map(({ title, testRun }) => `${testRun.startTime} ${title}`);

describe('results', () => {
  it('come newest first, with their run, and the next page goes on though a run arrived between', async () => {
    const query = { over: 'results', project, filter: 'status:failed error:"ECONNREFUSED"', limit: 2 } as const;
    const first = await server.client.query({ query });
    expect(titlesOf(first)).toEqual([`${minute(4)} case 0`, `${minute(2)} case 0`]);
    expect(first.results![0]).toMatchObject({ error: REFUSED, testRun: { branch: 'main' } });
    const { testRunId } = await submitAt(9, 3);
    const second = await server.client.query({ query: { ...query, cursor: first.nextCursor! } });
    expect(titlesOf(second)).toEqual([`${minute(2)} case 1`, `${minute(1)} case 0`]);
    const third = await server.client.query({ query: { ...query, cursor: second.nextCursor! } });
    expect(third).toMatchObject({ results: [], nextCursor: null, complete: true });
    await server.client.deleteRun({ params: { id: testRunId } });
  });

  it('name the next page in the Link header too', async () => {
    const response = await request(server, pathOf({ over: 'results', project, limit: 1 }));
    const { nextCursor } = (await response.json()) as QueryReply;
    const link = /<([^>]*)>; rel="next"/.exec(response.headers.get('link')!)![1]!;
    expect(new URL(link, server.url).searchParams.get('cursor')).toBe(nextCursor);
  });

  it.each([
    ['-duration', [600, 600, 600, 600, 600, 500]],
    ['duration', [100, 100, 100, 100, 100, 200]],
  ])('are ordered by %s, the same on pages', async (order, durations) => {
    const query = { over: 'results', project, order } as const;
    const whole = (await server.client.query({ query })).results!;
    expect(whole.slice(0, 6).map(({ duration }) => duration)).toEqual(durations);
    const paged: typeof whole = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: QueryReply = await server.client.query({
        query: { ...query, limit: 7, ...(cursor === undefined ? {} : { cursor }) },
      });
      paged.push(...page.results!);
      cursor = page.nextCursor;
    }
    expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  });

  it('are those of a branch and of some days', async () => {
    const query = { over: 'results', project, branch: 'main', since: minute(1), until: minute(4), by: 'day' } as const;
    expect(await server.client.query({ query })).toMatchObject({ found: 6, groups: [{ key: '2026-03-01', count: 6 }] });
  });

  it('look no further than the page needs, and at errors only where the status is right', async () => {
    const filter = 'error:ECONNREFUSED status:failed';
    const query = { over: 'results', project, filter, limit: 1, explain: 1 } as const;
    const { explain } = await server.client.query({ query });
    expect(explain!.conditions.map(({ reads, asked }) => [reads, asked])).toEqual([
      [['status'], 2],
      [['error'], 1],
    ]);
    expect(explain).toMatchObject({ runs: 1, blocks: 1, rows: 6, sql: null });
  });

  it('are counted by cause and by status with their durations', async () => {
    const query = { over: 'results', project, by: 'status', figures: 'count,share,sum,quantiles' } as const;
    const { groups, found } = await server.client.query({ query });
    expect(found).toBe(30);
    expect(groups).toMatchObject([
      { key: 'passed', count: 26, duration: { count: 26, sum: 10_000 } },
      { key: 'failed', count: 4, share: 4 / 30, duration: { count: 4, sum: 500 } },
    ]);
    const failed = { over: 'results', project, by: 'cause', filter: 'status:failed' } as const;
    expect((await server.client.query({ query: failed })).groups).toHaveLength(1);
  });

  it('of a filter that asks for the time are never those of earlier', async () => {
    const ask = (filter: string) => request(server, pathOf({ over: 'runs', filter }));
    const [first, second] = [await ask('started:>-7d'), await ask('started:>-7d')];
    expect(first.headers.get('etag')).not.toBe(second.headers.get('etag'));
    expect((await ask('status:failed')).headers.get('etag')).toBe((await ask('status:failed')).headers.get('etag'));
  });
});

describe('runs', () => {
  it('are of one project or of all', async () => {
    const branch = newName();
    const other = await server.client.submitRun({ body: submission({ branch }) });
    const query = { over: 'runs', filter: `branch:"${branch}"` } as const;
    expect((await server.client.query({ query })).runs!.map(({ id }) => id)).toEqual([other.testRunId]);
    expect((await server.client.query({ query: { ...query, project } })).runs).toEqual([]);
  });

  it.each([
    ['duration', [0, 1, 2, 3, 4]],
    ['-duration', [4, 3, 2, 1, 0]],
    ['started', [0, 1, 2, 3, 4]],
    ['-failed', [2, 4, 1, 3, 0]],
  ])('are ordered by %s, the same on pages', async (order, starts) => {
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: QueryReply = await server.client.query({
        query: { over: 'runs', project, order, limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      });
      found.push(...page.runs!.map(({ startTime }) => startTime));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(starts.map(minute));
  });

  it('say what the database was asked and what was left', async () => {
    const query = { over: 'runs', project, filter: 'branch:main t', explain: 1 } as const;
    const { explain } = await server.client.query({ query });
    expect(explain!.sql!.text).toContain('branch');
    expect(explain!.sql!.params).toContain('main');
    const js = { ...query, filter: 't => [...t.branch].length > 4 && t.failed > 0' };
    expect((await server.client.query({ query: js })).explain!.residual).toContain('[...t.branch]');
  });
});

describe('tests', () => {
  it.each(['-failed', 'failed', '-lastrun', 'passrate', 'p90', '-id'])('are ordered by %s on pages', async (order) => {
    const query = { over: 'tests', project, order } as const;
    const whole = (await server.client.query({ query })).tests!;
    expect(whole).toHaveLength(6);
    const paged: typeof whole = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: QueryReply = await server.client.query({
        query: { ...query, limit: 4, ...(cursor === undefined ? {} : { cursor }) },
      });
      paged.push(...page.tests!);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(whole);
  });
});

it('finds texts with a NUL, in which databases see other texts', async () => {
  const testCases = [testCase({ title: 'nul \u0000x' })];
  const { projectId } = await server.client.submitRun({ body: submission({ testCases }) });
  const query = { over: 'tests', project: projectId } as const;
  for (const filter of [
    '-title:"0"',
    't => t.title.length === 6',
    't => t.title.length > 5',
    't => t.title.endsWith("x")',
  ]) {
    expect((await server.client.query({ query: { ...query, filter } })).tests, filter).toHaveLength(1);
  }
  expect((await server.client.query({ query: { ...query, filter: 'title:"0"' } })).tests).toEqual([]);
});

it('ends after so many results, says so, and goes on from there', async () => {
  await using small = await startTestServer({ mostQueried: 5 });
  const projectName = newName();
  const testCases = ['passed', 'failed'].map((status) => testCase({ title: status, status }));
  let id = 0;
  for (const at of [0, 1, 2, 3, 4]) {
    const body = submission({ projectName, startTime: minute(at), testCases });
    ({ projectId: id } = await small.client.submitRun({ body }));
  }
  const query = { over: 'results', project: id, filter: 'status:failed' } as const;
  const first = await small.client.query({ query });
  expect([titlesOf(first), first.complete]).toEqual([[`${minute(4)} failed`, `${minute(3)} failed`], false]);
  const second = await small.client.query({ query: { ...query, cursor: first.nextCursor! } });
  expect([titlesOf(second), second.complete]).toEqual([[`${minute(2)} failed`, `${minute(1)} failed`], false]);
  const third = await small.client.query({ query: { ...query, cursor: second.nextCursor! } });
  expect([titlesOf(third), third.complete, third.nextCursor]).toEqual([[`${minute(0)} failed`], true, null]);
  const grouped = await small.client.query({ query: { ...query, by: 'status' } });
  expect(grouped).toMatchObject({ found: 2, complete: false, nextCursor: null });
});

it.each(['results', 'runs', 'tests'])('refuses a filter that takes too many steps for one row of %s', async (over) => {
  const { projectId } = await server.client.submitRun({ body: submission({ testCases: [testCase({})] }) });
  const filter = `t => "${'a'.repeat(4_000)}".split("").every(letter => letter === "a" && t.status !== letter)`;
  const response = await sendJson(server, 'POST', '/api/query', { over, project: projectId, filter });
  const error = await expectError(response, 422, 'query_too_costly');
  expect(pathsOf(error)).toEqual(['/filter']);
});
