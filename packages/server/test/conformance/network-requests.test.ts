import type { RequestGroup, SubmittedCase, SubmittedRequest } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { submission, testCase } from './build.ts';
import { readJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const call = (overrides: Partial<SubmittedRequest> = {}): SubmittedRequest => ({
  method: 'GET',
  url: 'https://a.test/api/items',
  status: 200,
  duration: 10,
  resourceType: 'fetch',
  ...overrides,
});

const groupCases = async (...testCases: SubmittedCase[]): Promise<RequestGroup[]> => {
  const { testRunId } = await server.client.submitRun({ body: submission({ testCases }) });
  return server.client.listRunRequests({ params: { id: testRunId } });
};

const group = (...networkRequests: SubmittedRequest[]): Promise<RequestGroup[]> =>
  groupCases(testCase({ networkRequests }));

describe('requests of a run', () => {
  it('are grouped by method and route, slowest average first', async () => {
    const groups = await group(
      call({ duration: 10 }),
      call({ method: 'POST', duration: 50 }),
      call({ url: 'https://a.test/api/items/7', duration: 30 }),
      call({ url: 'https://a.test/api/items/8', duration: 40 }),
      call({ duration: 20 }),
    );
    expect(groups.map(({ method, route, count }) => [method, route, count])).toEqual([
      ['POST', '/api/items', 1],
      ['GET', '/api/items/:id', 2],
      ['GET', '/api/items', 2],
    ]);
  });

  it('have the figures of their durations', async () => {
    const durations = [10, 3, 1, 8, 2, 9, 7, 4, 6, 5, 11];
    expect(await group(...durations.map((duration) => call({ duration })))).toMatchObject([
      { count: 11, avgDuration: 6, maxDuration: 11, minDuration: 1, p90Duration: 10 },
    ]);
  });

  it('are grouped over all cases of the run', async () => {
    const groups = await groupCases(
      testCase({ title: 'a', networkRequests: [call(), call()] }),
      testCase({ title: 'b', networkRequests: [call()] }),
      testCase({ title: 'c' }),
    );
    expect(groups).toHaveLength(1);
    expect(groups[0]?.count).toBe(3);
  });

  it('name each case once by its title', async () => {
    const groups = await groupCases(
      testCase({ title: 'a', networkRequests: [call(), call(), call()] }),
      testCase({ title: 'b', networkRequests: [call()] }),
      testCase({ title: 'b', browser: 'firefox', networkRequests: [call()] }),
      testCase({ title: 'c', networkRequests: [call({ method: 'PUT', duration: 1 })] }),
    );
    expect([...groups[0]!.testCases].sort()).toEqual(['a', 'b']);
    expect(groups[1]?.testCases).toEqual(['c']);
  });

  it('of other runs are not among them', async () => {
    await group(call({ url: 'https://a.test/other' }));
    expect((await group(call())).map((entry) => entry.route)).toEqual(['/api/items']);
  });

  it('are an empty array when there is none', async () => {
    const { testRunId } = await server.client.submitRun({ body: submission() });
    expect(await readJson(server, `/api/test-runs/${testRunId}/network-requests`)).toEqual([]);
  });
});

describe('the error rate', () => {
  it.each<[rate: number, statuses: number[]]>([
    [0, [200, 204, 301, 304, 399]],
    [100, [400, 404, 500, 503]],
    [50, [200, 500]],
    [25, [200, 200, 201, 404]],
    [33, [200, 200, 500]],
    [100, [0]],
    [50, [0, 200]],
    [75, [0, 400, 599, 302]],
  ])('is %i per cent for the statuses %j', async (errorRate, statuses) => {
    expect(await group(...statuses.map((status) => call({ status })))).toMatchObject([{ errorRate }]);
  });
});

describe('the route of a request', () => {
  const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  it.each([
    ['https://a.test/users/123', '/users/:id'],
    ['https://a.test/users/0/posts/42', '/users/:id/posts/:id'],
    ['https://a.test/v2/users', '/v2/users'],
    ['https://a.test/users/12a', '/users/12a'],
    [`https://a.test/orders/${uuid}`, '/orders/:uuid'],
    [`https://a.test/orders/${uuid.toUpperCase()}/lines`, '/orders/:uuid/lines'],
    ['https://a.test/blobs/a1b2c3d4e5f60718', '/blobs/:hash'],
    ['https://a.test/blobs/deadbeefdeadbeefdeadbeefdeadbeefdeadbeef', '/blobs/:hash'],
    ['https://a.test/blobs/a1b2c3d4e5f6071', '/blobs/a1b2c3d4e5f6071'],
    ['https://a.test/t/xYz1xYz2xYz3xYz4xYz5', '/t/:hash'],
    ['https://a.test/t/xYz1xYz2xYz3xYz4xYz', '/t/xYz1xYz2xYz3xYz4xYz'],
    ['https://a.test/t/internationalisations', '/t/internationalisations'],
    ['https://a.test/search?q=1&token=2', '/search'],
    ['http://user.test:8080/a/b', '/a/b'],
    ['https://a.test/', '/'],
    ['https://a.test', '/'],
    ['not a url?token=1', 'not a url'],
    ['not a url', 'not a url'],
  ])('of %s is %s', async (url, route) => {
    expect(await group(call({ url }))).toMatchObject([{ method: 'GET', route, count: 1 }]);
  });

  it('is the path only, so two hosts are one group', async () => {
    const groups = await group(call({ url: 'https://a.test/x?p=1' }), call({ url: 'http://b.test:99/x?p=2' }));
    expect(groups).toMatchObject([{ route: '/x', count: 2 }]);
  });
});

describe('static resources', () => {
  it.each(['image', 'font', 'stylesheet', 'script'])('of type %s are left out', async (resourceType) => {
    expect(
      (await group(call(), call({ url: 'https://a.test/asset', resourceType }))).map(({ route }) => route),
    ).toEqual(['/api/items']);
  });

  it.each(['fetch', 'xhr', 'document', 'websocket', 'other'])('are not requests of type %s', async (resourceType) => {
    expect(await group(call({ resourceType }))).toHaveLength(1);
  });

  it('are known by the file name when the request has no type', async () => {
    const urls = ['logo.png', 'app.js', 'site.css', 'text.woff2'].map((file) => `https://a.test/${file}?v=1`);
    const untyped = [...urls, 'https://a.test/api/plain'].map((url) => call({ url, resourceType: undefined }));
    expect((await group(...untyped)).map(({ route }) => route)).toEqual(['/api/plain']);
  });

  it('stay among the requests of their case', async () => {
    const networkRequests = [call({ url: 'https://a.test/logo.png', resourceType: 'image' })];
    const { testRunId } = await server.client.submitRun({
      body: submission({ testCases: [testCase({ networkRequests })] }),
    });
    const run = await server.client.getRun({ params: { id: testRunId } });
    expect(run.testCases[0]?.networkRequests).toMatchObject(networkRequests);
  });
});
