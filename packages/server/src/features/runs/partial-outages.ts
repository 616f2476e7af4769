import type { OutageKind, RunOutage } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { LEAST_OUTAGE_TESTS, findOutages, isOutOfProportion } from './outages.ts';
import { type RecentRun, presentRunRef } from './run-refs.ts';

export interface Outage {
  readonly run: RecentRun;
  readonly kind: OutageKind;
  /** Where it is one shard, and where it is one cause. */
  readonly shard: number | null;
  readonly clusterId: number | null;
}

/** In how many tests one cause usually differs from run to run: fewer than all failures together do. */
const LEAST_SPREAD_OF_CAUSE = 0.01;

/**
 * The runs in which far more failed or was flaky than usual: in all of the run, on one of its shards, or for one cause. Each
 * once, in the order of the runs.
 */
export const findAllOutages = async (
  queries: Queries,
  projectId: number,
  runs: readonly RecentRun[],
): Promise<Outage[]> => {
  if (runs.length === 0) return [];
  const whole = new Set(findOutages(runs));
  // At once: over a network each of them is a round trip.
  const [shards, causes] = await Promise.all([
    findShardOutages(queries, projectId, runs),
    findCauseOutages(queries, projectId, runs),
  ]);
  return runs.flatMap((run): Outage[] => {
    if (whole.has(run)) return [{ run, kind: 'run', shard: null, clusterId: null }];
    const shard = shards.get(run.id);
    if (shard !== undefined) return [{ run, kind: 'shard', shard, clusterId: null }];
    const clusterId = causes.get(run.id);
    return clusterId === undefined ? [] : [{ run, kind: 'cause', shard: null, clusterId }];
  });
};

/** By run, the first such shard. A shard is compared with itself in other runs: each has tests of its own. */
const findShardOutages = async (
  queries: Queries,
  projectId: number,
  runs: readonly RecentRun[],
): Promise<ReadonlyMap<number, number>> => {
  const inShards = runs.filter(({ shard_total }) => shard_total !== null);
  if (inShards.length === 0) return new Map();
  const among = idsOf(inShards);
  const parts = await queries
    .selectFrom('parts')
    .select(['run_id', 'shard', 'shard_total', 'total_tests', 'failed_tests', 'skipped_tests', 'flaky_tests'])
    .where('project_id', '=', projectId)
    .where('run_id', '>=', among.first)
    .where('run_id', '<=', among.last)
    .where('shard', '>', 0)
    .where('state', '!=', 'replaced')
    .orderBy('shard', 'desc')
    .execute();
  const ofThese = parts.filter(({ run_id }) => among.all.has(run_id));
  const alike = Map.groupBy(ofThese, ({ shard, shard_total }) => `${shard} of ${shard_total}`);
  return new Map([...alike.values()].flatMap(findOutages).map(({ run_id, shard }) => [run_id, shard]));
};

/** By run, the cluster that most failures of it are of. */
const findCauseOutages = async (
  queries: Queries,
  projectId: number,
  runs: readonly RecentRun[],
): Promise<ReadonlyMap<number, number>> => {
  const among = idsOf(runs);
  const rows = await queries
    .selectFrom('cluster_runs')
    .select(['run_id', 'cluster_id', 'failures'])
    .where('project_id', '=', projectId)
    .where('run_id', '>=', among.first)
    .where('run_id', '<=', among.last)
    .where('failures', '>=', LEAST_OUTAGE_TESTS)
    .orderBy('failures')
    .orderBy('cluster_id', 'desc')
    .execute();
  const largest = new Map(rows.map((row) => [row.run_id, row]));
  const shares = runs.map(({ id, total_tests, skipped_tests }) => {
    const ran = total_tests - skipped_tests;
    return ran > 0 ? (largest.get(id)?.failures ?? 0) / ran : null;
  });
  const isOut = isOutOfProportion(shares, LEAST_SPREAD_OF_CAUSE);
  return new Map(
    runs.flatMap(({ id }, at) => {
      const row = isOut[at] ? largest.get(id) : undefined;
      return row ? [[id, row.cluster_id] as const] : [];
    }),
  );
};

/** A thousand ids would be a statement that no database has prepared: those between are read too, and left out here. */
const idsOf = (runs: readonly RecentRun[]) => {
  const all = new Set(runs.map(({ id }) => id));
  return { all, first: Math.min(...all), last: Math.max(...all) };
};

export const presentOutages = async (queries: Queries, outages: readonly Outage[]): Promise<RunOutage[]> => {
  const clusterIds = outages.flatMap(({ clusterId }) => clusterId ?? []);
  const causes =
    clusterIds.length === 0
      ? []
      : await queries.selectFrom('clusters').select(['id', 'cause']).where('id', 'in', clusterIds).execute();
  const causeOf = new Map(causes.map(({ id, cause }) => [id, cause]));
  return outages.map(({ run, kind, shard, clusterId }) => ({
    ...presentRunRef(run),
    kind,
    shard,
    cause: clusterId === null ? null : (causeOf.get(clusterId) ?? null),
  }));
};
