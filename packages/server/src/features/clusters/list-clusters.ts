import type { Cluster, ClusterState } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ClusterRow } from '../../db/tables.ts';
import type { Position } from '../../http/page.ts';
import { type ClusterGroup, judgeLives, listJudgingRuns, presentClusters, readGroups } from './present-clusters.ts';

export const CLUSTERS_AT_ONCE = 100;
/** Clusters that one request looks at; a page may have fewer than were asked for, or none, and still a next one. */
const MOST_SEARCHED = 10_000;
/** The same where their states are asked for, for which their runs are read. */
const MOST_JUDGED = 1_000;

export interface ClusterSearch {
  readonly state: ClusterState | undefined;
  readonly q: string | undefined;
  readonly after: Position | null;
  readonly limit: number;
}

/** A page of the clusters of a project, the last seen first. */
export const listClusters = async (
  queries: Queries,
  projectId: number,
  { state, q, after, limit }: ClusterSearch,
): Promise<{ clusters: Cluster[]; next: Position | null }> => {
  const judging = await listJudgingRuns(queries, projectId);
  const found: ClusterGroup[] = [];
  let from = after;
  let searched = 0;
  const most = state === undefined ? MOST_SEARCHED : MOST_JUDGED;
  // One more than the page has tells whether there is a next one.
  while (found.length <= limit && searched < most) {
    const heads = await listHeads(queries, projectId, from);
    const groups = (await readGroups(queries, projectId, heads)).filter((group) => hasText(group, q));
    const lives = state === undefined ? [] : await judgeLives(queries, projectId, groups, judging);
    found.push(...groups.filter((_, at) => state === undefined || lives[at]!.state === state));
    searched += heads.length;
    from = heads.length < CLUSTERS_AT_ONCE ? null : placeOf(heads.at(-1)!);
    if (from === null) break;
  }
  const page = found.slice(0, limit);
  // The search goes on where it ended when it has looked at enough for one request.
  const next = found.length > limit ? placeOf(page.at(-1)!.head) : from;
  return { clusters: await presentClusters(queries, projectId, page, judging), next };
};

export const listHeads = (queries: Queries, projectId: number, after: Position | null): Promise<ClusterRow[]> => {
  let query = queries
    .selectFrom('clusters')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('listed_at', 'is not', null)
    .orderBy('listed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(CLUSTERS_AT_ONCE);
  if (after) {
    query = query.where(({ eb, and, or }) =>
      or([eb('listed_at', '<', after.value), and([eb('listed_at', '=', after.value), eb('id', '<', after.id)])]),
    );
  }
  return query.execute();
};

export const placeOf = ({ listed_at, id }: ClusterRow): Position => ({ value: listed_at!, id });

const hasText = ({ head, joined }: ClusterGroup, q: string | undefined): boolean =>
  q === undefined || [head, ...joined].some(({ cause }) => cause.toLowerCase().includes(q.toLowerCase()));
