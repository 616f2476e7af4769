import { aCase, aSubmission } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../test/server.ts';

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
});
