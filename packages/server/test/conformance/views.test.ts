import { LONGEST_VIEW_NAME, MOST_VIEWS, type SavedView, type ViewQuery } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { inDatabase } from '../in-database.ts';
import { type TestServer, sharedServer } from '../server.ts';
import { daysAgo, minute, newName, submission, testCase } from './build.ts';

let server: TestServer;
let project: number;
const projectName = newName();

beforeAll(async () => {
  server = await sharedServer();
  const failed = testCase({ title: '=pays, "twice"', status: 'failed', error: 'Error: <refused> & gone' });
  const runs = [
    { startTime: daysAgo(0.01), testCases: [testCase({ title: 'passes' }), failed] },
    { startTime: daysAgo(1), branch: 'main', testCases: [failed, testCase({ title: 'other', status: 'failed' })] },
    { startTime: minute(0), testCases: [failed] },
  ];
  for (const run of runs) {
    ({ projectId: project } = await server.client.submitRun({ body: submission({ projectName, ...run }) }));
  }
});

const save = (query: ViewQuery, name = newName('view')): Promise<SavedView> =>
  server.client.createView({ params: { id: project }, body: { name, query } });
/** Makes so many copies of a view, as if somebody had saved them. */
const copyView = async (id: number, count: number): Promise<void> => {
  const columns = 'project_id, user_id, name, is_shared, is_pinned, query, created_at, updated_at';
  await inDatabase(
    server.dataDir,
    `WITH RECURSIVE copies (nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM copies WHERE nth < ${count})
     INSERT INTO saved_views (${columns}) SELECT ${columns} FROM saved_views, copies WHERE saved_views.id = ?`,
    id,
  );
};
const get = (path: string): Promise<Response> => fetch(new URL(path, server.url));
const FAILURES: ViewQuery = { over: 'results', filter: 'status:failed' };

describe('a saved view', () => {
  it('is kept, listed by name, changed and deleted', async () => {
    const { projectId: id } = await server.client.submitRun({ body: submission() });
    const params = { id };
    const query: ViewQuery = { over: 'results', filter: 'status:failed', by: 'day', branch: 'main', days: 7 };
    const second = await server.client.createView({ params, body: { name: ' zebra ', query, pinned: true } });
    expect(second).toMatchObject({ name: 'zebra', projectId: id, query, pinned: true, owner: null, editable: true });
    // There is nobody whose own it could be.
    expect(second.shared).toBe(true);
    const first = await server.client.createView({ params, body: { name: 'apple', query: { over: 'runs' } } });
    expect(await server.client.listViews({ params })).toEqual({ views: [first, second], totalViews: 2 });
    const changed = await server.client.updateView({ params: { id: first.id }, body: { pinned: true, name: 'pear' } });
    expect(changed).toMatchObject({ name: 'pear', pinned: true, query: { over: 'runs' } });
    expect(await server.client.getView({ params: { id: first.id } })).toEqual(changed);
    await server.client.deleteView({ params: { id: second.id } });
    expect(await server.client.listViews({ params })).toEqual({ views: [changed], totalViews: 1 });
    for (const path of ['', '/rows?format=csv', '/badge.svg']) {
      expect((await get(`/api/views/${second.id}${path}`)).status, path).toBe(404);
    }
  });

  it.each([
    ['/name', { name: ' ', query: FAILURES }],
    ['/name', { name: 'x'.repeat(LONGEST_VIEW_NAME + 1), query: FAILURES }],
    ['/query', { name: 'x' }],
    ['/query/over', { name: 'x', query: { over: 'clouds' } }],
    ['/query/filter', { name: 'x', query: { over: 'runs', filter: 'nothing:like it' } }],
    ['/query/filter', { name: 'x', query: { over: 'runs', filter: 'x'.repeat(8_001) } }],
    ['/query/order', { name: 'x', query: { over: 'runs', order: 'sideways' } }],
    ['/query/by', { name: 'x', query: { over: 'tests', by: 'day' } }],
    ['/query/days', { name: 'x', query: { over: 'runs', days: 0 } }],
  ])('with a wrong %s is refused', async (path, body) => {
    const answer = await fetch(new URL(`/api/projects/${project}/views`, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { code, issues } = (await answer.json()) as { code: string; issues: { path: string }[] };
    expect([answer.status, code]).toEqual([400, 'invalid_body']);
    expect(issues.map((issue) => issue.path)).toContain(path);
  });

  it('of no project is refused, and so is one too many', async () => {
    const body = { name: 'x', query: FAILURES };
    await expect(server.client.createView({ params: { id: 404_404 }, body })).rejects.toMatchObject({
      body: { code: 'project_not_found' },
    });
    const { projectId: id } = await server.client.submitRun({ body: submission() });
    const view = await server.client.createView({ params: { id }, body });
    await copyView(view.id, MOST_VIEWS - 2);
    await server.client.createView({ params: { id }, body });
    await expect(server.client.createView({ params: { id }, body })).rejects.toMatchObject({
      body: { code: 'too_many_views' },
    });
    expect((await server.client.listViews({ params: { id } })).totalViews).toBe(MOST_VIEWS);
  });
});

describe('a view as a file', () => {
  it('has its rows as CSV, without formulas, of its days only', async () => {
    const { id } = await save({ ...FAILURES, days: 3 });
    const answer = await get(`/api/views/${id}/rows?format=csv`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="view-${id}.csv"`);
    const lines = (await answer.text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'run,started,branch,commit,id,status,title,file,line,browser,durationMs,retries,flaky,tags,owners,error',
    );
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain(`"'=pays, ""twice""",tests/a.spec.ts`);
  });

  it('has the same rows as JSON lines as the query', async () => {
    for (const query of [FAILURES, { over: 'runs' }, { over: 'tests', order: '-failed' }] satisfies ViewQuery[]) {
      const { id } = await save(query);
      const lines = (await (await get(`/api/views/${id}/rows?format=jsonl`)).text()).trimEnd().split('\n');
      const since = new Date(Date.now() - 40 * 86_400_000).toISOString();
      const reply = await server.client.query({ query: { ...query, project, since } });
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(reply.results ?? reply.runs ?? reply.tests);
    }
  });

  it('has its groups where it has some', async () => {
    const { id } = await save({ ...FAILURES, by: 'branch', days: 3_650 });
    expect(await (await get(`/api/views/${id}/rows?format=csv`)).text()).toBe(
      ['key,count,share', 'main,2,0.5', ',2,0.5', ''].join('\r\n'),
    );
  });

  it('has more rows than a page', async () => {
    const testCases = Array.from({ length: 1_500 }, (_, nth) => testCase({ title: `${nth}`, status: 'failed' }));
    const body = submission({ startTime: daysAgo(0), testCases });
    const { projectId: id } = await server.client.submitRun({ body });
    const view = await server.client.createView({ params: { id }, body: { name: 'x', query: FAILURES } });
    const lines = (await (await get(`/api/views/${view.id}/rows?format=jsonl`)).text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { title: string }).title)).toEqual(
      testCases.map(({ title }) => title),
    );
  });

  it('needs a format', async () => {
    const { id } = await save(FAILURES);
    expect((await get(`/api/views/${id}/rows?format=xml`)).status).toBe(400);
  });
});

describe('the badge of a view', () => {
  it('tells how many rows it finds, and follows', async () => {
    const { id } = await save({ ...FAILURES, days: 3, order: '-duration' }, 'Red <&"> \u0000tests');
    const badge = await get(`/api/views/${id}/badge.svg`);
    expect(badge.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    const picture = await badge.text();
    expect(picture).toContain('<title>Red &lt;&amp;&quot;&gt; \ufffdtests: 3</title>');
    await server.client.submitRun({
      body: submission({ projectName, startTime: daysAgo(0), testCases: [testCase({ status: 'failed' })] }),
    });
    expect(await (await get(`/api/views/${id}/badge.svg`)).text()).toContain(': 4</title>');
    await server.client.updateView({ params: { id }, body: { query: { over: 'tests' } } });
    expect(await (await get(`/api/views/${id}/badge.svg`)).text()).toContain(': 4</title>');
  });
});
