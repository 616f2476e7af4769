import type { Cluster, ClusterState } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ClusterRow } from '../../db/tables.ts';
import type { Position } from '../../http/page.ts';
import { type ClusterGroup, listJudgingRuns, presentClusters, readGroups } from './present-clusters.ts';

const CLUSTERS_AT_ONCE = 50;

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
  const found: { cluster: Cluster; place: Position }[] = [];
  let from = after;
  // One more than the page has tells whether there is a next one.
  while (found.length <= limit) {
    const heads = await listHeads(queries, projectId, from);
    const groups = (await readGroups(queries, projectId, heads)).filter((group) => hasText(group, q));
    const clusters = await presentClusters(queries, projectId, groups, judging);
    for (const [at, cluster] of clusters.entries()) {
      if (state === undefined || cluster.life.state === state)
        found.push({ cluster, place: placeOf(groups[at]!.head) });
    }
    if (heads.length < CLUSTERS_AT_ONCE) break;
    from = placeOf(heads.at(-1)!);
  }
  const page = found.slice(0, limit);
  return { clusters: page.map(({ cluster }) => cluster), next: found.length > limit ? page.at(-1)!.place : null };
};

const listHeads = (queries: Queries, projectId: number, after: Position | null): Promise<ClusterRow[]> => {
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

const placeOf = ({ listed_at, id }: ClusterRow): Position => ({ value: listed_at!, id });

const hasText = ({ head, joined }: ClusterGroup, q: string | undefined): boolean =>
  q === undefined || [head, ...joined].some(({ cause }) => cause.toLowerCase().includes(q.toLowerCase()));
