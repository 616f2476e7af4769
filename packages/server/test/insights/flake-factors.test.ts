import type { SubmittedCase } from '@assay/contract';
import { beforeAll, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

const RUNS = 60;

/** A test that follows another on its worker in every third run; `flaky` says in which runs it is. */
const send = async (isFlaky: (run: number) => boolean, fields: (run: number) => object = () => ({})) => {
  const projectName = newName();
  let testRunId = 0;
  for (let run = 0; run < RUNS; run++) {
    const at = (second: number) => new Date(Date.parse(minute(run * 60)) + 1_000 * second).toISOString();
    const [lane, other] = run % 3 === 0 ? [0, 1] : [1, 0];
    const testCases: SubmittedCase[] = [
      testCase({ title: 'dirty', lane: 0, startTime: at(0) }),
      testCase({ title: 'clean', lane: 1, startTime: at(0) }),
      testCase({ title: 'it', lane, startTime: at(10), retries: isFlaky(run) ? 1 : 0 }),
      testCase({ title: 'friend', lane: other, startTime: at(20), retries: isFlaky(run) ? 1 : 0 }),
    ];
    const body = submission({ projectName, branch: 'main', startTime: minute(run * 60), testCases, ...fields(run) });
    ({ testRunId } = await server.client.submitRun({ body }));
  }
  const { testCases } = await server.client.getRun({ params: { id: testRunId } });
  const { testId } = testCases.find(({ title }) => title === 'it')!;
  return server.client.listFlakeFactors({ params: { id: testId } });
};

it('a test that is flaky after another one, and with another one, is told to be', async () => {
  const told = await send((run) => run % 6 === 0);
  expect(told).toMatchObject({ branch: 'main', results: RUNS, flaky: 10 });
  const { factors } = told;
  expect(factors).toContainEqual(
    expect.objectContaining({ kind: 'before', value: 'dirty', flakyWith: 10, runsWith: 20, flakyWithout: 0 }),
  );
  expect(factors).toContainEqual(expect.objectContaining({ kind: 'together', value: 'friend', runsWith: 10 }));
  expect(factors).toContainEqual(expect.objectContaining({ kind: 'worker', value: '1', runsWith: 20 }));
  expect(factors.map(({ chance }) => chance)).toEqual(factors.map(({ chance }) => chance).toSorted((a, b) => a - b));
});

it('an environment is told, if it matters', async () => {
  const { factors } = await send(
    (run) => run % 5 === 0,
    (run) => ({ metadata: { environment: run % 5 === 0 ? 'staging' : 'production' } }),
  );
  expect(factors).toContainEqual(
    expect.objectContaining({ kind: 'environment', value: 'staging', flakyWith: 12, runsWith: 12, runsWithout: 48 }),
  );
});

it('of a test that never is flaky, or that does not exist, nothing is told', async () => {
  expect(await send(() => false)).toMatchObject({ flaky: 0, tried: 0, factors: [] });
  await expect(server.client.listFlakeFactors({ params: { id: 987_654_321 } })).rejects.toMatchObject({ status: 404 });
});
