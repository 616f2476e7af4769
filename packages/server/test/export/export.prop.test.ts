import { type RunDetails, type Submission, outcomeOf } from '@assay/contract';
import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newName } from '../conformance/build.ts';
import { submittedRun } from '../model/submissions.ts';
import { sharedServer } from '../server.ts';
import { exportRun, readBack } from './read-back.ts';

/** All that does not depend on when a run was stored. */
const contentOf = ({ id: _, createdAt: __, testCases, ...run }: RunDetails) => ({
  ...run,
  testCases: testCases.map(({ id: ___, ...result }) => result),
});

const outcomesOf = (cases: readonly { status: string; retries?: number | null | undefined }[]): string[] =>
  cases.map(({ status, retries }) => `${outcomeOf(status)} ${retries}`).toSorted();

it('any run, exported as JSON and submitted again, is the same run; other formats keep its outcomes', async () => {
  const { client, url } = await sharedServer();
  const projectName = newName();
  await fc.assert(
    fc.asyncProperty(submittedRun, async (run) => {
      const { testRunId: id } = await client.submitRun({ body: { ...run, projectName } });
      const stored = await client.getRun({ params: { id } });
      const body = (await (await exportRun(url, id, 'json')).json()) as Submission;
      const again = await client.submitRun({ body });
      expect(contentOf(await client.getRun({ params: { id: again.testRunId } }))).toEqual(contentOf(stored));

      const { testCases } = stored;
      if (testCases.length === 0) return;
      const ctrf = await readBack(await (await exportRun(url, id, 'ctrf')).text());
      expect(outcomesOf(ctrf.cases)).toEqual(outcomesOf(testCases));
      const junit = await readBack(await (await exportRun(url, id, 'junit')).text());
      const kept = testCases.map(({ status, retries }) =>
        outcomeOf(status) === 'passed' || outcomeOf(status) === 'failed'
          ? { status, retries }
          : { status: 'skipped', retries: 0 },
      );
      expect(outcomesOf(junit.cases)).toEqual(outcomesOf(kept));
    }),
    { numRuns: draws(30) },
  );
});
