import { type Socket, connect } from 'node:net';
import { aCase, aSubmission } from '@assay/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from './robustness/service-process.ts';
import { type TestServer, startTestServer } from './server.ts';

const CASES = 22_000;
/** With it the answer about a run is larger than what the buffers of a connection take. */
const ERROR = 'expected what is not there '.repeat(30);

const logged: string[] = [];
let server: TestServer;
let runId: number;
let projectId: number;
beforeAll(async () => {
  // Nothing is kept, so that each read does all of its work.
  server = await startTestServer(
    { answerCacheBytes: 0, segmentCacheBytes: 0, logLevel: 'warn' },
    { write: (line) => void logged.push(line) },
  );
  for (const retries of [0, 1]) {
    const testCases = Array.from({ length: CASES }, (_, index) =>
      aCase({
        title: `case ${index}`,
        retries: index % 20 === 1 ? retries : 0,
        status: index % 40 === 0 ? 'failed' : 'passed',
        error: ERROR,
      }),
    );
    ({ testRunId: runId, projectId } = await server.client.submitRun({ body: aSubmission({ testCases }) }));
  }
});
afterAll(() => server.stop());

const openConnection = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject);
  });

const ask = (socket: Socket, path: string): void =>
  void socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

const firstByte = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('data', () => resolve()));

describe('while a large answer is made', () => {
  it.each([
    ['a run', () => `/api/test-runs/${runId}?details=false`],
    ['the comparison of a run', () => `/api/test-runs/${runId}/comparison`],
    ['the tests of a project', () => `/api/projects/${projectId}/test-cases`],
    ['the tests of a project with their history', () => `/api/projects/${projectId}/test-cases?history=10`],
    ['the slow tests of a project', () => `/api/projects/${projectId}/slow-tests`],
    ['the flaky tests of a project', () => `/api/projects/${projectId}/flaky-tests`],
  ])('of %s, others who ask after it are answered before it', async (_, path) => {
    const [large, small] = [await openConnection(), await openConnection()];
    const order: string[] = [];
    const answers = [
      firstByte(large).then(() => order.push('large')),
      firstByte(small).then(() => order.push('small')),
    ];
    ask(large, path());
    ask(small, '/api/projects/1/performance?limit=1');
    await Promise.all(answers);
    expect(order).toEqual(['small', 'large']);
    large.destroy();
    small.destroy();
  });
});

describe('large answers', () => {
  it('leave no place taken by clients that go before theirs begins', async () => {
    // Few enough cases that only writing them shows how large the answer is.
    const testCases = Array.from({ length: 5_000 }, (_, index) => aCase({ title: `case ${index}`, error: ERROR }));
    const body = aSubmission({ projectName: 'less', testCases });
    const path = `/api/test-runs/${(await server.client.submitRun({ body })).testRunId}?details=false`;
    const sockets = await Promise.all(Array.from({ length: 20 }, openConnection));
    for (const socket of sockets) ask(socket, path);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    for (const socket of sockets) socket.resetAndDestroy();
    expect((await fetch(`${server.url}${path}`)).status).toBe(200);
  });

  it('are few at once; those beyond the queue are told to come again, and places of readers that go are taken', async () => {
    const path = `/api/test-runs/${runId}?details=false`;
    const begun: string[] = [];
    const idle = await Promise.all(Array.from({ length: 40 }, openConnection));
    for (const socket of idle) {
      // Nobody reads on.
      socket.once('data', (chunk) => begun.push(socket.pause() && chunk.toString('latin1')));
      ask(socket, path);
    }
    await until('some are refused', () => begun.some((answer) => answer.startsWith('HTTP/1.1 503')));
    expect(begun.find((answer) => answer.startsWith('HTTP/1.1 503'))).toMatch(/\r\nretry-after: \d+\r\n/i);
    expect(logged.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ level: 40, reason: 'Too many large answers are being read; try again shortly' }),
    );
    expect(logged.filter((line) => line.includes('stack'))).toEqual([]);
    expect(begun.filter((answer) => answer.startsWith('HTTP/1.1 200')).length).toBeLessThanOrEqual(4);
    expect((await fetch(`${server.url}/api/projects`)).status).toBe(200);
    for (const socket of idle) socket.destroy();
    let response: Response;
    do response = await fetch(`${server.url}${path}`);
    while (response.status === 503);
    expect(((await response.json()) as { testCases: unknown[] }).testCases).toHaveLength(CASES);
  });
});

describe('the flaky tests of a project', () => {
  it('come in pages, the most flaky first, each of them once', async () => {
    const seen: { id: number; rateLow: number }[] = [];
    let path: string | undefined = `/api/projects/${projectId}/flaky-tests`;
    const sizes: number[] = [];
    while (path !== undefined) {
      const response: Response = await fetch(`${server.url}${path}`);
      const page = (await response.json()) as { id: number; rateLow: number }[];
      sizes.push(page.length);
      seen.push(...page);
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(sizes).toEqual([500, 500, 100]);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(CASES / 20);
    expect(seen).toEqual(seen.toSorted((a, b) => b.rateLow - a.rateLow || a.id - b.id));
  });
});
