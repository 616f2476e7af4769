import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import { newProject } from '../projects/new-project.ts';
import { provisionalSequence } from './run-numbering.ts';

/** No run has this number for longer than it takes to give it its own. */
const NO_SEQUENCE = Number.MIN_SAFE_INTEGER;

/** Makes a run whose parts are about to come, in a project that is made when it does not exist. */
export const openRun = async (
  transaction: Queries,
  { projectName, startTime }: { readonly projectName: string; readonly startTime: number },
  now: number,
): Promise<RunRow> => {
  const projectId = await countOpenRun(transaction, projectName, now);
  const { id } = await transaction
    .insertInto('runs')
    .values({
      project_id: projectId,
      sequence: NO_SEQUENCE,
      status: 'running',
      start_time: startTime,
      duration: null,
      total_tests: 0,
      passed_tests: 0,
      failed_tests: 0,
      skipped_tests: 0,
      flaky_tests: 0,
      avg_test_duration: null,
      p90_test_duration: null,
      result_count: 0,
      branch: null,
      commit_hash: null,
      metadata: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return transaction
    .updateTable('runs')
    .set({ sequence: provisionalSequence(id) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
};

const countOpenRun = async (transaction: Queries, name: string, now: number): Promise<number> => {
  const project = await transaction
    .insertInto('projects')
    .values(newProject(name, now))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ total_runs: row('projects.total_runs', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return project.id;
};
