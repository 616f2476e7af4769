import { afterAll, beforeAll, expect, it } from 'vitest';
import { RUNS_PER_PACK } from '../../src/segments/outline-pack.ts';
import { inDatabase } from '../in-database.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';

/** Runs of one project that queries skip by their outlines, whatever becomes of the runs. */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ outlineQuietMs: 20 });
});
afterAll(() => server.stop());

const plain = Array.from({ length: 60 }, (_, nth) => testCase({ title: `plain ${nth}` }));
const failedBy = (error: string) => testCase({ title: error, status: 'failed', error: `Error: ${error}\n at a.ts` });

const ask = async (project: number, filter: string) => {
  // Answers to GET are kept while nothing changes in the project, and outlines change nothing.
  const body = { over: 'results', project, filter, explain: true } as const;
  const { results, explain, complete } = await server.client.postQuery({ body });
  expect(complete).toBe(true);
  return { titles: results!.map(({ title }) => title), skipped: explain!.skippedRuns, rows: explain!.rows };
};

const RARE = 'status:failed error:"ENOSPC"';

it('are skipped where none of their results can match, and read again when one comes or goes', async () => {
  const projectName = newName();
  const submit = (at: number, error: string, overrides = {}) =>
    server.client.submitRun({
      body: submission({ projectName, startTime: minute(at), testCases: [...plain, failedBy(error)], ...overrides }),
    });
  const ids: number[] = [];
  for (let at = 0; at < 20; at++) ids.push((await submit(at, at === 3 ? 'ENOSPC 3' : `ETIMEDOUT ${at}`)).testRunId);
  const { projectId } = await submit(20, 'ECONNREFUSED', { runKey: 'late', shard: { index: 1, total: 2 } });
  await expect.poll(() => ask(projectId, RARE)).toMatchObject({ titles: ['ENOSPC 3'], skipped: 19 });

  // The second shard of a run of which the first was all there was.
  await submit(20, 'ENOSPC late', { runKey: 'late', shard: { index: 2, total: 2 } });
  expect((await ask(projectId, RARE)).titles).toEqual(['ENOSPC late', 'ENOSPC 3']);
  await expect
    .poll(() => ask(projectId, 'error:"nobody has this"'))
    .toMatchObject({ titles: [], skipped: 21, rows: 0 });
  expect(await ask(projectId, RARE)).toMatchObject({ titles: ['ENOSPC late', 'ENOSPC 3'], skipped: 19 });

  // A later attempt of a shard replaces what the run had.
  await submit(20, 'EPIPE', { runKey: 'late', shard: { index: 2, total: 2 }, attempt: 2 });
  expect((await ask(projectId, 'error:epipe')).titles).toEqual(['EPIPE']);
  expect((await ask(projectId, RARE)).titles).toEqual(['ENOSPC 3']);

  await server.client.deleteRun({ params: { id: ids[3]! } });
  expect((await ask(projectId, RARE)).titles).toEqual([]);
  expect((await ask(projectId, 'error:ETIMEDOUT')).titles).toHaveLength(19);
  await submit(30, 'ENOSPC new');
  expect((await ask(projectId, RARE)).titles).toEqual(['ENOSPC new']);
  await expect.poll(() => ask(projectId, 'error:"nobody has this"')).toMatchObject({ skipped: 21, rows: 0 });
  expect((await ask(projectId, RARE)).titles).toEqual(['ENOSPC new']);
});

it('have no outlines left when they are gone', async () => {
  const projectName = newName();
  const ids: number[] = [];
  let project = 0;
  for (let at = 0; at <= RUNS_PER_PACK; at++) {
    const body = submission({ projectName, startTime: minute(at), testCases: plain });
    const { projectId, testRunId } = await server.client.submitRun({ body });
    project = projectId;
    ids.push(testRunId);
  }
  const spans = () =>
    inDatabase(server.dataDir, 'SELECT span FROM run_outlines WHERE project_id = ? ORDER BY span', project);
  await expect.poll(spans).toEqual([{ span: 0 }, { span: 1 }]);
  await server.client.deleteRun({ params: { id: ids.at(-1)! } });
  await expect.poll(spans).toEqual([{ span: 0 }]);
  for (const id of ids.slice(0, -1)) await server.client.deleteRun({ params: { id } });
  await expect.poll(spans).toEqual([]);
});
