import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { newName, submission, testCase } from './build.ts';
import { expectError, expectIssue, sendJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const post = (body: unknown): Promise<Response> => sendJson(server, 'POST', '/api/projects', body);
const namesOf = async (archived?: boolean): Promise<string[]> =>
  (await server.client.listProjects({ query: { archived } })).map(({ name }) => name);
const newestActs = async (count: number) =>
  (await server.client.listAudit({ query: { limit: count } })).map(({ action, details }) => [action, details]);

describe('a project that is created', () => {
  it('has no run, and the first one that names it is its own', async () => {
    const name = newName();
    const created = await server.client.createProject({ body: { name: ` ${name} `, label: 'Shop', tags: ['web'] } });
    expect(created).toMatchObject({
      name,
      label: 'Shop',
      tags: ['web'],
      archivedAt: null,
      totalRuns: 0,
      latestRun: null,
    });
    expect(await newestActs(1)).toEqual([['project.create', { projectId: created.id }]]);
    expect(await namesOf()).toContain(name);
    const { projectId, testRunId } = await server.client.submitRun({ body: submission({ projectName: name }) });
    expect(projectId).toBe(created.id);
    expect(await server.client.getProject({ params: { id: projectId } })).toMatchObject({
      totalRuns: 1,
      label: 'Shop',
      testRuns: [{ id: testRunId }],
    });
  });

  it('is refused under a name that is taken, which is named', async () => {
    const name = newName();
    await server.client.createProject({ body: { name } });
    const error = await expectError(await post({ name, label: 'Other' }), 409, 'project_exists');
    expect(error.issues).toMatchObject([{ path: '/name' }]);
  });

  it('is one when two ask at the same moment', async () => {
    const name = newName();
    const statuses = (await Promise.all([post({ name }), post({ name })])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
  });

  it.each([
    [{}, '/name'],
    [{ name: '  ' }, '/name'],
    [{ name: 'a\nb' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 5 }, '/name'],
    [{ name: 'ok', tags: 'web' }, '/tags'],
    [{ name: 'ok', tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, '/tags'],
    [{ name: 'ok', tags: ['a', 'x'.repeat(41)] }, '/tags/1'],
    [{ name: 'ok', tags: ['a,b'] }, '/tags/0'],
    [{ name: 'ok', tags: ['a\u0000'] }, '/tags/0'],
    [{ name: 'ok', repositoryUrl: 'javascript:alert(1)' }, '/repositoryUrl'],
  ])('is refused with %j', async (body, path) => {
    await expectIssue(await post(body), path);
    expect(await namesOf()).not.toContain('ok');
  });
});

describe('tags of a project', () => {
  it('are trimmed, each once, and cleared by null', async () => {
    const { id } = await server.client.createProject({ body: { name: newName() } });
    const update = (body: Parameters<typeof server.client.updateProject>[0]['body']) =>
      server.client.updateProject({ params: { id }, body });
    expect((await update({ tags: [' web ', 'b', '', 'web', 'Web'] })).tags).toEqual(['web', 'b', 'Web']);
    expect(await newestActs(1)).toEqual([['project.update', { projectId: id, changed: ['tags'] }]]);
    expect((await update({ label: 'x' })).tags).toEqual(['web', 'b', 'Web']);
    expect((await update({ tags: null })).tags).toEqual([]);
  });
});

describe('an archived project', () => {
  it('is left out of lists and searches, can be read, takes runs in and stays archived until it is restored', async () => {
    const name = newName('old');
    const title = newName('rare title');
    const body = submission({ projectName: name, branch: `of-${name}`, testCases: [testCase({ title })] });
    const { projectId: id, testRunId } = await server.client.submitRun({ body });
    const etag = (await fetch(`${server.url}/api/projects`)).headers.get('etag')!;
    const search = async (q: string) => {
      const { projects, runs, tests } = await server.client.searchEverything({ query: { q } });
      return [projects.length, runs.length, tests.length];
    };
    expect([await search(name), await search(title)]).toEqual([
      [1, 1, 0],
      [0, 0, 1],
    ]);

    const archived = await server.client.updateProject({ params: { id }, body: { archived: true } });
    expect(archived.archivedAt).toEqual(expect.any(String));
    expect((await fetch(`${server.url}/api/projects`, { headers: { 'if-none-match': etag } })).status).toBe(200);
    expect(await namesOf()).not.toContain(name);
    expect(await namesOf(true)).toContain(name);
    expect([await search(name), await search(title)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect((await search(`#${testRunId}`))[1]).toBe(1);

    await server.client.submitRun({ body });
    const { archivedAt, totalRuns } = await server.client.getProject({ params: { id } });
    expect({ archivedAt, totalRuns }).toEqual({ archivedAt: archived.archivedAt, totalRuns: 2 });
    await server.client.updateProject({ params: { id }, body: { archived: true } });
    expect((await server.client.getProject({ params: { id } })).archivedAt).toBe(archived.archivedAt);

    expect((await server.client.updateProject({ params: { id }, body: { archived: false } })).archivedAt).toBeNull();
    expect(await namesOf()).toContain(name);
    expect(await newestActs(2)).toEqual([
      ['project.unarchive', { projectId: id }],
      ['project.archive', { projectId: id }],
    ]);
  });
});
