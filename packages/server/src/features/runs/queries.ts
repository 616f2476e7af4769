import type { Queries } from '../../db/database.ts';
import type { ProjectRow, RunRow } from '../../db/tables.ts';
import { revisionName } from '../projects/queries.ts';

export interface RunAndProject {
  readonly run: RunRow;
  readonly project: ProjectRow;
}

export const findRun = async (queries: Queries, id: number): Promise<RunAndProject | null> => {
  const run = await queries.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
  if (!run) return null;
  const project = await queries
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', run.project_id)
    .executeTakeFirstOrThrow();
  return { run, project };
};

/** Names the state that everything about a run depends on, or null when there is no such run. */
export const findRunRevision = async (queries: Queries, id: number): Promise<string | null> => {
  const row = await queries
    .selectFrom('runs')
    .innerJoin('projects', 'projects.id', 'runs.project_id')
    .select(['projects.id', 'projects.revision'])
    .where('runs.id', '=', id)
    .executeTakeFirst();
  return row ? revisionName(row.id, row.revision) : null;
};
