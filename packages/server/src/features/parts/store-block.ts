import { MAX_RESULTS_PER_RUN } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { insertDetails } from '../../segments/block-details.ts';
import { encodeRequests } from '../../segments/requests.ts';
import { finishResults } from '../../segments/results.ts';
import { writeRanges } from '../../segments/row-indices.ts';
import type { AttemptAt, ReadCases } from '../ingest/read-cases.ts';
import { keepStagedTests } from '../ingest/stage-tests.ts';
import type { TestPlaces } from '../ingest/test-places.ts';
import { nextIndexOf } from './refresh-run.ts';

export interface BlockPlace {
  readonly projectId: number;
  readonly runId: number;
  readonly partId: number;
  readonly firstIndex: number;
}

/** Throws when a run has no ids left for so many results. To be asked before anything is written. */
export const requireRoom = (run: Pick<RunRow, 'id' | 'next_index' | 'result_count'>, rows: number): void => {
  const left = MAX_RESULTS_PER_RUN - nextIndexOf(run);
  if (rows <= left) return;
  throw new AppError(
    'run_full',
    `Test run ${run.id} has room for ${left} more results, and these are ${rows}: a run takes ${MAX_RESULTS_PER_RUN} in all, those of replaced parts included`,
  );
};

export const readAttempts = (text: string | null): readonly AttemptAt[] =>
  text === null ? [] : (JSON.parse(text) as AttemptAt[]);

export const writeAttempts = (attempts: readonly AttemptAt[]): string | null =>
  attempts.length === 0 ? null : JSON.stringify(attempts);

/** Stores results of a part, with their requests and details, as one block. */
export const storeBlock = async (
  transaction: Queries,
  { projectId, runId, partId, firstIndex }: BlockPlace,
  cases: ReadCases,
  testPlaces: TestPlaces,
): Promise<void> => {
  const { results, requests, details, attempts } = cases;
  // Two blocks cannot begin at one index, and one of no results would leave it to the next.
  if (results.rows === 0) return;
  const project = await transaction
    .selectFrom('projects')
    .select(['id', 'tests_epoch'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const { count: added } = await testPlaces.place(transaction, project, cases);
  await keepStagedTests(transaction, cases);
  if (added > 0) {
    await transaction
      .updateTable('projects')
      .set((row) => ({ total_tests: row('total_tests', '+', added) }))
      .where('id', '=', projectId)
      .execute();
  }
  const moved = requests.map((request) => ({ ...request, caseIndex: request.caseIndex + firstIndex }));
  await transaction
    .insertInto('segments')
    .values({
      project_id: projectId,
      run_id: runId,
      first_index: firstIndex,
      part_id: partId,
      ranges: writeRanges([[firstIndex, results.rows]]),
      results: finishResults(results),
      requests: moved.length > 0 ? encodeRequests(moved) : null,
      attempts: writeAttempts(attempts.map(([row, attempt]) => [row + firstIndex, attempt])),
    })
    .execute();
  const texts = details.map(({ caseIndex, json }) => ({ caseIndex: caseIndex + firstIndex, json }));
  await insertDetails(transaction, { projectId, runId, firstIndex }, texts);
};
