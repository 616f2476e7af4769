import type { FoundError } from '@assay/contract';
import { type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import { isUnread } from '../clusters/unread-runs.ts';
import { archivedProjects, projectNames } from './find-runs.ts';
import { type ScanLimits, type Scanned, scanNewest } from './scan-newest.ts';
import { hasAllWords, likePattern } from './words.ts';

/** Why tests failed, by the words of the cause. One that was joined with others is found as that cluster. */
export const findErrors = async (
  queries: Queries,
  words: readonly string[],
  limits: ScanLimits,
): Promise<Scanned<FoundError>> => {
  const seen = new Set<number>();
  const { found, searchedNewest } = await scanNewest(queries, 'clusters', limits, async (from, to) => {
    const rows = await queries
      .selectFrom('clusters')
      .select(['id', 'project_id', 'cause', 'joined_to'])
      .where('id', '>=', from)
      .where('id', '<', to)
      .where('project_id', 'not in', archivedProjects(queries))
      // One without a run is left of deleted ones.
      .where(({ eb, or }) => or([eb('listed_at', 'is not', null), eb('joined_to', 'is not', null)]))
      .where((eb) => eb.and(words.map((word) => sql<SqlBool>`cause like ${likePattern(word)} escape '\\'`)))
      .orderBy('id', 'desc')
      .execute();
    return rows.filter(({ id, cause, joined_to }) => {
      const head = joined_to ?? id;
      if (seen.has(head) || !hasAllWords(words, [cause])) return false;
      seen.add(head);
      return true;
    });
  });
  const names = await projectNames(
    queries,
    found.map((cluster) => cluster.project_id),
  );
  return {
    found: found.map(({ id, joined_to, project_id, cause }) => ({
      clusterId: joined_to ?? id,
      cause,
      project: names.get(project_id)!,
    })),
    searchedNewest,
  };
};

/** Projects whose new runs a search reads first; those of others are read in the background. */
const MOST_CAUGHT_UP = 20;

/** Names which errors are known, once those of runs that came just now are too. */
export const errorsRevision = async ({
  queries,
  clusterIndex,
}: Pick<Context, 'queries' | 'clusterIndex'>): Promise<string> => {
  const behind = await queries
    .selectFrom('runs')
    .select('project_id')
    .distinct()
    .where(isUnread)
    .limit(MOST_CAUGHT_UP)
    .execute();
  for (const { project_id } of behind) await clusterIndex.catchUp(project_id);
  const { last } = await queries
    .selectFrom('clusters')
    .select(sql<number>`coalesce(max(id), 0)`.as('last'))
    .executeTakeFirstOrThrow();
  return String(last);
};
