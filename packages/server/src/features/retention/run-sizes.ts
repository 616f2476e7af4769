import { MAX_RESULTS_PER_RUN } from '@assay/contract';
import { sql } from 'kysely';
import { blocksNameProject } from '../../db/blocks-of-project.ts';
import type { Queries } from '../../db/database.ts';
import { storedLength } from '../../db/moved-values.ts';

/** What a run takes. */
export interface RunSizes {
  readonly reports: number;
  readonly traces: number;
  readonly attachments: number;
  readonly fileBytes: number;
  /** Results, requests and details. */
  readonly databaseBytes: number;
}

export const NOTHING_STORED: RunSizes = { reports: 0, traces: 0, attachments: 0, fileBytes: 0, databaseBytes: 0 };

/** What each of some runs takes. */
export const sizesOfRuns = async (queries: Queries, ids: readonly number[]): Promise<Map<number, RunSizes>> => {
  const sizes = new Map(ids.map((id) => [id, { ...NOTHING_STORED }]));
  if (ids.length === 0) return sizes;
  const segments = await queries
    .selectFrom('segments')
    .select([
      'run_id',
      sql<number>`sum(${storedLength(queries, 'results')} + coalesce(${storedLength(queries, 'requests')}, 0))`.as(
        'bytes',
      ),
    ])
    .where('run_id', 'in', ids)
    .groupBy('run_id')
    .execute();
  const details = await queries
    .selectFrom('runs')
    .innerJoin('details', (join) =>
      join
        .on(({ eb, ref }) => eb('details.id', '>=', sql<number>`${ref('runs.id')} * ${sql.lit(MAX_RESULTS_PER_RUN)}`))
        .on(({ eb, ref }) =>
          eb('details.id', '<', sql<number>`(${ref('runs.id')} + 1) * ${sql.lit(MAX_RESULTS_PER_RUN)}`),
        ),
    )
    .$if(blocksNameProject(queries), (query) => query.whereRef('details.project_id', '=', 'runs.project_id'))
    .select(['runs.id as run_id', sql<number>`sum(${storedLength(queries, 'details.data')})`.as('bytes')])
    .where('runs.id', 'in', ids)
    .groupBy('runs.id')
    .execute();
  for (const { run_id, bytes } of [...segments, ...details]) sizes.get(run_id)!.databaseBytes += bytes;
  const reports = await queries
    .selectFrom('reports')
    .select(({ fn }) => ['run_id', fn.countAll<number>().as('count'), fn.sum<number>('size').as('bytes')])
    .where('run_id', 'in', ids)
    .groupBy('run_id')
    .execute();
  for (const { run_id, count, bytes } of reports) {
    sizes.get(run_id)!.reports = count;
    sizes.get(run_id)!.fileBytes += bytes;
  }
  for (const table of ['traces', 'attachments'] as const) {
    const files = await queries
      .selectFrom(table)
      .innerJoin('blobs', 'blobs.id', `${table}.blob_id`)
      .select(({ fn }) => [
        `${table}.run_id`,
        fn.countAll<number>().as('count'),
        fn.sum<number>('blobs.size').as('bytes'),
      ])
      .where(`${table}.run_id`, 'in', ids)
      .groupBy(`${table}.run_id`)
      .execute();
    for (const { run_id, count, bytes } of files) {
      sizes.get(run_id)![table] = count;
      sizes.get(run_id)!.fileBytes += bytes;
    }
  }
  return sizes;
};
