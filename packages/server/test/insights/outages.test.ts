import type { SubmittedCase } from '@assay/contract';
import { beforeAll, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const RUNS = 14;
const BAD_RUN = 8;

const cases = (count: number, name: string, of: (at: number) => Partial<SubmittedCase>): SubmittedCase[] =>
  Array.from({ length: count }, (_, at) => testCase({ title: `${name} ${at}`, ...of(at) }));

it('a run with one shard on which far more was flaky than usual is left out, and told with the shard', async () => {
  const projectName = newName();
  let [id, badRunId] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    for (const [index, count] of [80, 20].entries()) {
      const isBad = run === BAD_RUN && index === 1;
      const stored = await server.client.submitRun({
        body: submission({
          projectName,
          branch: 'main',
          runKey: `run ${run}`,
          shard: { index: index + 1, total: 2 },
          startTime: minute(run),
          // One test of the first shard is flaky by itself.
          testCases: cases(count, `shard ${index}`, (at) => ({
            retries: (isBad && at < 10) || (index === 0 && at === 0 && run % 4 === 0) ? 1 : 0,
          })),
        }),
      });
      id = stored.projectId;
      if (run === BAD_RUN) badRunId = stored.testRunId;
    }
  }
  const { outages } = await server.client.getWindow({ params: { id } });
  expect(outages).toMatchObject([{ id: badRunId, kind: 'shard', shard: 2, cause: null }]);
  expect(await server.client.getFlakeCost({ params: { id } })).toMatchObject({ outages: 1, runs: RUNS - 1 });
  const flaky = await server.client.listFlakyTests({ params: { id } });
  expect(flaky).toHaveLength(11);
  expect(flaky[0]!.title).toBe('shard 0 0');
  expect(flaky[0]!.model.probability).toBeGreaterThan(0.9);
  for (const { model } of flaky.slice(1)) expect(model.rate).toBeLessThan(flaky[0]!.model.rate / 3);
});

it('a run in which one cause makes far more fail than any usually does is left out, and told with the cause', async () => {
  const projectName = newName();
  const letters = (at: number): string => String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26), 120);
  let [id, badRunId] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const stored = await server.client.submitRun({
      body: submission({
        projectName,
        branch: 'main',
        startTime: minute(run),
        testCases: cases(50, 'test', (at) => {
          if (run === BAD_RUN && at < 7) return { status: 'failed', error: 'Error: connect ECONNREFUSED' };
          return (at + run) % 10 === 0 ? { status: 'failed', error: `Error: ${letters(at)} is missing` } : {};
        }),
      }),
    });
    id = stored.projectId;
    if (run === BAD_RUN) badRunId = stored.testRunId;
  }
  const { outages } = await server.client.getWindow({ params: { id } });
  expect(outages).toMatchObject([{ id: badRunId, kind: 'cause', shard: null }]);
  expect(outages[0]!.cause).toContain('ECONNREFUSED');
});

it('a shard that always has more failures than others is none', async () => {
  const projectName = newName();
  let id = 0;
  for (let run = 0; run < RUNS; run++) {
    for (const index of [1, 2]) {
      ({ projectId: id } = await server.client.submitRun({
        body: submission({
          projectName,
          branch: 'main',
          runKey: `run ${run}`,
          shard: { index, total: 2 },
          startTime: minute(run),
          testCases: cases(20, `shard ${index}`, (at) => ({ retries: index === 2 && at < 10 ? 1 : 0 })),
        }),
      }));
    }
  }
  expect((await server.client.getWindow({ params: { id } })).outages).toEqual([]);
});
