import { randomUUID } from 'node:crypto';
import { expressionBuilder } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import type { RowSpan } from '../../turns.ts';
import type { MeansNow, SteppedWork } from '../../writer/command.ts';
import { deleteEmptyProject } from '../projects/delete-empty-project.ts';
import { newProject } from '../projects/new-project.ts';
import { newRevision } from '../projects/raise-revision.ts';
import { deleteOrphans } from '../runs/remove-runs.ts';
import type { ReadCases } from './read-cases.ts';
import { type ProjectTests, createTestPlaces } from './test-places.ts';

/*
 * Most of the time that a run with very many new tests takes to store goes into its tests. They are added ahead of the
 * run in short transactions, between which other submissions are stored. Until the run is stored, `staged_tests` lists
 * them; those that no run got are deleted when it is refused, or at the next start. Where several processes share a
 * database, each leaves those of the others, but for those of one that must have been killed. Should it still be there,
 * its submission finds that tests were removed, and looks all of them up again.
 */

const ROWS_PER_TRANSACTION = 2_000;
const STAGED_BY = randomUUID();
/** No submission takes that long. */
const ABANDONED_AFTER_MS = 60 * 60_000;

export type StagedCases = Pick<ReadCases, 'tests' | 'results'>;

export async function* stageTests(
  { database, memory, now }: MeansNow,
  projectName: string,
  cases: StagedCases,
): SteppedWork<void> {
  const { tests, results } = cases;
  const testPlaces = memory(createTestPlaces);
  const scope = { projects: [projectName] };
  let isNew = false;
  const stageRows = (rows: RowSpan): Promise<boolean> =>
    database.transaction(async (transaction) => {
      // Those that an attempt before has placed were rolled back with it.
      results.columns.testId.fill(0, rows.from, rows.to);
      const known = await findProject(transaction, projectName);
      isNew ||= !known;
      const project = known ?? (await createProject(transaction, projectName, now));
      // Tests were removed meanwhile, so that all have to be looked up once more, when the run is stored.
      if (tests.staged && !isSame(tests.staged.project, project)) return false;
      tests.staged ??= { project, firstIds: [] };
      const { count, firstId, lastId } = await testPlaces.place(transaction, project, cases, rows);
      if (count === 0) return true;
      await transaction
        .insertInto('staged_tests')
        .values({
          first_id: firstId,
          last_id: lastId,
          project_id: project.id,
          is_new_project: isNew ? 1 : 0,
          staged_by: STAGED_BY,
          staged_at: now,
        })
        .execute();
      await countTests(transaction, project.id, count);
      tests.staged.firstIds.push(firstId);
      return true;
    }, scope);
  for (let from = 0; from < results.rows; from += ROWS_PER_TRANSACTION) {
    if (!(await stageRows({ from, to: Math.min(from + ROWS_PER_TRANSACTION, results.rows) }))) return;
    yield;
  }
}

export async function* stageTestsOfRun(means: MeansNow, runId: number, cases: StagedCases): SteppedWork<void> {
  const project = await means.database.queries
    .selectFrom('runs')
    .innerJoin('projects', 'projects.id', 'runs.project_id')
    .select('projects.name')
    .where('runs.id', '=', runId)
    .executeTakeFirst();
  if (project) yield* stageTests(means, project.name, cases);
}

const isSame = (a: ProjectTests, b: ProjectTests): boolean => a.id === b.id && a.tests_epoch === b.tests_epoch;

const findProject = (transaction: Queries, name: string) =>
  transaction.selectFrom('projects').select(['id', 'tests_epoch']).where('name', '=', name).executeTakeFirst();

const createProject = (transaction: Queries, name: string, now: number) =>
  transaction
    .insertInto('projects')
    .values({ ...newProject(name, now), total_runs: 0 })
    .returning(['id', 'tests_epoch'])
    .executeTakeFirstOrThrow();

const countTests = async (transaction: Queries, projectId: number, added: number): Promise<void> => {
  await transaction
    .updateTable('projects')
    .set((row) => ({ revision: newRevision(), total_tests: row('total_tests', '+', added) }))
    .where('id', '=', projectId)
    .execute();
};

/** To be called in the transaction that stores the results: their tests have a run now. */
export const keepStagedTests = async (transaction: Queries, { tests }: StagedCases): Promise<void> => {
  if (!tests.staged) return;
  await transaction.deleteFrom('staged_tests').where('first_id', 'in', tests.staged.firstIds).execute();
};

/** Deletes the tests that were staged for runs which are not stored, unless another run has them by now. */
export const discardStagedTests = async ({ dialect, queries, transaction }: Database): Promise<number> => {
  const isAlone = dialect === 'sqlite';
  // All others wait for the transaction, which is seldom needed.
  if ((await listProjects(queries, isAlone)).length === 0) return 0;
  return transaction(async (inside) => {
    let count = 0;
    for (const { project_id } of await listProjects(inside, isAlone)) {
      count += await discardOfProject(inside, project_id, isAlone);
    }
    return count;
  });
};

const listProjects = (queries: Queries, isAlone: boolean) =>
  queries
    .selectFrom('staged_tests')
    .select('project_id')
    .distinct()
    .$if(!isAlone, (staged) => staged.where(isDiscarded()))
    .execute();

/** Staged by this process, whose submission has ended, or by one that is gone. */
const isDiscarded = () => {
  const { eb, or } = expressionBuilder<Tables, 'staged_tests'>();
  return or([eb('staged_by', '=', STAGED_BY), eb('staged_at', '<', Date.now() - ABANDONED_AFTER_MS)]);
};

const discardOfProject = async (transaction: Queries, projectId: number, isAlone: boolean): Promise<number> => {
  const ranges = await transaction
    .deleteFrom('staged_tests')
    .where('project_id', '=', projectId)
    .$if(!isAlone, (staged) => staged.where(isDiscarded()))
    .returning(['first_id', 'last_id', 'is_new_project'])
    .execute();
  const project = await transaction
    .selectFrom('projects')
    .select(['id', 'next_sequence', 'tests_epoch', 'total_runs'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (!project) return 0;
  const ids = new Set<number>();
  for (const { first_id, last_id } of ranges) {
    const rows = await transaction
      .selectFrom('tests')
      .select('id')
      .where('project_id', '=', projectId)
      .where('id', '>=', first_id)
      .where('id', '<=', last_id)
      .execute();
    for (const { id } of rows) ids.add(id);
  }
  const orphans = await deleteOrphans(transaction, project, ids);
  await transaction
    .updateTable('projects')
    .set((row) => ({
      revision: newRevision(),
      tests_epoch: row('tests_epoch', '+', 1),
      total_tests: row('total_tests', '-', orphans),
    }))
    .where('id', '=', projectId)
    .execute();
  if (project.total_runs === 0 && ranges.some(({ is_new_project }) => is_new_project === 1)) {
    await deleteEmptyProject(transaction, projectId);
  }
  return orphans;
};
