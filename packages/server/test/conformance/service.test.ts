import { endpoints, type EndpointName } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, sharedServer } from '../server.ts';
import { submission } from './build.ts';
import { SUBMIT, expectError, readJson, request, sendJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

describe('probes', () => {
  it.each(['/healthz', '/readyz'])('%s answers 200', async (path) => {
    expect((await request(server, path)).status).toBe(200);
  });

  it('/metrics answers the text format of Prometheus', async () => {
    const response = await request(server, '/metrics');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^(?:text\/plain|application\/openmetrics-text)\b/);
    const text = await response.text();
    expect(text).toMatch(/^# HELP \S+ /m);
    expect(text).toMatch(/^# TYPE \S+ (?:counter|gauge|histogram|summary)$/m);
  });
});

describe('the session when authentication is disabled', () => {
  it('is nobody', async () => {
    expect(await readJson(server, '/api/auth/me')).toEqual({ authenticated: false, user: null });
  });

  it('does not keep anyone from writing, deleting and administering', async () => {
    const { testRunId, projectId } = await server.client.submitRun({ body: submission() });
    await server.client.updateProject({ params: { id: projectId }, body: { label: 'Open' } });
    await server.client.getStats();
    await server.client.cleanUp({ body: { olderThanDays: 36_500 } });
    await server.client.deleteRun({ params: { id: testRunId } }).catch(() => undefined);
    await expectError(await request(server, `/api/test-runs/${testRunId}`), 404, 'run_not_found');
  });
});

describe('a path that is not there', () => {
  it.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/projects/1/nope',
    '/api/test-runs',
    '/api/test-cases',
    '/api/v1/projects',
  ])('%s is a 404 in JSON', async (path) => {
    await expectError(await request(server, path), 404, 'not_found');
  });

  it('is a 404 in JSON under /api for a browser too', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml' };
    await expectError(await request(server, '/api/nope', { headers }), 404, 'not_found');
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('is a 404 in JSON for %s', async (method) => {
    await expectError(await request(server, '/api/nope', { method }), 404, 'not_found');
  });

  it.each([
    ['PUT', '/api/projects'],
    ['PATCH', '/api/projects/1'],
    ['PATCH', '/api/test-runs/1'],
    ['PROPFIND', '/api/test-runs/1'],
    ['POST', '/api/files/reports/1/index.html'],
    ['PUT', '/projects/1'],
    ['DELETE', '/healthz'],
    ['POST', '/api/events'],
  ])('%s %s, a method that is not there, is a 405 that says which are', async (method, path) => {
    const body = method === 'POST' ? { body: 'x'.repeat(100_000), headers: { 'content-type': 'text/plain' } } : {};
    const response = await request(server, path, { method, ...body });
    const allow = response.headers.get('allow');
    expect(allow?.split(', ')).toEqual(expect.arrayContaining(['GET', 'HEAD', 'OPTIONS']));
    expect(allow).not.toContain(method);
    await expectError(response, 405, 'method_not_allowed');
  });

  it.each([
    ['/api/projects', 'GET, HEAD, OPTIONS, POST'],
    ['/api/test-runs/1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['/api/test-runs/submit', 'OPTIONS, POST'],
    ['/', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS %s tells the methods of the path', async (path, allow) => {
    const response = await request(server, path, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([204, allow, '']);
  });

  it.each(['OPTIONS', 'PATCH', 'DELETE'])('is a 404 for %s where no method is taken', async (method) => {
    for (const path of ['/api/nope', '/projects/0', '/api/projects/1/nope']) {
      await expectError(await request(server, path, { method }), 404, 'not_found');
    }
  });

  it('is a 404 outside of /api', async () => {
    expect((await request(server, '/no/such/page')).status).toBe(404);
  });

  it.each(['/api/projects/%', '/api/projects/%E0%A4%A', '/api/%00'])('%s is a 4xx', async (path) => {
    const response = await request(server, path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  });
});

describe('errors', () => {
  it('have each their own request id', async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 5; count++) {
      ids.add((await expectError(await request(server, '/api/test-runs/999999999'), 404)).requestId);
    }
    expect(ids.size).toBe(5);
  });

  it('say nothing about the inside of the service', async () => {
    const response = await sendJson(server, 'POST', SUBMIT, { ...submission(), testCases: 5 });
    expect(await response.text()).not.toMatch(/node_modules|\.ts:\d|\bat \w+ \(|SQLITE|stack/i);
  });
});

describe('CORS', () => {
  it('is off', async () => {
    const headers = { origin: 'https://elsewhere.test' };
    const response = await request(server, '/api/projects', { headers });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    const answer = await request(server, SUBMIT, { method: 'OPTIONS', headers: preflight });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the description of the interface', () => {
  const inScope: EndpointName[] = [
    'submitRun',
    'listProjects',
    'getProject',
    'createProject',
    'updateProject',
    'getPerformance',
    'listSlowTests',
    'listTests',
    'getRun',
    'listRunRequests',
    'deleteRun',
    'getTestCase',
    'getFirstDifference',
    'getStats',
    'cleanUp',
    'getSession',
    'listFlakyTests',
    'getFlakeCost',
    'compareRun',
    'explainRun',
    'listClusters',
    'getCluster',
    'listRunClusters',
    'listViews',
    'getView',
    'judgeFailures',
    'findRun',
    'getTest',
    'getTestSince',
    'listChangedTests',
    'listFlakeFactors',
    'searchEverything',
    'getStorage',
    'previewCleanup',
    'getService',
    'streamEvents',
  ];

  interface OpenApi {
    openapi: string;
    info: { title: string; version: string };
    paths: Record<string, Record<string, { parameters?: unknown[]; responses?: Record<string, unknown> }>>;
    components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
  }
  let document: OpenApi;
  beforeAll(async () => {
    document = (await readJson(server, '/api/openapi.json')) as OpenApi;
  });

  it('is OpenAPI 3.1 with a title and a version', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).toBeTypeOf('string');
    expect(document.info.version).toBeTypeOf('string');
  });

  it.each(inScope)('describes %s with its success', (name) => {
    const { method, path } = endpoints[name];
    const operation = document.paths[path]?.[method.toLowerCase()];
    expect(operation, `${method} ${path}`).toBeDefined();
    expect(operation?.responses).toHaveProperty('200');
  });

  it('says which parameters must be there', () => {
    const { parameters } = document.paths['/api/search']!['get']!;
    expect(parameters).toMatchObject([
      { name: 'q', in: 'query', required: true },
      { name: 'limit', in: 'query', required: false },
    ]);
  });

  it('says that events are a stream', () => {
    const { responses } = document.paths['/api/events']!['get']!;
    expect(responses).toMatchObject({ 200: { content: { 'text/event-stream': {} } } });
  });

  it('declares every parameter of every path', () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
        expect(JSON.stringify(operations), `${path} ${name}`).toContain(`"name":"${name}"`);
      }
    }
  });

  it('lists the fields of what has a title of its own, such as a test case', () => {
    const { schemas } = document.components;
    expect(schemas['SubmittedCase']?.properties).toMatchObject({
      title: { type: 'string', minLength: 1, maxLength: 1000 },
      status: { type: 'string' },
    });
    expect(schemas['Step']?.properties).toHaveProperty('title');
    expect(schemas['FailedTest']?.properties).toHaveProperty('failingSince');
    expect(Object.keys(schemas).filter((name) => !/^[\w.-]+$/.test(name))).toEqual([]);
  });

  it('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]*)"/g)].map((match) => match[1]!);
    for (const reference of new Set(references)) {
      let target: unknown = document;
      for (const part of reference.split('/')) {
        const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
        target = (target as Record<string, unknown> | undefined)?.[name];
      }
      expect(target, reference).toBeDefined();
    }
  });
});
