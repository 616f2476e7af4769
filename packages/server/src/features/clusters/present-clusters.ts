import { type Cluster, type ClusterLife, JUDGING_RUNS, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ClusterRow } from '../../db/tables.ts';
import { nextTurn } from '../../turns.ts';
import { RUN_REF_COLUMNS, type RunRefRow, presentRunRef } from '../runs/run-refs.ts';
import { type JudgingRun, judgeLife } from './life.ts';

/** Runs that show one cluster, newest first, that its life is judged by. */
const MOST_APPEARANCES = 1_000;
/** Clusters that so few runs show are read together. */
const FEW_APPEARANCES = 50;

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
  const lives = await judgeLives(queries, projectId, groups, judging);
  const ends = await readEnds(queries, projectId, groups);
  const presented: Cluster[] = [];
  for (const [at, group] of groups.entries()) {
    const { head, joined } = group;
    const rows = [head, ...joined];
    const seen = rows
      .flatMap(({ first_run_id, last_run_id }) => [ends.get(first_run_id!) ?? [], ends.get(last_run_id!) ?? []].flat())
      .sort((a, b) => a.start_time - b.start_time || a.id - b.id);
    presented.push({
      id: head.id,
      cause: head.cause,
      joined: joined.length,
      failures: rows.reduce((sum, { failures }) => sum + failures, 0),
      runs: joined.length === 0 ? head.runs : await countRuns(queries, group),
      firstSeen: seen.length > 0 ? presentRunRef(seen[0]!) : null,
      lastSeen: seen.length > 0 ? presentRunRef(seen.at(-1)!) : null,
      life: lives[at]!,
      note: head.note,
      assignee: head.assignee,
      issueUrl: head.issue_url,
      snoozedUntil: head.snoozed_until === null ? null : formatTime(head.snoozed_until),
    });
  }
  return presented;
};

/** Whether each of some clusters goes on. */
export const judgeLives = async (
  queries: Queries,
  projectId: number,
  groups: readonly ClusterGroup[],
  judging: readonly JudgingRun[],
): Promise<ClusterLife[]> => {
  const isFrequent = ({ runs }: ClusterRow): boolean => runs > FEW_APPEARANCES;
  const rows = groups.flatMap(({ head, joined }) => [head, ...joined]);
  const seen = new Map<number, number[]>(rows.map(({ id }) => [id, []]));
  const rare = rows.filter((row) => !isFrequent(row)).map(({ id }) => id);
  const all = await appearances(queries, projectId, rare).select(['cluster_id', 'run_id']).execute();
  for (const { cluster_id, run_id } of all) seen.get(cluster_id)!.push(run_id);
  for (const { id } of rows.filter(isFrequent)) {
    await nextTurn();
    const latest = await appearances(queries, projectId, [id])
      .select('run_id')
      .orderBy('start_time', 'desc')
      .orderBy('run_id', 'desc')
      .limit(MOST_APPEARANCES)
      .execute();
    seen.set(
      id,
      latest.map(({ run_id }) => run_id),
    );
  }
  const lives: ClusterLife[] = [];
  for (const group of groups) {
    await nextTurn();
    lives.push(judgeLife(judging, new Set(idsOf(group).flatMap((id) => seen.get(id)!))));
  }
  return lives;
};

const appearances = (queries: Queries, projectId: number, clusterIds: readonly number[]) =>
  queries.selectFrom('cluster_runs').where('project_id', '=', projectId).where('cluster_id', 'in', clusterIds);

/** The runs in which they were first and last seen, by id. */
const readEnds = async (
  queries: Queries,
  projectId: number,
  groups: readonly ClusterGroup[],
): Promise<Map<number, RunRefRow>> => {
  const ids = groups.flatMap(({ head, joined }) =>
    [head, ...joined].flatMap(({ first_run_id, last_run_id }) =>
      [first_run_id, last_run_id].filter((id) => id !== null),
    ),
  );
  const runs = await queries
    .selectFrom('runs')
    .select(RUN_REF_COLUMNS)
    .where('project_id', '=', projectId)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(runs.map((run) => [run.id, run]));
};

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
