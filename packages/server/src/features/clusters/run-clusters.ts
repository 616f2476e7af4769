import { MOST_CLUSTERS, type RunCluster } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { listJudgingRuns, presentClusters, readGroups } from './present-clusters.ts';

interface ShowingRun {
  readonly id: number;
  readonly project_id: number;
}

/** The clusters that a run shows: new ones first, then those with most failures. */
export const listRunClusters = async (
  queries: Queries,
  { id, project_id: projectId }: ShowingRun,
): Promise<{ clusters: RunCluster[]; totalClusters: number }> => {
  const shown = await queries
    .selectFrom('cluster_runs')
    .innerJoin('clusters', (join) =>
      join
        .onRef('clusters.project_id', '=', 'cluster_runs.project_id')
        .onRef('clusters.id', '=', 'cluster_runs.cluster_id'),
    )
    .select(['clusters.id', 'clusters.joined_to', 'clusters.first_run_id', 'cluster_runs.failures'])
    .where('cluster_runs.project_id', '=', projectId)
    .where('cluster_runs.run_id', '=', id)
    .execute();
  const byHead = Map.groupBy(shown, (cluster) => cluster.joined_to ?? cluster.id);
  const counted = [...byHead].map(([headId, some]) => ({
    headId,
    failuresHere: some.reduce((sum, { failures }) => sum + failures, 0),
    mayBeNew: some.every(({ first_run_id }) => first_run_id === id),
  }));
  const order = (a: (typeof counted)[number], b: (typeof counted)[number]): number =>
    Number(b.mayBeNew) - Number(a.mayBeNew) || b.failuresHere - a.failuresHere || a.headId - b.headId;
  const listed = counted.sort(order).slice(0, MOST_CLUSTERS);
  const heads = await queries
    .selectFrom('clusters')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(
      'id',
      'in',
      listed.map(({ headId }) => headId),
    )
    .execute();
  const rowOf = new Map(heads.map((head) => [head.id, head]));
  const groups = await readGroups(
    queries,
    projectId,
    listed.flatMap(({ headId }) => rowOf.get(headId) ?? []),
  );
  const clusters = await presentClusters(queries, projectId, groups, await listJudgingRuns(queries, projectId));
  const presented = clusters.map((cluster, at): RunCluster => ({
    ...cluster,
    failuresHere: listed[at]!.failuresHere,
    // A cause that was joined with it may have been seen before.
    isNew: cluster.firstSeen?.id === id,
  }));
  return {
    clusters: presented.sort((a, b) => Number(b.isNew) - Number(a.isNew)),
    totalClusters: counted.length,
  };
};
