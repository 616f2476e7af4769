import type { Submission } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyServer, type TestServer } from '../server.ts';
import { minute, newName, richCase, submission, testCase } from './build.ts';
import { expectError, request } from './wire.ts';

const COUNT = 12;

let server: TestServer;
let projectId: number;
let runId: number;
beforeAll(async () => {
  server = await emptyServer();
  for (let index = 0; index < COUNT - 1; index++) {
    await server.client.submitRun({ body: submission({ projectName: newName(), startTime: minute(index >> 2) }) });
  }
  const projectName = newName();
  const testCases = Array.from({ length: COUNT }, (_, index) =>
    richCase({
      title: `case ${index}`,
      duration: index >> 1,
      networkRequests: [
        { method: 'GET', url: `https://a.test/route${'x'.repeat(index)}`, status: 200, duration: index >> 2 },
      ],
    }),
  );
  for (let index = 0; index < COUNT; index++) {
    const body = submission({
      projectName,
      startTime: minute(index >> 2),
      testCases: index < COUNT - 1 ? [testCase()] : testCases,
    });
    ({ projectId, testRunId: runId } = await server.client.submitRun({ body }));
  }
});

type Item = Record<string, unknown>;

const list = (body: unknown): Item[] => body as Item[];

/** What is paged, where its items are in the answer, what tells them apart, and how many there are. */
const lists: [
  name: string,
  path: () => string,
  items: (body: unknown) => Item[],
  key: (item: Item) => unknown,
  count: number,
][] = [
  ['projects', () => '/api/projects', list, (item) => item['id'], COUNT],
  [
    'runs of a project',
    () => `/api/projects/${projectId}`,
    (body) => list((body as Item)['testRuns']),
    (item) => item['id'],
    COUNT,
  ],
  ['tests of a project', () => `/api/projects/${projectId}/test-cases`, list, (item) => item['id'], COUNT + 1],
  [
    'cases of a run',
    () => `/api/test-runs/${runId}`,
    (body) => list((body as Item)['testCases']),
    (item) => item['id'],
    COUNT,
  ],
  ['requests of a run', () => `/api/test-runs/${runId}/network-requests`, list, (item) => item['route'], COUNT],
];

interface Answer {
  readonly body: unknown;
  readonly next: string | null;
}

const read = async (path: string): Promise<Answer> => {
  const response = await request(server, path);
  expect(response.status, path).toBe(200);
  const link = /<([^>]*)>\s*;\s*rel="?next"?/.exec(response.headers.get('link') ?? '')?.[1];
  return {
    body: await response.json(),
    next: link === undefined ? null : new URL(link, new URL(path, server.url)).href,
  };
};

const walk = async (path: string): Promise<unknown[]> => {
  const bodies: unknown[] = [];
  for (let next: string | null = path; next !== null;) {
    const answer: Answer = await read(next);
    bodies.push(answer.body);
    next = answer.next;
    expect(bodies.length, 'pages').toBeLessThan(50);
  }
  return bodies;
};

describe.each(lists)('the list of %s', (_, path, itemsOf, keyOf, count) => {
  it('is whole and has no next page without a limit', async () => {
    const { body, next } = await read(path());
    expect(itemsOf(body)).toHaveLength(count);
    expect(new Set(itemsOf(body).map(keyOf)).size).toBe(count);
    expect(next).toBeNull();
  });

  it.each([1, 2, 4, 5, 11])('by pages of %i has every item exactly once, in the same order', async (limit) => {
    const whole = itemsOf((await read(path())).body);
    const pages = (await walk(`${path()}?limit=${limit}`)).map(itemsOf);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
    expect(pages[0]).toHaveLength(limit);
    expect(pages.flat().map(keyOf)).toEqual(whole.map(keyOf));
  });

  it('has pages whose items are as in the whole list', async () => {
    const whole = itemsOf((await read(path())).body);
    expect((await walk(`${path()}?limit=5`)).flatMap(itemsOf)).toEqual(whole);
  });

  it.each([13, 1_000])('has one page with the limit %i', async (limit) => {
    const { body, next } = await read(`${path()}?limit=${limit}`);
    expect(itemsOf(body)).toHaveLength(count);
    expect(next).toBeNull();
  });

  it('keeps its shape when it is paged', async () => {
    const shape = (body: unknown) => (Array.isArray(body) ? 'array' : Object.keys(body as object).sort());
    const whole = shape((await read(path())).body);
    for (const body of await walk(`${path()}?limit=5`)) expect(shape(body)).toEqual(whole);
  });

  it('answers 304 to the ETag of a page', async () => {
    const first = await request(server, `${path()}?limit=3`);
    await first.arrayBuffer();
    const headers = { 'if-none-match': first.headers.get('etag') ?? 'none' };
    expect((await request(server, `${path()}?limit=3`, { headers })).status).toBe(304);
  });

  it.each(['0', '-1', 'abc', '1.5', '1001', 'NaN'])('cannot have the limit %s', async (limit) => {
    const error = await expectError(await request(server, `${path()}?limit=${limit}`), 400, 'invalid_query');
    expect(JSON.stringify([error.message, error.issues])).toContain('limit');
  });

  it.each(['garbage', '%7B%7D', 'bnVsbA==', '____', 'x'.repeat(201)])('refuses the cursor %s', async (cursor) => {
    await expectError(await request(server, `${path()}?limit=2&cursor=${cursor}`), 400, 'invalid_query');
  });
});

describe('a page of a run', () => {
  const shardOf = (projectName: string, runKey: string, index: number, fields: Partial<Submission> = {}) => {
    const durationOfShard = 100 * index;
    const testCases = ['a', 'b', 'c'].map((letter, place) =>
      testCase({
        title: `${index}${letter}`,
        networkRequests: [
          {
            method: 'GET',
            url: `https://a.test/${index}${letter}`,
            status: 200,
            duration: durationOfShard - (place >> 1),
          },
        ],
      }),
    );
    const body = submission({ projectName, runKey, shard: { index, total: 3 }, testCases, ...fields });
    return server.client.submitRun({ body });
  };
  const titles = ({ body }: Answer) => list((body as Item)['testCases']).map((item) => item['title']);
  const rest = async (next: string | null): Promise<unknown[]> =>
    next === null ? [] : (await walk(next)).flatMap((body) => titles({ body, next }));

  it('goes on where the last one ended when a shard arrived before it, within it or behind it', async () => {
    const [projectName, runKey] = [newName(), newName('key')];
    const { testRunId } = await shardOf(projectName, runKey, 2);
    const path = `/api/test-runs/${testRunId}?limit=2`;
    const first = await read(path);
    expect(titles(first)).toEqual(['2a', '2b']);
    await shardOf(projectName, runKey, 1);
    expect(await rest(first.next)).toEqual(['2c']);
    const second = await read(path);
    await shardOf(projectName, runKey, 3);
    expect([titles(second), await rest(second.next)]).toEqual([
      ['1a', '1b'],
      ['1c', '2a', '2b', '2c', '3a', '3b', '3c'],
    ]);
    expect(await rest(first.next)).toEqual(['2c', '3a', '3b', '3c']);
  });

  it('misses nothing of the other shards when the shard where the last one ended was replaced', async () => {
    const [projectName, runKey] = [newName(), newName('key')];
    const { testRunId } = await shardOf(projectName, runKey, 1);
    await shardOf(projectName, runKey, 2);
    const first = await read(`/api/test-runs/${testRunId}?limit=2`);
    expect(titles(first)).toEqual(['1a', '1b']);
    await shardOf(projectName, runKey, 1, { attempt: 2, testCases: [testCase({ title: 'again' })] });
    expect(await rest(first.next)).toEqual(['again', '2a', '2b', '2c']);
  });

  it('of requests goes on where the last one ended when a shard with slower and faster ones arrived', async () => {
    const [projectName, runKey] = [newName(), newName('key')];
    const { testRunId } = await shardOf(projectName, runKey, 2);
    const first = await read(`/api/test-runs/${testRunId}/network-requests?limit=1`);
    await shardOf(projectName, runKey, 3);
    await shardOf(projectName, runKey, 1);
    const routes = [first.body, ...(await walk(first.next!))].flatMap((body) =>
      list(body).map((item) => item['route']),
    );
    expect(routes).toEqual(['/2a', '/2b', '/2c', '/1a', '/1b', '/1c']);
  });

  it.each(['0:0', '0:1', '0:3', '0:999999999999', '-1:2', '1.5:0', '9:9'])(
    'answers a list to the cursor %s, wherever it came from',
    async (place) => {
      const [projectName, runKey] = [newName(), newName('key')];
      const { testRunId } = await shardOf(projectName, runKey, 2);
      const cursor = Buffer.from(place).toString('base64url');
      for (const id of [runId, testRunId]) {
        await read(`/api/test-runs/${id}?limit=2&cursor=${cursor}`);
        await read(`/api/test-runs/${id}/network-requests?limit=2&cursor=${cursor}`);
      }
    },
  );
});

describe('the fields beside the paged items', () => {
  it('of a project are those of the whole project on every page', async () => {
    const { testRuns: _, ...whole } = (await read(`/api/projects/${projectId}`)).body as Item;
    for (const body of await walk(`/api/projects/${projectId}?limit=5`)) expect(body).toMatchObject(whole);
  });

  it('of a run are those of the whole run on every page', async () => {
    const { testCases: _, ...whole } = (await read(`/api/test-runs/${runId}`)).body as Item;
    for (const body of await walk(`/api/test-runs/${runId}?limit=5`)) expect(body).toMatchObject(whole);
  });
});

describe('the next page of a run without details', () => {
  it('is without details too', async () => {
    const pages = await walk(`/api/test-runs/${runId}?details=false&limit=5`);
    const cases = pages.flatMap((body) => list((body as Item)['testCases']));
    expect(cases).toHaveLength(COUNT);
    for (const testCase of cases) expect(testCase).not.toHaveProperty('steps');
  });
});
