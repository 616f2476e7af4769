import { resultId } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ProjectRow, RunRow } from '../../db/tables.ts';
import { openUncached, rebuildSummaries } from '../../history/keep-summaries.ts';
import { tallyProject } from '../../history/read-history.ts';
import { removeRunsFromClusters } from '../clusters/store-clusters.ts';
import { dropUnnamed, removeFiles } from '../files/remove-files.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import { newRevision } from '../projects/raise-revision.ts';

const TESTS_PER_QUERY = 500;

export type RemovableRun = Pick<RunRow, 'id' | 'sequence' | 'result_count' | 'version'>;

/**
 * Removes runs of one project, and the tests that no other run has. Returns the hashes of the contents that no other
 * run has.
 */
export const removeRuns = async (
  transaction: Queries,
  projectId: number,
  runs: readonly RemovableRun[],
  now: number,
): Promise<string[]> => {
  const project = await transaction
    .selectFrom('projects')
    .select(['id', 'next_sequence', 'tests_epoch'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const tests = await testsOf(transaction, projectId, runs);
  await removeRunsFromClusters(
    transaction,
    projectId,
    runs.map(({ id }) => id),
  );
  const unusedContents: string[] = [];
  for (const { id } of runs) {
    for (const hash of await removeFiles(transaction, id)) unusedContents.push(hash);
    await transaction
      .deleteFrom('details')
      .where('id', '>=', resultId(id, 0))
      .where('id', '<', resultId(id + 1, 0))
      .execute();
    await transaction.deleteFrom('segments').where('run_id', '=', id).execute();
    const moved = await transaction.deleteFrom('moved_runs').where('run_id', '=', id).returning('blob_id').execute();
    const objects = moved.map(({ blob_id }) => blob_id);
    for (const hash of await dropUnnamed(transaction, objects)) unusedContents.push(hash);
    await transaction.deleteFrom('parts').where('run_id', '=', id).execute();
    await transaction.deleteFrom('runs').where('id', '=', id).execute();
  }
  await rebuildSummaries(
    transaction,
    projectId,
    runs.flatMap(({ sequence }) => (sequence < 0 ? [] : sequence)),
    project.next_sequence,
    findDefaultBranch,
  );
  const orphans = await deleteOrphans(transaction, project, tests);
  const removedResults = runs.reduce((sum, run) => sum + run.result_count, 0);
  await transaction
    .updateTable('projects')
    .set((row) => ({
      updated_at: now,
      revision: newRevision(),
      tests_epoch: row('tests_epoch', '+', 1),
      total_runs: row('total_runs', '-', runs.length),
      total_tests: row('total_tests', '-', orphans),
      total_results: row('total_results', '-', removedResults),
    }))
    .where('id', '=', projectId)
    .execute();
  return unusedContents;
};

const testsOf = async (
  transaction: Queries,
  projectId: number,
  runs: readonly RemovableRun[],
): Promise<Set<number>> => {
  const tests = new Set<number>();
  const segments = await openUncached(transaction).results(runs);
  // Which tests a damaged run had cannot be told: any of its project may be left without a result.
  if (segments.size < runs.length) {
    const all = await transaction.selectFrom('tests').select('id').where('project_id', '=', projectId).execute();
    return new Set(all.map(({ id }) => id));
  }
  for (const results of segments.values()) {
    for (const test of results.testId.values) tests.add(test);
  }
  return tests;
};

/** Removes those of some tests that no run has any more; returns how many. */
export const deleteOrphans = async (
  transaction: Queries,
  project: Pick<ProjectRow, 'id' | 'next_sequence' | 'tests_epoch'>,
  tests: ReadonlySet<number>,
): Promise<number> => {
  const present = await tallyProject({ queries: transaction, segments: openUncached(transaction) }, project);
  const orphans = [...tests].filter((test) => !present.tests.rowOf.has(test));
  for (let start = 0; start < orphans.length; start += TESTS_PER_QUERY) {
    await transaction
      .deleteFrom('tests')
      .where('id', 'in', orphans.slice(start, start + TESTS_PER_QUERY))
      .execute();
  }
  return orphans.length;
};
