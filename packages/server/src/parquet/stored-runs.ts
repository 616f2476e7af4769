import { createHash } from 'node:crypto';
import type { Run } from '@assay/contract';
import type { Queries } from '../db/database.ts';
import { storedLength } from '../db/moved-values.ts';
import type { ProjectRow } from '../db/tables.ts';
import { SHOWN_RUN_COLUMNS, type ShownRun, presentRun } from '../features/runs/present-run.ts';
import { shardsOf } from '../features/runs/shards.ts';
import type { StoredRun } from './plan-parts.ts';

const RUNS_PER_PAGE = 500;

export type NamedProject = Pick<ProjectRow, 'id' | 'name' | 'label'>;

/** A run with what decides whether it must be exported again. */
export interface FoundRun extends StoredRun {
  readonly row: ShownRun;
  readonly run: Run;
}

/** The runs of a project, by id. */
export const listStoredRuns = async (queries: Queries, project: NamedProject): Promise<StoredRun[]> => {
  const stored: StoredRun[] = [];
  for (let last = 0; ;) {
    const rows = await queries
      .selectFrom('runs')
      .select(SHOWN_RUN_COLUMNS)
      .where('project_id', '=', project.id)
      .where('id', '>', last)
      .orderBy('id')
      .limit(RUNS_PER_PAGE)
      .execute();
    if (rows.length === 0) return stored;
    for (const { row: _, run: __, ...run } of await describeRuns(queries, project, rows)) stored.push(run);
    last = rows.at(-1)!.id;
  }
};

export const findStoredRun = async (queries: Queries, project: NamedProject, id: number): Promise<FoundRun | null> => {
  const row = await queries.selectFrom('runs').select(SHOWN_RUN_COLUMNS).where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  return (await describeRuns(queries, project, [row]))[0]!;
};

const describeRuns = async (
  queries: Queries,
  { name, label }: NamedProject,
  rows: readonly ShownRun[],
): Promise<FoundRun[]> => {
  const blocks = new Map((await sizesOfBlocks(queries, rows)).map((sizes) => [sizes.run_id, sizes]));
  const shards = await shardsOf(queries, rows);
  return rows.map((row) => {
    const run = presentRun(row, shards.get(row.id));
    const { count, results, requests } = blocks.get(row.id) ?? {};
    // Requests that are read from traces change a block and leave the version as it was.
    const told = JSON.stringify([name, label, run, row.version, ...[count, results, requests].map(String)]);
    return {
      id: row.id,
      month: monthOf(row.start_time),
      state: createHash('sha256').update(told).digest('base64url').slice(0, 12),
      results: row.result_count,
      isRunning: row.status === 'running',
      row,
      run,
    };
  });
};

const sizesOfBlocks = (queries: Queries, rows: readonly ShownRun[]) =>
  queries
    .selectFrom('segments')
    .select(({ fn }) => [
      'run_id',
      fn.countAll().as('count'),
      fn.sum(storedLength(queries, 'results')).as('results'),
      fn.sum(storedLength(queries, 'requests')).as('requests'),
    ])
    .where(
      'run_id',
      'in',
      rows.map(({ id }) => id),
    )
    .groupBy('run_id')
    .execute();

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, -'-01T00:00:00.000Z'.length);
