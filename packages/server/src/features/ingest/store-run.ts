import { resultId } from '@assay/contract';
import { sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import { writeSummaries } from '../../history/keep-summaries.ts';
import { encodeDetails } from '../../segments/details.ts';
import { encodeRequests } from '../../segments/requests.ts';
import { finishResults, putPlace } from '../../segments/results.ts';
import { findKeys, keysOf } from '../parts/run-keys.ts';
import { type PartOptions, type StoredPart, storeAsPart } from '../parts/store-part.ts';
import { newProject } from '../projects/new-project.ts';
import { newRevision } from '../projects/raise-revision.ts';
import type { ParsedSubmission } from './parse-submission.ts';

export interface StoreOptions extends PartOptions {
  readonly statements: Statements;
  readonly idempotencyKey: string | null;
}

/**
 * Stores a run with everything that belongs to it, or a part of one; a repeated key answers the run that it named
 * first.
 */
export const storeRun = async (
  transaction: Queries,
  submission: ParsedSubmission,
  options: StoreOptions,
): Promise<StoredPart> => {
  const { statements, testPlaces, idempotencyKey, now } = options;
  const { projectName, figures, results } = submission;
  const keys = keysOf(submission.runKey, idempotencyKey);
  const known = keys.length > 0 ? await findKeys(transaction, projectName, keys) : [];
  if (known.length > 0 || isPart(submission)) {
    return storeAsPart(transaction, submission, { keys, known }, options);
  }

  const project = await countRun(transaction, statements, projectName, results.rows, now);
  const { places, added } = await testPlaces.find(transaction, project, submission.tests);
  if (added > 0) await statements.countTests(transaction, [added, project.id]);
  places.forEach((place, row) => putPlace(results, row, place));
  const [run] = await statements.insertRun(transaction, [
    project.id,
    project.sequence,
    submission.status,
    submission.startTime,
    submission.durationMs,
    submission.totalTests,
    submission.passedTests,
    submission.failedTests,
    submission.skippedTests,
    figures.flakyTests,
    figures.avgTestDuration,
    figures.p90TestDuration,
    results.rows,
    submission.branch,
    submission.commit,
    submission.metadataJson,
    now,
  ]);
  const runId = run!.id;
  const requests = submission.requests.length > 0 ? encodeRequests(submission.requests) : null;
  await statements.insertSegment(transaction, [runId, finishResults(results), requests]);
  for (const { firstCaseIndex, data } of encodeDetails(submission.details)) {
    await statements.insertDetails(transaction, [resultId(runId, firstCaseIndex), data]);
  }
  for (const key of keys) await statements.insertRunKey(transaction, [project.id, key, runId]);
  await writeSummaries(transaction, project.id, project.sequence);
  return { runId, projectId: project.id, outcome: 'made', partId: null, firstIndex: 0, orphans: [] };
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
const countRun = async (
  transaction: Queries,
  statements: Statements,
  name: string,
  results: number,
  now: number,
): Promise<ProjectForRun> => {
  const [known] = await statements.countRunInProject(transaction, [now, now, newRevision(), results, name]);
  if (known) return known;
  const { id } = await transaction
    .insertInto('projects')
    .values({ ...newProject(name, now), next_sequence: 1, total_results: results })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, sequence: 0, tests_epoch: 0 };
};

const NO_BYTES = new Uint8Array();

/** The values that these are built with only hold the places of those that they are run with. */
export const prepareStatements = ({ prepare }: Database) => ({
  countRunInProject: prepare((queries) =>
    queries
      .updateTable('projects')
      .set({
        updated_at: 0,
        active_at: 0,
        revision: 0,
        next_sequence: sql`next_sequence + 1`,
        total_runs: sql`total_runs + 1`,
        total_results: sql`total_results + ${0}`,
      })
      .where('name', '=', '')
      .returning(['id', sql<number>`next_sequence - 1`.as('sequence'), 'tests_epoch']),
  ),
  countTests: prepare((queries) =>
    queries
      .updateTable('projects')
      .set({ total_tests: sql`total_tests + ${0}` })
      .where('id', '=', 0),
  ),
  insertRun: prepare((queries) =>
    queries
      .insertInto('runs')
      .values({
        project_id: 0,
        sequence: 0,
        status: '',
        start_time: 0,
        duration: 0,
        total_tests: 0,
        passed_tests: 0,
        failed_tests: 0,
        skipped_tests: 0,
        flaky_tests: 0,
        avg_test_duration: 0,
        p90_test_duration: 0,
        result_count: 0,
        branch: '',
        commit_hash: '',
        metadata: '',
        created_at: 0,
      })
      .returning('id'),
  ),
  insertSegment: prepare((queries) =>
    queries.insertInto('segments').values({ run_id: 0, results: NO_BYTES, requests: NO_BYTES }),
  ),
  insertDetails: prepare((queries) => queries.insertInto('details').values({ id: 0, data: NO_BYTES })),
  insertRunKey: prepare((queries) => queries.insertInto('run_keys').values({ project_id: 0, key: '', run_id: 0 })),
});

export type Statements = ReturnType<typeof prepareStatements>;
