import {
  type ClusterDetails,
  LONGEST_CAUSE_SAMPLE,
  MOST_CLUSTER_GROUPS,
  MOST_CLUSTER_PLACES,
  MOST_CLUSTER_RUNS,
  errorPlace,
  formatTime,
} from '@assay/contract';
import type { Context } from '../../context.ts';
import { cutText } from '../../cut-text.ts';
import type { Queries } from '../../db/database.ts';
import type { ClusterRow } from '../../db/tables.ts';
import { readRuns } from '../../history/read-runs.ts';
import { indexAt } from '../../segments/row-indices.ts';
import { nextTurn } from '../../turns.ts';
import { findCauseTests } from '../insights/causes.ts';
import { readCauses } from '../insights/read-errors.ts';
import { RECENT_RUN_COLUMNS, type RecentRun, presentRunOfResult, presentRunRef } from '../runs/run-refs.ts';
import { type ClusterGroup, idsOf, listJudgingRuns, presentClusters, readGroups } from './present-clusters.ts';
import { findSimilar } from './similar-clusters.ts';

/** A cluster with all that its page shows. `unreadRuns` is how many runs are not part of the index yet. */
export const readCluster = async (
  context: Context,
  row: ClusterRow,
  { unreadRuns, startLargeRead }: { unreadRuns: number; startLargeRead(rows: number): Promise<void> },
): Promise<ClusterDetails> => {
  const { queries } = context;
  const { project_id: projectId } = row;
  const [group] = await readGroups(queries, projectId, [row]);
  const [cluster] = await presentClusters(queries, projectId, [group!], await listJudgingRuns(queries, projectId));
  const latest = await listLatestRuns(queries, group!);
  await startLargeRead(latest.reduce((sum, { result_count }) => sum + result_count, 0));
  const causes = new Set([row, ...group!.joined].map(({ cause }) => cause));
  const { sample, places } = await readSamples(context, latest, causes);
  return {
    ...cluster!,
    projectId,
    joinedTo: row.joined_to,
    causes: [row, ...group!.joined].map(({ id, cause, failures, runs }) => ({ id, cause, failures, runs })),
    latestRuns: latest.map(({ failures, ...run }) => ({ ...presentRunRef(run), failures })),
    branches: (await groupRuns(queries, group!, 'branch')).map(({ name, ...seen }) => ({ branch: name, ...seen })),
    environments: (await groupRuns(queries, group!, 'environment')).map(({ name, ...seen }) => ({
      environment: name,
      ...seen,
    })),
    tests: await findCauseTests(context, latest, causes),
    places,
    sample,
    similar: await findSimilar(queries, group!),
    unreadRuns,
  };
};

type ShowingRun = RecentRun & { readonly failures: number };

/** Newest first. */
const listLatestRuns = (queries: Queries, group: ClusterGroup): Promise<ShowingRun[]> =>
  queries
    .selectFrom('cluster_runs')
    .innerJoin('runs', (join) =>
      join.onRef('runs.project_id', '=', 'cluster_runs.project_id').onRef('runs.id', '=', 'cluster_runs.run_id'),
    )
    .select(RECENT_RUN_COLUMNS.map((column) => `runs.${column}` as const))
    .select(({ fn }) => fn.sum<number>('cluster_runs.failures').as('failures'))
    .where('cluster_runs.project_id', '=', group.head.project_id)
    .where('cluster_runs.cluster_id', 'in', idsOf(group))
    .groupBy(RECENT_RUN_COLUMNS.map((column) => `runs.${column}` as const))
    .orderBy('runs.start_time', 'desc')
    .orderBy('runs.id', 'desc')
    .limit(MOST_CLUSTER_RUNS)
    .execute();

/** The runs that show it by branch or environment, the last seen first. */
const groupRuns = async (queries: Queries, group: ClusterGroup, by: 'branch' | 'environment') => {
  const rows = await queries
    .selectFrom('cluster_runs')
    .innerJoin('runs', (join) =>
      join.onRef('runs.project_id', '=', 'cluster_runs.project_id').onRef('runs.id', '=', 'cluster_runs.run_id'),
    )
    .select(({ fn, ref }) => [
      ref(`runs.${by}`).as('name'),
      fn.count<number>('runs.id').distinct().as('runs'),
      fn.max('runs.start_time').as('last'),
    ])
    .where('cluster_runs.project_id', '=', group.head.project_id)
    .where('cluster_runs.cluster_id', 'in', idsOf(group))
    .groupBy(`runs.${by}`)
    .orderBy('last', 'desc')
    .orderBy('name')
    .limit(MOST_CLUSTER_GROUPS)
    .execute();
  return rows.map(({ name, runs, last }) => ({ name, runs, lastSeen: formatTime(last) }));
};

/** The first error in the latest run, and where errors of the latest runs were thrown. */
const readSamples = async (
  { segments }: Context,
  newestFirst: readonly RecentRun[],
  causes: ReadonlySet<string>,
): Promise<Pick<ClusterDetails, 'sample' | 'places'>> => {
  let sample: ClusterDetails['sample'] = null;
  const places = new Map<string, number>();
  for await (const { run, results } of readRuns(segments, newestFirst, nextTurn)) {
    if (!results) continue;
    await readCauses(
      results,
      (cause) => (causes.has(cause) ? 'wanted' : null),
      (row) => {
        const error = results.strings.at(results.error.at(row));
        sample ??= {
          error: cutText(error, LONGEST_CAUSE_SAMPLE),
          result: presentRunOfResult(run, indexAt(results, row)),
        };
        const place = errorPlace(error);
        if (place !== null) places.set(place, (places.get(place) ?? 0) + 1);
      },
    );
  }
  const mostFrequent = [...places].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
  return { sample, places: mostFrequent.slice(0, MOST_CLUSTER_PLACES).map(([place]) => place) };
};
