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

/** Stores which clusters some runs show. Returns of how many runs: those that changed meanwhile are left out. */
export const storeClusters = async (transaction: Queries, { projectId, runs }: StoreClusters): Promise<number> => {
  const touched = new Set<number>();
  let stored = 0;
  for (const { runId, version, failures } of runs) {
    const run = await transaction
      .updateTable('runs')
      .set({ clustered_version: version })
      .where('project_id', '=', projectId)
      .where('id', '=', runId)
      .where('version', '=', version)
      .returning('start_time')
      .executeTakeFirst();
    if (!run) continue;
    stored++;
    await removeRun(transaction, projectId, runId, touched);
    for (const [cause, count] of failures) {
      const id = await clusterOf(transaction, projectId, cause);
      touched.add(id);
      await transaction
        .insertInto('cluster_runs')
        .values({ project_id: projectId, cluster_id: id, run_id: runId, start_time: run.start_time, failures: count })
        .execute();
      await addToFigures(transaction, projectId, id, { runs: 1, failures: count });
    }
  }
  await refreshClusters(transaction, projectId, touched);
  return stored;
};

/** To be called before the runs are deleted. */
export const removeRunsFromClusters = async (
  transaction: Queries,
  projectId: number,
  runIds: readonly number[],
): Promise<void> => {
  const touched = new Set<number>();
  for (const runId of runIds) await removeRun(transaction, projectId, runId, touched);
  await refreshClusters(transaction, projectId, touched);
};

const removeRun = async (
  transaction: Queries,
  projectId: number,
  runId: number,
  touched: Set<number>,
): Promise<void> => {
  const shown = await transaction
    .deleteFrom('cluster_runs')
    .where('project_id', '=', projectId)
    .where('run_id', '=', runId)
    .returning(['cluster_id', 'failures'])
    .execute();
  for (const { cluster_id: id, failures } of shown) {
    touched.add(id);
    await addToFigures(transaction, projectId, id, { runs: -1, failures: -failures });
  }
};

const clusterOf = async (transaction: Queries, projectId: number, cause: string): Promise<number> => {
  const known = await transaction
    .selectFrom('clusters')
    .select('id')
    .where('project_id', '=', projectId)
    .where('cause', '=', cause)
    .executeTakeFirst();
  if (known) return known.id;
  const { id } = await transaction
    .insertInto('clusters')
    .values({ project_id: projectId, cause })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

const addToFigures = async (
  transaction: Queries,
  projectId: number,
  id: number,
  change: { readonly runs: number; readonly failures: number },
): Promise<void> => {
  await transaction
    .updateTable('clusters')
    .set((row) => ({
      runs: row('runs', '+', change.runs),
      failures: row('failures', '+', change.failures),
    }))
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
};

/** Finds again when some clusters were first and last seen, and deletes those that nothing is left of. */
export const refreshClusters = async (
  transaction: Queries,
  projectId: number,
  ids: ReadonlySet<number>,
): Promise<void> => {
  const heads = new Set<number>();
  for (const id of ids) {
    const first = await runAtEnd(transaction, projectId, id, 'asc');
    const last = await runAtEnd(transaction, projectId, id, 'desc');
    const { joined_to } = await transaction
      .updateTable('clusters')
      .set({
        first_run_id: first?.run_id ?? null,
        last_run_id: last?.run_id ?? null,
        last_at: last?.start_time ?? null,
      })
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .returning('joined_to')
      .executeTakeFirstOrThrow();
    heads.add(joined_to ?? id);
  }
  for (const id of heads) await listAgain(transaction, projectId, id);
  await transaction
    .deleteFrom('clusters')
    .where('project_id', '=', projectId)
    .where('id', 'in', [...new Set([...ids, ...heads])])
    .where('runs', '=', 0)
    .where('joined_to', 'is', null)
    .where('listed_at', 'is', null)
    .where('note', 'is', null)
    .where('assignee', 'is', null)
    .where('issue_url', 'is', null)
    .where('snoozed_until', 'is', null)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('clusters as joined')
        .select((row) => row.ref('joined.joined_to').$notNull().as('id'))
        .where('joined.project_id', '=', projectId)
        .where('joined.joined_to', 'is not', null),
    )
    .execute();
};

const runAtEnd = (transaction: Queries, projectId: number, id: number, order: 'asc' | 'desc') =>
  transaction
    .selectFrom('cluster_runs')
    .select(['run_id', 'start_time'])
    .where('project_id', '=', projectId)
    .where('cluster_id', '=', id)
    .orderBy('start_time', order)
    .orderBy('run_id', order)
    .limit(1)
    .executeTakeFirst();

/** A cluster that is joined with another one is listed as a part of that one. */
const listAgain = async (transaction: Queries, projectId: number, headId: number): Promise<void> => {
  const { last_at } = await transaction
    .selectFrom('clusters')
    .select(({ fn }) => fn.max('last_at').as('last_at'))
    .where('project_id', '=', projectId)
    .where((row) => row.or([row('id', '=', headId), row('joined_to', '=', headId)]))
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('clusters')
    .set({ listed_at: last_at })
    .where('project_id', '=', projectId)
    .where('id', '=', headId)
    .execute();
};
