import { type Submission, type SubmissionReply, endpoints } from '@assay/contract';
import { type Random, createRandom, draws } from '@assay/testkit';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minute, richCase, testCase } from '../conformance/build.ts';
import { SUBMIT, expectError, expectIssue, request } from '../conformance/wire.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { hostileText, mutateBytes, mutateValue, randomBytes } from './mutate.ts';

const SEED = process.env['ROBUSTNESS_SEED'] ?? process.env['ASSAY_SEED'] ?? 'fuzz';
const BATCH = 50;
const HANGS_AFTER_MS = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ maxBodyBytes: 4 * 1024 * 1024 });
});
afterAll(() => server.stop());

const validSubmission = (random: Random, n: number): Submission => ({
  projectName: `fuzz ${random.integer(1, 4)}`,
  status: 'failed',
  startTime: minute(n),
  duration: 1_200,
  totalTests: 4,
  passedTests: 2,
  failedTests: 1,
  skippedTests: 1,
  branch: 'main',
  commit: 'abc123',
  metadata: { scm: { branch: 'main', commit: 'def' }, ci: ['a', { b: 1 }] },
  testCases: [
    testCase({ title: `plain ${n % 7}`, tags: ['@a'] }),
    testCase({ title: 'flaky', retries: 1, browser: 'firefox' }),
    richCase(),
    testCase({ title: 'skipped', status: 'skipped', duration: null, location: null }),
  ],
});

const submit = (body: Uint8Array | string): Promise<Response> =>
  request(server, SUBMIT, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body as RequestInit['body'],
    signal: AbortSignal.timeout(HANGS_AFTER_MS),
  });

/** Sends one body after another, some at a time; answers what was accepted. */
const submitAll = async (count: number, label: string, build: (random: Random, n: number) => Uint8Array | string) => {
  const accepted: SubmissionReply[] = [];
  for (let start = 0; start < count; start += BATCH) {
    const replies = await Promise.all(
      Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => submitOne(label, start + offset, build)),
    );
    const stored = replies.filter((reply) => reply !== null);
    accepted.push(...stored);
    if (stored.length > 0) await expectReadable(createRandom(SEED).fork(start).pick(stored));
  }
  return accepted;
};

const submitOne = async (
  label: string,
  n: number,
  build: (random: Random, n: number) => Uint8Array | string,
): Promise<SubmissionReply | null> => {
  const body = build(createRandom(SEED).fork(label).fork(n), n);
  const name = `seed ${SEED}, ${label} ${n}: ${Buffer.from(body).toString('latin1').slice(0, 3_000)}`;
  const response = await submit(body);
  if (response.status === 200) return (await response.json()) as SubmissionReply;
  expect(response.status, name).toBeGreaterThanOrEqual(400);
  expect(response.status, name).toBeLessThan(500);
  const error = await expectError(response, response.status);
  if (error.code === 'invalid_body') expect(error.issues?.length, name).toBeGreaterThan(0);
  return null;
};

const replies = new Map<TSchema, ReturnType<typeof Compile>>();

/** A 200 with a body of the shape that the contract promises. */
const expectReply = async (path: string, schema: TSchema): Promise<unknown> => {
  const response = await request(server, path, { signal: AbortSignal.timeout(HANGS_AFTER_MS) });
  const text = await response.text();
  expect(response.status, `${path}: ${text.slice(0, 3_000)}`).toBe(200);
  const body: unknown = JSON.parse(text);
  if (!replies.has(schema)) replies.set(schema, Compile(schema));
  const reply = replies.get(schema)!;
  if (!reply.Check(body)) expect([...reply.Errors(body)], `${path}: ${text.slice(0, 3_000)}`).toEqual([]);
  return body;
};

const expectReadable = async ({ testRunId, projectId }: SubmissionReply): Promise<void> => {
  const project = `/api/projects/${projectId}`;
  const run = (await expectReply(`/api/test-runs/${testRunId}`, endpoints.getRun.reply)) as {
    testCases: { id: number }[];
  };
  await expectReply(`/api/test-runs/${testRunId}?details=false&limit=2`, endpoints.getRun.reply);
  await expectReply(`/api/test-runs/${testRunId}/network-requests`, endpoints.listRunRequests.reply);
  await expectReply('/api/projects', endpoints.listProjects.reply);
  await expectReply(`${project}?limit=30`, endpoints.getProject.reply);
  await expectReply(`${project}/performance`, endpoints.getPerformance.reply);
  await expectReply(`${project}/slow-tests`, endpoints.listSlowTests.reply);
  await expectReply(`${project}/test-cases`, endpoints.listTests.reply);
  for (const { id } of run.testCases.slice(0, 5)) {
    await expectReply(`/api/test-cases/${id}`, endpoints.getTestCase.reply);
  }
};

describe('submissions that are not what they should be are refused in words or stored and readable', () => {
  it('whose values were deleted, doubled, moved or replaced', async () => {
    const accepted = await submitAll(draws(200), 'values', (random, n) =>
      hostileText(mutateValue(random, validSubmission(random, n))),
    );
    expect(accepted.length).toBeGreaterThan(40);
    for (const { testRunId } of accepted) await expectReply(`/api/test-runs/${testRunId}`, endpoints.getRun.reply);
    for (const projectId of new Set(accepted.map((reply) => reply.projectId))) {
      await expectReply(`/api/projects/${projectId}`, endpoints.getProject.reply);
      await expectReply(`/api/projects/${projectId}/test-cases`, endpoints.listTests.reply);
    }
  });

  it('whose bytes were turned, cut or mixed with others', async () => {
    await submitAll(draws(120, 2_000), 'bytes', (random, n) =>
      mutateBytes(random, Buffer.from(JSON.stringify(validSubmission(random, n)))),
    );
  });

  it('that are random bytes', async () => {
    expect(await submitAll(draws(40, 600), 'random', (random) => randomBytes(random, 300))).toEqual([]);
  });
});

describe('other bodies that are not what they should be', () => {
  it('are refused in words or accepted', async () => {
    const { projectId } = await server.client.submitRun({ body: validSubmission(createRandom(SEED), 0) });
    const targets: [method: string, path: string, body: unknown][] = [
      ['PUT', `/api/projects/${projectId}`, { label: 'Shop', description: 'All of it' }],
      ['DELETE', '/api/admin/cleanup', { olderThanDays: 36_500 }],
    ];
    for (let n = 0; n < draws(80, 1_600); n++) {
      const random = createRandom(SEED).fork('other').fork(n);
      const [method, path, valid] = random.pick(targets);
      const body = hostileText(mutateValue(random, valid));
      const headers = { 'content-type': 'application/json' };
      const response = await request(server, path, { method, headers, body });
      expect([200, 400], `seed ${SEED}, ${method} ${path} ${body}`).toContain(response.status);
      if (response.status === 200) await response.json();
      else expect((await expectError(response, 400, 'invalid_body')).issues?.length, body).toBeGreaterThan(0);
    }
    await expectReply(`/api/projects/${projectId}`, endpoints.getProject.reply);
  });
});

describe('at an edge', () => {
  it.each(['0000-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'])(
    'of the calendar, %s is refused or stored and readable',
    async (startTime) => {
      const response = await submit(JSON.stringify({ ...validSubmission(createRandom(SEED), 0), startTime }));
      if (response.status === 200) await expectReadable((await response.json()) as SubmissionReply);
      else await expectIssue(response, '/startTime');
    },
  );

  it.each([1_000, 4_000, 20_000, 100_000])('of the stack, a field nested %d deep is no server error', async (depth) => {
    const { projectId } = await server.client.submitRun({ body: validSubmission(createRandom(SEED), 0) });
    for (const [method, path] of [
      ['PUT', `/api/projects/${projectId}`],
      ['DELETE', '/api/admin/cleanup'],
      ['POST', SUBMIT],
    ] as const) {
      const deep = '['.repeat(depth) + ']'.repeat(depth);
      const body = `{"label": "new", "olderThanDays": 36500, "unknown": ${deep}}`;
      const response = await request(server, path, {
        method,
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(HANGS_AFTER_MS),
      });
      expect([200, 400], `${method} ${path}: ${await response.text()}`).toContain(response.status);
    }
  });
});

it('the service is well after all of that', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await request(server, path)).status).toBe(200);
  expect((await server.client.submitRun({ body: validSubmission(createRandom(SEED), 1) })).success).toBe(true);
  await expectReply('/api/admin/stats', endpoints.getStats.reply);
});
