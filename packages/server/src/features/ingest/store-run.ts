import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { writeSummaries } from '../../history/keep-summaries.ts';
import { insertDetails } from '../../segments/block-details.ts';
import { encodeRequests } from '../../segments/requests.ts';
import { finishResults } from '../../segments/results.ts';
import { findKeys, keysOf, nameByKeys } from '../parts/run-keys.ts';
import { type StoreOptions, type StoredPart, storeAsPart } from '../parts/store-part.ts';
import { findDefaultBranch, noteDefaultBranch } from '../projects/default-branch.ts';
import { newProject } from '../projects/new-project.ts';
import { newRevision } from '../projects/raise-revision.ts';
import type { ParsedSubmission } from './parse-submission.ts';
import { keepStagedTests } from './stage-tests.ts';

/**
 * Stores a run with everything that belongs to it, or a part of one; a repeated key answers the run that it named
 * first.
 */
export const storeRun = async (
  transaction: Queries,
  submission: ParsedSubmission,
  options: StoreOptions,
): Promise<StoredPart> => {
  const stored = await storeWholeOrPart(transaction, submission, options);
  await noteDefaultBranch(transaction, stored.projectId, submission.defaultBranch);
  return stored;
};

const storeWholeOrPart = async (
  transaction: Queries,
  submission: ParsedSubmission,
  options: StoreOptions,
): Promise<StoredPart> => {
  const { testPlaces, idempotencyKey, now } = options;
  const { projectName, figures, results } = submission;
  const keys = keysOf(submission.runKey, idempotencyKey);
  const known = keys.length > 0 ? await findKeys(transaction, projectName, keys) : [];
  if (known.length > 0 || isPart(submission)) {
    return storeAsPart(transaction, submission, { keys, known }, options);
  }

  const project = await countRun(transaction, projectName, results.rows, now);
  const added = await testPlaces.place(transaction, project, submission);
  if (added.count > 0) await countTests(transaction, project.id, added.count);
  await keepStagedTests(transaction, submission);
  const { id: runId } = await transaction
    .insertInto('runs')
    .values({
      project_id: project.id,
      sequence: project.sequence,
      status: submission.status,
      start_time: submission.startTime,
      duration: submission.durationMs,
      total_tests: submission.totalTests,
      passed_tests: submission.passedTests,
      failed_tests: submission.failedTests,
      skipped_tests: submission.skippedTests,
      flaky_tests: figures.flakyTests,
      avg_test_duration: figures.avgTestDuration,
      p90_test_duration: figures.p90TestDuration,
      result_count: results.rows,
      branch: submission.branch,
      commit_hash: submission.commit,
      metadata: submission.metadataJson,
      ...submission.change,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const requests = submission.requests.length > 0 ? encodeRequests(submission.requests) : null;
  await transaction
    .insertInto('segments')
    .values({ project_id: project.id, run_id: runId, results: finishResults(results), requests })
    .execute();
  await insertDetails(transaction, { projectId: project.id, runId, firstIndex: 0 }, submission.details);
  await nameByKeys(transaction, keys, { project_id: project.id, run_id: runId, part_id: null });
  await writeSummaries(transaction, project.id, project.sequence, findDefaultBranch);
  return { runId, projectId: project.id, change: 'made', outcome: 'stored', partId: null, firstIndex: 0, orphans: [] };
};

/** What a row of a run cannot say of itself makes it one of parts. */
const isPart = ({ shard, runKey, attempt }: ParsedSubmission): boolean =>
  shard !== null || (runKey !== null && attempt > 1);

interface ProjectForRun {
  readonly id: number;
  readonly sequence: number;
  readonly tests_epoch: number;
}

/** Counts the run in its project, which is made when it does not exist, and gives the run its number. */
const countRun = async (transaction: Queries, name: string, results: number, now: number): Promise<ProjectForRun> => {
  const known = await transaction
    .updateTable('projects')
    .set((row) => ({
      updated_at: now,
      active_at: now,
      revision: newRevision(),
      next_sequence: row('next_sequence', '+', 1),
      total_runs: row('total_runs', '+', 1),
      total_results: row('total_results', '+', results),
    }))
    .where('name', '=', name)
    .returning(['id', sql<number>`next_sequence - 1`.as('sequence'), 'tests_epoch'])
    .executeTakeFirst();
  if (known) return known;
  const { id } = await transaction
    .insertInto('projects')
    .values({ ...newProject(name, now), next_sequence: 1, total_results: results })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, sequence: 0, tests_epoch: 0 };
};

const countTests = async (transaction: Queries, projectId: number, added: number): Promise<void> => {
  await transaction
    .updateTable('projects')
    .set((row) => ({ total_tests: row('total_tests', '+', added) }))
    .where('id', '=', projectId)
    .execute();
};
