import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';

/** The failures of a run by cause. */
export interface CountedRun {
  readonly runId: number;
  /** What was read; another version of it is not what is stored by now. */
  readonly version: number;
  readonly failures: ReadonlyMap<string, number>;
}

export interface StoreClusters {
  readonly projectId: number;
  readonly runs: readonly CountedRun[];
}

/** Values in one statement. */
const AT_ONCE = 500;

/** Stores which clusters some runs show. Returns of how many runs: those that changed meanwhile are left out. */
export const storeClusters = async (transaction: Queries, { projectId, runs }: StoreClusters): Promise<number> => {
  const changes = startChanges(projectId);
  const read: { readonly run: CountedRun; readonly startTime: number }[] = [];
  for (const run of runs) {
    const stored = await transaction
      .updateTable('runs')
      .set({ clustered_version: run.version })
      .where('project_id', '=', projectId)
      .where('id', '=', run.runId)
      .where('version', '=', run.version)
      .returning('start_time')
      .executeTakeFirst();
    if (!stored) continue;
    await removeRun(transaction, changes, run.runId);
    read.push({ run, startTime: stored.start_time });
  }
  const causes = new Set(read.flatMap(({ run }) => [...run.failures.keys()]));
  const idOf = await clustersOf(transaction, projectId, [...causes]);
  const shown = read.flatMap(({ run: { runId, failures }, startTime }) =>
    [...failures].map(([cause, count]) => {
      const id = idOf.get(cause)!;
      note(changes, id, 1, count);
      return { project_id: projectId, cluster_id: id, run_id: runId, start_time: startTime, failures: count };
    }),
  );
  for (const some of chunksOf(shown)) await transaction.insertInto('cluster_runs').values(some).execute();
  await applyChanges(transaction, changes);
  return read.length;
};

/** To be called before the runs are deleted. */
export const removeRunsFromClusters = async (
  transaction: Queries,
  projectId: number,
  runIds: readonly number[],
): Promise<void> => {
  const changes = startChanges(projectId);
  for (const runId of runIds) await removeRun(transaction, changes, runId);
  await applyChanges(transaction, changes);
};

/** What becomes more and less, by cluster. */
interface Changes {
  readonly projectId: number;
  readonly of: Map<number, { runs: number; failures: number }>;
}

const startChanges = (projectId: number): Changes => ({ projectId, of: new Map() });

const note = ({ of }: Changes, id: number, runs: number, failures: number): void => {
  const change = of.get(id) ?? { runs: 0, failures: 0 };
  of.set(id, change);
  change.runs += runs;
  change.failures += failures;
};

const removeRun = async (transaction: Queries, changes: Changes, runId: number): Promise<void> => {
  const shown = await transaction
    .deleteFrom('cluster_runs')
    .where('project_id', '=', changes.projectId)
    .where('run_id', '=', runId)
    .returning(['cluster_id', 'failures'])
    .execute();
  for (const { cluster_id: id, failures } of shown) note(changes, id, -1, -failures);
};

/** The ids of the clusters of some causes, which are made where there is none. */
const clustersOf = async (
  transaction: Queries,
  projectId: number,
  causes: readonly string[],
): Promise<Map<string, number>> => {
  const idOf = new Map<string, number>();
  for (const some of chunksOf(causes)) {
    const known = await transaction
      .selectFrom('clusters')
      .select(['id', 'cause'])
      .where('project_id', '=', projectId)
      .where('cause', 'in', some)
      .execute();
    for (const { id, cause } of known) idOf.set(cause, id);
    const missing = some.filter((cause) => !idOf.has(cause));
    if (missing.length === 0) continue;
    const made = await transaction
      .insertInto('clusters')
      .values(missing.map((cause) => ({ project_id: projectId, cause })))
      .returning(['id', 'cause'])
      .execute();
    for (const { id, cause } of made) idOf.set(cause, id);
  }
  return idOf;
};

const applyChanges = async (transaction: Queries, { projectId, of }: Changes): Promise<void> => {
  const alike = Map.groupBy(of, ([, { runs, failures }]) => `${runs} ${failures}`);
  for (const group of alike.values()) {
    const { runs, failures } = group[0]![1];
    for (const some of chunksOf(group)) {
      await transaction
        .updateTable('clusters')
        .set((row) => ({ runs: row('runs', '+', runs), failures: row('failures', '+', failures) }))
        .where('project_id', '=', projectId)
        .where(
          'id',
          'in',
          some.map(([id]) => id),
        )
        .execute();
    }
  }
  await refreshClusters(transaction, projectId, [...of.keys()]);
};

/** Finds again when some clusters were first and last seen, and deletes those that nothing is left of. */
export const refreshClusters = async (
  transaction: Queries,
  projectId: number,
  clusterIds: readonly number[],
): Promise<void> => {
  for (const ids of chunksOf(clusterIds)) {
    const refreshed = await transaction
      .updateTable('clusters')
      .set({
        first_run_id: endOf('run_id', 'asc'),
        last_run_id: endOf('run_id', 'desc'),
        last_at: endOf('start_time', 'desc'),
      })
      .where('project_id', '=', projectId)
      .where('id', 'in', ids)
      .returning(['id', 'joined_to'])
      .execute();
    const heads = [...new Set(refreshed.map(({ id, joined_to }) => joined_to ?? id))];
    await listAgain(transaction, projectId, heads);
    await deleteEmpty(transaction, projectId, [...new Set([...ids, ...heads])]);
  }
};

/** Of the first or the last run that shows a cluster. */
const endOf = (column: 'run_id' | 'start_time', order: 'asc' | 'desc') => sql<number | null>`(
  SELECT ${sql.ref(column)} FROM cluster_runs
  WHERE cluster_runs.project_id = clusters.project_id AND cluster_runs.cluster_id = clusters.id
  ORDER BY start_time ${sql.raw(order)}, run_id ${sql.raw(order)} LIMIT 1)`;

/** A cluster that is joined with another one is listed as a part of that one. */
const listAgain = async (transaction: Queries, projectId: number, headIds: readonly number[]): Promise<void> => {
  const heads = transaction.updateTable('clusters').where('project_id', '=', projectId);
  await heads
    .set((row) => ({ listed_at: row.ref('last_at') }))
    .where('id', 'in', headIds)
    .execute();
  const joined = await transaction
    .selectFrom('clusters')
    .select(({ fn }) => ['joined_to', fn.max('last_at').as('last_at')])
    .where('project_id', '=', projectId)
    .where('joined_to', 'in', headIds)
    .groupBy('joined_to')
    .execute();
  for (const { joined_to, last_at } of joined) {
    await heads
      .set({ listed_at: last_at })
      .where('id', '=', joined_to!)
      .where((row) => row.or([row('listed_at', 'is', null), row('listed_at', '<', last_at)]))
      .execute();
  }
};

/** A cluster that people have said something of stays for when it returns. */
const deleteEmpty = async (transaction: Queries, projectId: number, ids: readonly number[]): Promise<void> => {
  await transaction
    .deleteFrom('clusters')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .where('runs', '=', 0)
    .where('joined_to', 'is', null)
    .where('listed_at', 'is', null)
    .where('note', 'is', null)
    .where('assignee', 'is', null)
    .where('issue_url', 'is', null)
    .where('snoozed_until', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('clusters as part')
            .select('part.id')
            .where('part.project_id', '=', projectId)
            .whereRef('part.joined_to', '=', 'clusters.id'),
        ),
      ),
    )
    .execute();
};

function* chunksOf<T>(values: readonly T[]): Generator<T[]> {
  for (let start = 0; start < values.length; start += AT_ONCE) yield values.slice(start, start + AT_ONCE);
}
