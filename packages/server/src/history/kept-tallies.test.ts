import { join } from 'node:path';
import { aCase, aSubmission } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../test/server.ts';
import { openSqlite } from '../db/sqlite.ts';
import { createSegmentStore } from '../segments/store.ts';
import { tallyAt } from '../segments/summary.ts';
import { createKeptTallies } from './kept-tallies.ts';

describe('figures of all history', () => {
  it('count every run once, however many read while runs arrive and go', async () => {
    await using server = await startTestServer({ answerCacheBytes: 0 });
    const testCases = [aCase({ title: 'always' })];
    const submit = (): Promise<{ testRunId: number; projectId: number }> =>
      server.client.submitRun({ body: aSubmission({ testCases }) });
    const { testRunId, projectId: id } = await submit();
    const read = async (): Promise<number> => (await server.client.listTests({ params: { id } }))[0]!.totalRuns;

    for (let round = 1; round <= 30; round++) {
      const seen = await Promise.all([read(), submit().then(read), read(), read()]);
      for (const runs of seen) expect(runs === round || runs === round + 1, `${runs} in round ${round}`).toBe(true);
      expect(await Promise.all([read(), read(), read()])).toEqual([round + 1, round + 1, round + 1]);
    }
    await server.client.deleteRun({ params: { id: testRunId } });
    expect(await Promise.all([read(), read()])).toEqual([30, 30]);
    await Promise.all(Array.from({ length: 80 }, submit));
    expect(await Promise.all([read(), read()])).toEqual([110, 110]);
  });

  it('count a run once for who read the project before it came', async () => {
    await using server = await startTestServer();
    const submit = () => server.client.submitRun({ body: aSubmission({ testCases: [aCase()] }) });
    const { projectId } = await submit();
    const database = openSqlite({ file: join(server.dataDir, 'assay.db'), access: 'read' });
    const { queries } = database;
    const project = () =>
      queries.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow();
    const tallies = createKeptTallies({ queries, segments: createSegmentStore(queries, { maxCachedBytes: 0 }) }, 1e6);
    const earlier = await project();
    await submit();
    const seen = [];
    for (const read of [await project(), earlier, await project()]) {
      seen.push(tallyAt(await tallies.of(read), 0).results);
    }
    await database.close();
    expect(seen).toEqual([2, 2, 2]);
  });
});
