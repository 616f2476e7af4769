import { type SqlBool, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';

/** As the index of such runs has it, which databases find by this text alone. */
export const isUnread = sql<SqlBool>`case when clustered_version <> version then 1 else 0 end = 1`;

export const unreadRuns = (queries: Queries, projectId: number) =>
  queries.selectFrom('runs').where('project_id', '=', projectId).where(isUnread);

/** The newest ones. */
export const selectUnread = (queries: Queries, projectId: number, most: number) =>
  unreadRuns(queries, projectId).select(['id', 'version', 'result_count']).orderBy('id', 'desc').limit(most);

export const countUnread = async (queries: Queries, projectId: number): Promise<number> => {
  const { count } = await unreadRuns(queries, projectId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** The revision of a project together with one of its unread runs, in one statement. */
export const selectRevision = (queries: Queries, projectId: number) =>
  queries
    .selectFrom('projects')
    .select((project) => [
      'revision',
      project
        .selectFrom('runs')
        .select('runs.id')
        .whereRef('runs.project_id', '=', 'projects.id')
        .where(isUnread)
        .limit(1)
        .as('unread'),
    ])
    .where('projects.id', '=', projectId);
