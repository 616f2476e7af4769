import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { minute, newName, richCase, submission, testCase } from './build.ts';
import { request } from './wire.ts';

let server: TestServer;
let projectName: string;
let projectId: number;
let runId: number;
let caseId: number;
let userId: number;
let startAt = 0;
beforeAll(async () => {
  server = await sharedServer();
  projectName = newName();
  const body = submission({ projectName, testCases: [richCase(), testCase()] });
  ({ projectId, testRunId: runId } = await server.client.submitRun({ body }));
  const run = await server.client.getRun({ params: { id: runId } });
  caseId = run.testCases.find((testCase) => testCase.title === 'works')!.id;
  const { user } = await server.client.createUser({
    body: { username: 'someone', password: 'password', role: 'reporter' },
  });
  userId = user.id;
});

/** The new run is the newest and has a result of the test whose case is read. */
const submitNext = () =>
  server.client.submitRun({
    body: submission({ projectName, startTime: minute(++startAt), testCases: [testCase({ duration: startAt })] }),
  });

const reads: [string, () => string][] = [
  ['the projects', () => '/api/projects'],
  ['the projects by page', () => '/api/projects?limit=5'],
  ['a project', () => `/api/projects/${projectId}`],
  ['the performance of a project', () => `/api/projects/${projectId}/performance`],
  ['the slow tests of a project', () => `/api/projects/${projectId}/slow-tests`],
  ['the tests of a project', () => `/api/projects/${projectId}/test-cases`],
  ['a run', () => `/api/test-runs/${runId}`],
  ['a run without details', () => `/api/test-runs/${runId}?details=false`],
  ['the requests of a run', () => `/api/test-runs/${runId}/network-requests`],
  ['a test case', () => `/api/test-cases/${caseId}`],
];

const accountReads: [string, () => string][] = [
  ['the users', () => '/api/users'],
  ['the API keys of a user', () => `/api/users/${userId}/api-keys`],
];

const etagOf = async (path: string): Promise<string> => {
  const response = await request(server, path);
  await response.arrayBuffer();
  expect(response.status).toBe(200);
  return response.headers.get('etag') ?? '';
};

describe.each([...reads, ...accountReads])('reading %s', (_, path) => {
  it('has an ETag that stays while nothing changes', async () => {
    const etag = await etagOf(path());
    expect(etag).toMatch(/^(?:W\/)?"[^"]+"$/);
    expect(await etagOf(path())).toBe(etag);
  });

  it('answers 304 without a body to its own ETag', async () => {
    const etag = await etagOf(path());
    const response = await request(server, path(), { headers: { 'if-none-match': etag } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    expect(response.headers.get('etag')).toBe(etag);
  });

  it('answers 304 to its ETag in a list, in weak form, and to *', async () => {
    const etag = await etagOf(path());
    const opaque = etag.replace(/^W\//, '');
    for (const value of [`"other", ${etag}`, `W/${opaque}`, `${etag},"other"`, '*']) {
      const response = await request(server, path(), { headers: { 'if-none-match': value } });
      expect(response.status, value).toBe(304);
    }
  });

  it('answers 200 with the body to another ETag', async () => {
    const response = await request(server, path(), { headers: { 'if-none-match': '"other", W/"another"' } });
    expect(response.status).toBe(200);
    expect(await response.json()).toBeTypeOf('object');
  });

  it('by HEAD answers the same headers without a body', async () => {
    const etag = await etagOf(path());
    const response = await request(server, path(), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  });
});

describe('the users and their API keys', () => {
  it('have another ETag after a change of them, and the old one answers 200', async () => {
    const before = await Promise.all(accountReads.map(([, path]) => etagOf(path())));
    await server.client.updateUser({ params: { id: userId }, body: { name: 'Another Name' } });
    await server.client.createApiKey({ params: { id: userId }, body: { name: 'CI' } });
    for (const [index, [, path]] of accountReads.entries()) {
      const response = await request(server, path(), { headers: { 'if-none-match': before[index]! } });
      expect(response.status).toBe(200);
    }
  });
});

/** What a new run of the project changes: the run itself stays as it was. */
const changing = reads.filter(([name]) => !name.includes('run'));

describe.each(changing)('after a write, %s', (_, path) => {
  it('has another ETag when a run was submitted, and the old one answers 200', async () => {
    const etag = await etagOf(path());
    await submitNext();
    const response = await request(server, path(), { headers: { 'if-none-match': etag } });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect(response.headers.get('etag')).not.toBe(etag);
  });

  it('has another ETag when a run was deleted', async () => {
    const { testRunId } = await submitNext();
    const etag = await etagOf(path());
    await server.client.deleteRun({ params: { id: testRunId } });
    expect(await etagOf(path())).not.toBe(etag);
  });

  it('has another ETag after each of many quick writes', async () => {
    const etags = new Set([await etagOf(path())]);
    for (let count = 0; count < 8; count++) {
      await submitNext();
      etags.add(await etagOf(path()));
    }
    expect(etags.size).toBe(9);
  });
});

describe('after a change of the project', () => {
  it.each([
    ['the projects', () => '/api/projects'],
    ['the project', () => `/api/projects/${projectId}`],
    ['the run, which names the label,', () => `/api/test-runs/${runId}`],
  ])('%s has another ETag', async (_, path) => {
    const etags: string[] = [];
    for (const label of ['One', 'Two', 'Three', null]) {
      await server.client.updateProject({ params: { id: projectId }, body: { label } });
      etags.push(await etagOf(path()));
    }
    expect(new Set(etags).size).toBe(4);
  });
});

describe('a read that fails', () => {
  it('is no 304, whatever If-None-Match says', async () => {
    const response = await request(server, '/api/test-runs/999999999', { headers: { 'if-none-match': '*' } });
    expect(response.status).toBe(404);
  });

  it('is 404 by HEAD as well', async () => {
    expect((await request(server, '/api/projects/999999999', { method: 'HEAD' })).status).toBe(404);
  });

  it('follows a deletion although the client knows the ETag', async () => {
    const { testRunId } = await submitNext();
    const etag = await etagOf(`/api/test-runs/${testRunId}`);
    await server.client.deleteRun({ params: { id: testRunId } });
    const response = await request(server, `/api/test-runs/${testRunId}`, { headers: { 'if-none-match': etag } });
    expect(response.status).toBe(404);
  });
});
