import { MAX_RESULTS_PER_RUN } from '@assay/contract';
import { sql } from 'kysely';
import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/**
 * What each project stores, kept by triggers as it changes, so that telling it scans nothing. The row of project 0 has what
 * belongs to no project: the files, which runs of several projects may share.
 */
export const storageFigures: Migration = {
  name: 'storage-figures',
  async up(queries: Queries) {
    await sql`
      CREATE TABLE storage_figures (
        project_id INTEGER PRIMARY KEY,
        database_bytes BIGINT NOT NULL DEFAULT 0,
        reports BIGINT NOT NULL DEFAULT 0,
        report_bytes BIGINT NOT NULL DEFAULT 0,
        traces BIGINT NOT NULL DEFAULT 0,
        trace_bytes BIGINT NOT NULL DEFAULT 0,
        blob_bytes BIGINT NOT NULL DEFAULT 0
      )`.execute(queries);
    await sql`INSERT INTO storage_figures (project_id) SELECT 0 UNION ALL SELECT id FROM projects`.execute(queries);
    await sql`
      CREATE TRIGGER storage_of_new_project AFTER INSERT ON projects
      BEGIN INSERT INTO storage_figures (project_id) VALUES (new.id); END`.execute(queries);
    await sql`
      CREATE TRIGGER storage_of_deleted_project AFTER DELETE ON projects
      BEGIN DELETE FROM storage_figures WHERE project_id = old.id; END`.execute(queries);
    for (const kept of KEPT) {
      await sql
        .raw(
          `UPDATE storage_figures SET ${kept.figures.map((figure) => `${figure.name} = storage_figures.${figure.name} + counted.${figure.name}`).join(', ')}
           FROM (SELECT ${kept.project('stored')} AS project_id, ${kept.figures.map((figure) => `sum(${figure.of('stored')}) AS ${figure.name}`).join(', ')}
                 FROM ${kept.table} AS stored GROUP BY 1) AS counted
           WHERE storage_figures.project_id = counted.project_id`,
        )
        .execute(queries);
      await createTriggers(queries, kept);
    }
  },
};

export interface Kept {
  readonly table: string;
  /** SQL of the project that a row belongs to, and of what it adds to each figure. */
  project(row: string): string;
  readonly figures: readonly { readonly name: string; of(row: string): string }[];
}

export const projectOfRun = (runId: string): string => `(SELECT project_id FROM runs WHERE id = ${runId})`;
export const ONE = (): string => '1';

const KEPT: readonly Kept[] = [
  {
    table: 'segments',
    project: (row) => projectOfRun(`${row}.run_id`),
    figures: [{ name: 'database_bytes', of: (row) => `length(${row}.results) + coalesce(length(${row}.requests), 0)` }],
  },
  {
    table: 'details',
    project: (row) => projectOfRun(`${row}.id / ${MAX_RESULTS_PER_RUN}`),
    figures: [{ name: 'database_bytes', of: (row) => `length(${row}.data)` }],
  },
  {
    table: 'summaries',
    project: (row) => `${row}.project_id`,
    figures: [{ name: 'database_bytes', of: (row) => `length(${row}.data)` }],
  },
  {
    table: 'reports',
    project: (row) => projectOfRun(`${row}.run_id`),
    figures: [
      { name: 'reports', of: ONE },
      { name: 'report_bytes', of: (row) => `${row}.size` },
    ],
  },
  {
    table: 'traces',
    project: (row) => projectOfRun(`${row}.run_id`),
    figures: [
      { name: 'traces', of: ONE },
      { name: 'trace_bytes', of: (row) => `coalesce((SELECT size FROM blobs WHERE id = ${row}.blob_id), 0)` },
    ],
  },
  { table: 'blobs', project: () => '0', figures: [{ name: 'blob_bytes', of: (row) => `${row}.stored_size` }] },
];

export const createTriggers = async (queries: Queries, { table, project, figures }: Kept): Promise<void> => {
  const change = (row: string, sign: string): string =>
    `UPDATE storage_figures SET ${figures.map(({ name, of }) => `${name} = ${name} ${sign} (${of(row)})`).join(', ')}
     WHERE project_id = ${project(row)};`;
  const trigger = (event: string, body: string) =>
    sql.raw(`CREATE TRIGGER storage_${event.toLowerCase()}_${table} AFTER ${event} ON ${table} BEGIN ${body} END`);
  await trigger('INSERT', change('new', '+')).execute(queries);
  await trigger('DELETE', change('old', '-')).execute(queries);
  await trigger('UPDATE', `${change('old', '-')} ${change('new', '+')}`).execute(queries);
};
