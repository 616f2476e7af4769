import { endpoints } from '@assay/contract';
import { type Random, createRandom, draws } from '@assay/testkit';
import { Compile } from 'typebox/compile';
import { expect, it } from 'vitest';
import { minute, richCase, runStart, testCase } from '../conformance/build.ts';
import { expectError, request } from '../conformance/wire.ts';
import { hostileText, mutateBytes, mutateValue, randomBytes } from '../robustness/mutate.ts';
import { startTestServer } from '../server.ts';

const SEED = process.env['ROBUSTNESS_SEED'] ?? 'live fuzz';
const ROUNDS = draws(125);

const projectName = 'fuzz';

const startOf = (random: Random): object => ({
  projectName,
  startTime: minute(random.integer(0, 9)),
  runKey: `key ${random.integer(1, 3)}`,
  shard: { index: random.integer(1, 3), total: 3 },
  attempt: random.integer(1, 3),
  branch: 'main',
  metadata: { ci: ['a', { b: 1 }] },
  expectedTests: 4,
});

const casesOf = (n: number) => [testCase({ title: `plain ${n % 5}` }), richCase({ title: `rich ${n % 3}` })];

it(`bodies of live runs and of parts are refused in words or stored, and never in half (seed ${SEED})`, async () => {
  await using server = await startTestServer();
  const { client } = server;
  const start = () => client.startRun({ body: runStart({ projectName }) });
  const { testRunId, projectId, part } = await start();
  let ending = await start();
  let finished = 0;
  let stored = 0;
  let nextBatch = 0;
  const targets: [path: () => string, body: (random: Random, n: number) => object][] = [
    [() => '/api/test-runs/start', startOf],
    [() => `/api/test-runs/${testRunId}/results`, (_random, n) => ({ part, batch: nextBatch, testCases: casesOf(n) })],
    [
      () => `/api/test-runs/${ending.testRunId}/finish`,
      () => ({ part: ending.part, status: 'passed', duration: 1, totalTests: 3 }),
    ],
    [() => '/api/test-runs/submit', (random, n) => ({ ...startOf(random), status: 'failed', testCases: casesOf(n) })],
  ];
  for (let n = 0; n < ROUNDS; n++) {
    const random = createRandom(SEED).fork(n);
    const [pathOf, build] = random.pick(targets);
    const path = pathOf();
    const valid = build(random, n);
    const body = random.pick([
      () => hostileText(mutateValue(random, valid)),
      () => hostileText(mutateValue(random, valid)),
      () => mutateBytes(random, Buffer.from(JSON.stringify(valid))),
      () => randomBytes(random, 100),
    ])();
    const headers = { 'content-type': 'application/json' };
    const response = await request(server, path, { method: 'POST', headers, body: body as RequestInit['body'] });
    const name = `${n}: ${path} ${Buffer.from(body).toString('latin1').slice(0, 1_000)}`;
    if (response.status === 200) {
      const reply = (await response.json()) as { nextBatch: number };
      if (path.endsWith('/results') && reply.nextBatch > nextBatch) {
        nextBatch = reply.nextBatch;
        stored += (JSON.parse(Buffer.from(body).toString()) as { testCases: unknown[] }).testCases.length;
      }
      if (path.endsWith('/finish')) {
        expect((await client.getRun({ params: { id: ending.testRunId } })).status, name).not.toBe('running');
        finished++;
        ending = await start();
      }
      continue;
    }
    expect([400, 404, 409], name).toContain(response.status);
    const error = await expectError(response, response.status);
    if (error.code === 'invalid_body') expect(error.issues?.length, name).toBeGreaterThan(0);
  }
  expect(nextBatch).toBeGreaterThan(3);
  expect(finished).toBeGreaterThan(3);
  expect((await client.getRun({ params: { id: ending.testRunId } })).status).toBe('running');
  const run = await client.getRun({ params: { id: testRunId } });
  expect(run).toMatchObject({ status: 'running', totalTests: stored });
  expect(run.testCases).toHaveLength(stored);

  const { testRuns } = await client.getProject({ params: { id: projectId } });
  const check = Compile(endpoints.getRun.reply);
  let results = 0;
  for (const { id } of testRuns) {
    const found = await client.getRun({ params: { id } });
    expect([...check.Errors(found)]).toEqual([]);
    results += found.testCases.length;
  }
  const tests = await client.listTests({ params: { id: projectId } });
  expect(tests.reduce((sum, test) => sum + test.totalRuns, 0)).toBe(results);
  expect((await client.getProject({ params: { id: projectId } })).totalTestCases).toBe(tests.length);
});
