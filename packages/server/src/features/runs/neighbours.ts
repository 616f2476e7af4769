import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import type { ReadableRun } from '../../segments/store.ts';
import { RUN_REF_COLUMNS, type RunRefRow } from './run-refs.ts';

type Position = Pick<RunRow, 'id' | 'project_id' | 'start_time'>;

/** The runs of the project before a run, newest first: of one branch, without a branch (null), or all. */
export const listRunsBefore = (
  queries: Queries,
  { id, project_id, start_time }: Position,
  count: number,
  branch?: string | null,
): Promise<(RunRefRow & ReadableRun)[]> =>
  queries
    .selectFrom('runs')
    .select([...RUN_REF_COLUMNS, 'result_count', 'version'])
    .where('project_id', '=', project_id)
    .$if(branch !== undefined, (query) => query.where('branch', 'is not distinct from', branch!))
    // Both bounds: the first lets the index start there.
    .where('start_time', '<=', start_time)
    .where(({ eb, or }) => or([eb('start_time', '<', start_time), eb('id', '<', id)]))
    .orderBy('start_time', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .execute();

export const findRunAfter = (
  queries: Queries,
  { id, project_id, start_time }: Position,
): Promise<RunRefRow | undefined> =>
  queries
    .selectFrom('runs')
    .select(RUN_REF_COLUMNS)
    .where('project_id', '=', project_id)
    .where('start_time', '>=', start_time)
    .where(({ eb, or }) => or([eb('start_time', '>', start_time), eb('id', '>', id)]))
    .orderBy('start_time')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
