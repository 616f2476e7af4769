import type { Queries } from '../../db/database.ts';
import type { ProjectRow } from '../../db/tables.ts';
import { revisionName } from '../projects/queries.ts';
import { SHOWN_RUN_COLUMNS, type ShownRun } from './present-run.ts';

export interface RunAndProject {
  readonly run: ShownRun;
  readonly project: ProjectRow;
}

export const findRun = async (queries: Queries, id: number): Promise<RunAndProject | null> => {
  const [run, project] = await Promise.all([
    findShownRun(queries, id),
    queries
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', ({ selectFrom }) => selectFrom('runs').select('project_id').where('runs.id', '=', id))
      .executeTakeFirst(),
  ]);
  return run && project ? { run, project } : null;
};

export const findShownRun = (queries: Queries, id: number): Promise<ShownRun | undefined> =>
  queries.selectFrom('runs').select(SHOWN_RUN_COLUMNS).where('id', '=', id).executeTakeFirst();

/** Metadata had no limit once: what is larger than this is not answered any more. */
const MOST_ANSWERED_BYTES = 1024 * 1024;

export const readMetadata = async (queries: Queries, id: number): Promise<unknown> =>
  (await readMetadataOf(queries, [id])).get(id) ?? null;

/** By run; those of which it is too large are left out. */
export const readMetadataOf = async (queries: Queries, ids: readonly number[]): Promise<Map<number, unknown>> => {
  const rows = await queries
    .selectFrom('runs')
    .select(['id', 'metadata'])
    .where('id', 'in', ids)
    .where(({ eb, or, fn }) =>
      or([eb('metadata', 'is', null), eb(fn<number>('octet_length', ['metadata']), '<=', MOST_ANSWERED_BYTES)]),
    )
    .execute();
  return new Map(rows.map(({ id, metadata }) => [id, metadata === null ? null : (JSON.parse(metadata) as unknown)]));
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
