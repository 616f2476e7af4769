import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { newName, submission } from './build.ts';
import { HUGE, expectError, expectIssue, sendJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

let name: string;
let id: number;
let testRunId: number;
beforeEach(async () => {
  name = newName();
  ({ projectId: id, testRunId } = await server.client.submitRun({ body: submission({ projectName: name }) }));
});

const put = (value: unknown): Promise<Response> => sendJson(server, 'PUT', `/api/projects/${id}`, value);

describe('a change of a project', () => {
  it('answers 200 with the project', async () => {
    const response = await put({ label: 'Shop', description: 'The web shop' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, name, label: 'Shop', description: 'The web shop', totalRuns: 1 });
  });

  it('is seen in the list, in the details and beside the run', async () => {
    await server.client.updateProject({ params: { id }, body: { label: 'Shop', description: 'The web shop' } });
    const expected = { id, name, label: 'Shop', description: 'The web shop' };
    expect((await server.client.listProjects()).find((project) => project.id === id)).toMatchObject(expected);
    expect(await server.client.getProject({ params: { id } })).toMatchObject(expected);
    expect((await server.client.getRun({ params: { id: testRunId } })).project).toMatchObject({
      id,
      name,
      label: 'Shop',
    });
  });

  it('leaves a field alone that is left out', async () => {
    await server.client.updateProject({ params: { id }, body: { label: 'Shop', description: 'The web shop' } });
    expect(await server.client.updateProject({ params: { id }, body: { label: 'Store' } })).toMatchObject({
      label: 'Store',
      description: 'The web shop',
    });
    expect(await server.client.updateProject({ params: { id }, body: { description: 'Both' } })).toMatchObject({
      label: 'Store',
      description: 'Both',
    });
    expect(await server.client.updateProject({ params: { id }, body: {} })).toMatchObject({
      label: 'Store',
      description: 'Both',
    });
  });

  it('clears a field with null', async () => {
    await server.client.updateProject({ params: { id }, body: { label: 'Shop', description: 'The web shop' } });
    expect(await server.client.updateProject({ params: { id }, body: { label: null } })).toMatchObject({
      label: null,
      description: 'The web shop',
    });
    expect(await server.client.updateProject({ params: { id }, body: { description: null } })).toMatchObject({
      label: null,
      description: null,
    });
  });

  it('sets where the code is, beside runs, results and tests too, and takes only web addresses', async () => {
    const repositoryUrl = 'https://github.com/acme/shop';
    expect(
      await server.client.updateProject({ params: { id }, body: { repositoryUrl: ` ${repositoryUrl} ` } }),
    ).toMatchObject({ repositoryUrl });
    const run = await server.client.getRun({ params: { id: testRunId } });
    expect(run.project.repositoryUrl).toBe(repositoryUrl);
    const result = await server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
    expect(result.testRun.project.repositoryUrl).toBe(repositoryUrl);
    expect((await server.client.getTest({ params: { id: result.testId } })).project.repositoryUrl).toBe(repositoryUrl);
    for (const wrong of ['javascript:alert(1)', 'github.com/acme/shop', 'https://'])
      await expectIssue(await put({ repositoryUrl: wrong }), '/repositoryUrl');
    expect(await server.client.updateProject({ params: { id }, body: { repositoryUrl: '' } })).toMatchObject({
      repositoryUrl: null,
    });
  });

  it('ignores other fields, so the name stays', async () => {
    const response = await put({ label: 'Shop', name: 'renamed', id: 1_000, totalRuns: 77 });
    expect(response.status).toBe(200);
    expect(await server.client.getProject({ params: { id } })).toMatchObject({ id, name, totalRuns: 1, label: 'Shop' });
  });

  it('survives the next submission', async () => {
    await server.client.updateProject({ params: { id }, body: { label: 'Shop' } });
    await server.client.submitRun({ body: submission({ projectName: name }) });
    expect(await server.client.getProject({ params: { id } })).toMatchObject({ label: 'Shop', totalRuns: 2 });
  });

  it('of one project changes no other', async () => {
    const other = await server.client.submitRun({ body: submission() });
    await server.client.updateProject({ params: { id }, body: { label: 'Shop' } });
    expect((await server.client.getProject({ params: { id: other.projectId } })).label).toBeNull();
  });

  it('keeps unicode', async () => {
    const body = { label: 'מותג 🛒', description: 'Ünï\ncode' };
    expect(await server.client.updateProject({ params: { id }, body })).toMatchObject(body);
  });
});

describe('a change that is not valid', () => {
  it.each<[field: 'label' | 'description', value: unknown]>([
    ['label', 5],
    ['label', true],
    ['label', {}],
    ['label', ['Shop']],
    ['label', HUGE],
    ['label', 'x'.repeat(201)],
    ['description', 5],
    ['description', {}],
    ['description', 'x'.repeat(10_001)],
  ])('%s: %j is named by its pointer and changes nothing', async (field, value) => {
    await server.client.updateProject({ params: { id }, body: { label: 'Shop', description: 'Kept' } });
    await expectIssue(await put({ label: 'New', description: 'New', [field]: value }), `/${field}`);
    expect(await server.client.getProject({ params: { id } })).toMatchObject({ label: 'Shop', description: 'Kept' });
  });

  it.each([[[]], ['text'], [null], [5]])('a body that is no object: %j', async (value) => {
    await expectError(await put(value), 400, 'invalid_body');
  });
});
