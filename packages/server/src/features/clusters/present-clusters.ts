import { type Cluster, type ClusterLife, JUDGING_RUNS, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ClusterRow } from '../../db/tables.ts';
import { nextTurn } from '../../turns.ts';
import { RUN_REF_COLUMNS, type RunRefRow, presentRunRef } from '../runs/run-refs.ts';
import { type JudgingRun, judgeLife } from './life.ts';

/** Runs that show one cluster, newest first, that its life is judged by. */
const MOST_APPEARANCES = 1_000;

/** A cluster with those that people have joined with it. */
export interface ClusterGroup {
  readonly head: ClusterRow;
  readonly joined: readonly ClusterRow[];
}

export const idsOf = ({ head, joined }: ClusterGroup): number[] => [head.id, ...joined.map(({ id }) => id)];

/** Some clusters of one project, each with those that are joined with it. */
export const readGroups = async (
  queries: Queries,
  projectId: number,
  heads: readonly ClusterRow[],
): Promise<ClusterGroup[]> => {
  const joined = await queries
    .selectFrom('clusters')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(
      'joined_to',
      'in',
      heads.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  const byHead = Map.groupBy(joined, ({ joined_to }) => joined_to);
  return heads.map((head) => ({ head, joined: byHead.get(head.id) ?? [] }));
};

/** The runs that a life is judged by, oldest first. */
export const listJudgingRuns = async (queries: Queries, projectId: number): Promise<JudgingRun[]> => {
  const runs = await queries
    .selectFrom('runs')
    .select(['id', 'branch', 'start_time', 'filtered', 'sequence'])
    .where('project_id', '=', projectId)
    .orderBy('start_time', 'desc')
    .orderBy('id', 'desc')
    .limit(JUDGING_RUNS)
    .execute();
  return runs.reverse().map(({ id, branch, start_time: startTime, filtered, sequence }) => {
    const isWhole = filtered !== 1 && sequence >= 0;
    return { id, branch, startTime, isWhole };
  });
};

/** In the order of the groups. */
export const presentClusters = async (
  queries: Queries,
  projectId: number,
  groups: readonly ClusterGroup[],
  judging: readonly JudgingRun[],
): Promise<Cluster[]> => {
  const presented: Cluster[] = [];
  for (const group of groups) {
    await nextTurn();
    const life = judgeLife(judging, await readAppearances(queries, projectId, idsOf(group)));
    presented.push(await presentCluster(queries, group, life));
  }
  return presented;
};

const readAppearances = async (
  queries: Queries,
  projectId: number,
  clusterIds: readonly number[],
): Promise<Set<number>> => {
  const seen = new Set<number>();
  for (const clusterId of clusterIds) {
    const runs = await queries
      .selectFrom('cluster_runs')
      .select('run_id')
      .where('project_id', '=', projectId)
      .where('cluster_id', '=', clusterId)
      .orderBy('start_time', 'desc')
      .orderBy('run_id', 'desc')
      .limit(MOST_APPEARANCES)
      .execute();
    for (const { run_id } of runs) seen.add(run_id);
  }
  return seen;
};

const presentCluster = async (queries: Queries, group: ClusterGroup, life: ClusterLife): Promise<Cluster> => {
  const { head, joined } = group;
  const rows = [head, ...joined];
  const ends = await readRuns(
    queries,
    rows.flatMap(({ first_run_id, last_run_id }) => [first_run_id, last_run_id].filter((id) => id !== null)),
  );
  return {
    id: head.id,
    cause: head.cause,
    joined: joined.length,
    failures: rows.reduce((sum, { failures }) => sum + failures, 0),
    runs: joined.length === 0 ? head.runs : await countRuns(queries, group),
    firstSeen: ends.length > 0 ? presentRunRef(ends[0]!) : null,
    lastSeen: ends.length > 0 ? presentRunRef(ends.at(-1)!) : null,
    life,
    note: head.note,
    assignee: head.assignee,
    issueUrl: head.issue_url,
    snoozedUntil: head.snoozed_until === null ? null : formatTime(head.snoozed_until),
  };
};

/** Oldest first. */
const readRuns = (queries: Queries, ids: readonly number[]): Promise<RunRefRow[]> =>
  queries
    .selectFrom('runs')
    .select(RUN_REF_COLUMNS)
    .where('id', 'in', ids)
    .orderBy('start_time')
    .orderBy('id')
    .execute();

/** A run may show several of the causes that were joined. */
const countRuns = async (queries: Queries, group: ClusterGroup): Promise<number> => {
  const { runs } = await queries
    .selectFrom('cluster_runs')
    .select(({ fn }) => fn.count<number>('run_id').distinct().as('runs'))
    .where('project_id', '=', group.head.project_id)
    .where('cluster_id', 'in', idsOf(group))
    .executeTakeFirstOrThrow();
  return runs;
};
