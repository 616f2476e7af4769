import { MAX_RESULTS_PER_RUN } from '@assay/contract';
import { type Expression, sql } from 'kysely';
import { blocksNameProject } from '../../db/blocks-of-project.ts';
import type { Queries } from '../../db/database.ts';
import { storedLength } from '../../db/moved-values.ts';

/** What the runs of a project take that started before a time. */
export interface StoredSizes {
  readonly runs: number;
  readonly results: number;
  readonly reports: number;
  readonly traces: number;
  readonly attachments: number;
  /** Results, requests and details. */
  readonly databaseBytes: number;
  readonly fileBytes: number;
  readonly oldestRun: number | null;
}

export const storedSizes = async (queries: Queries, projectId: number, startedBefore: number): Promise<StoredSizes> => {
  const runs = queries
    .selectFrom('runs')
    .where('runs.project_id', '=', projectId)
    .where('runs.start_time', '<', startedBefore);
  const totals = await runs
    .select(({ fn }) => [
      fn.countAll<number>().as('runs'),
      fn.sum<number | null>('runs.result_count').as('results'),
      fn.min<number | null>('runs.start_time').as('oldest'),
    ])
    .executeTakeFirstOrThrow();
  const segments = await runs
    .innerJoin('segments', 'segments.run_id', 'runs.id')
    .$if(blocksNameProject(queries), (query) => query.where('segments.project_id', '=', projectId))
    .select(
      sum(sql`${storedLength(queries, 'results')} + coalesce(${storedLength(queries, 'requests')}, 0)`).as('bytes'),
    )
    .executeTakeFirstOrThrow();
  const details = await runs
    .innerJoin('details', (join) =>
      join
        .on(({ eb, ref }) => eb('details.id', '>=', sql<number>`${ref('runs.id')} * ${sql.lit(MAX_RESULTS_PER_RUN)}`))
        .on(({ eb, ref }) =>
          eb('details.id', '<', sql<number>`(${ref('runs.id')} + 1) * ${sql.lit(MAX_RESULTS_PER_RUN)}`),
        ),
    )
    .$if(blocksNameProject(queries), (query) => query.where('details.project_id', '=', projectId))
    .select(sum(storedLength(queries, 'details.data')).as('bytes'))
    .executeTakeFirstOrThrow();
  const reports = await runs
    .innerJoin('reports', (join) =>
      join.onRef('reports.run_id', '=', 'runs.id').onRef('reports.project_id', '=', 'runs.project_id'),
    )
    .select(({ fn, ref }) => [fn.countAll<number>().as('count'), sum(ref('reports.size')).as('bytes')])
    .executeTakeFirstOrThrow();
  const traces = await runs
    .innerJoin('traces', (join) =>
      join.onRef('traces.run_id', '=', 'runs.id').onRef('traces.project_id', '=', 'runs.project_id'),
    )
    .innerJoin('blobs', 'blobs.id', 'traces.blob_id')
    .select(({ fn, ref }) => [fn.countAll<number>().as('count'), sum(ref('blobs.size')).as('bytes')])
    .executeTakeFirstOrThrow();
  const attachments = await runs
    .innerJoin('attachments', (join) =>
      join.onRef('attachments.run_id', '=', 'runs.id').onRef('attachments.project_id', '=', 'runs.project_id'),
    )
    .innerJoin('blobs', 'blobs.id', 'attachments.blob_id')
    .select(({ fn, ref }) => [fn.countAll<number>().as('count'), sum(ref('blobs.size')).as('bytes')])
    .executeTakeFirstOrThrow();
  return {
    runs: totals.runs,
    results: totals.results ?? 0,
    reports: reports.count,
    traces: traces.count,
    attachments: attachments.count,
    databaseBytes: segments.bytes + details.bytes,
    fileBytes: reports.bytes + traces.bytes + attachments.bytes,
    oldestRun: totals.oldest,
  };
};

const sum = (value: Expression<unknown>) => sql<number>`coalesce(sum(${value}), 0)`;
