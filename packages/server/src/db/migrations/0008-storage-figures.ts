import { MAX_RESULTS_PER_RUN } from '@assay/contract';
import { sql } from 'kysely';
import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/**
 * What each project stores, kept by triggers as it changes, so that telling it scans nothing. The row of project 0 has what
 * belongs to no project: the files, which runs of several projects may share.
 */
export const storageFigures: Migration = {
  name: 'storage-figures',
  async up(queries: Queries, dialect: Dialect) {
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
    const trigger = triggerMaker(queries, dialect, 'projects');
    await trigger('storage_of_new_project', 'INSERT', 'INSERT INTO storage_figures (project_id) VALUES (new.id);');
    await trigger('storage_of_deleted_project', 'DELETE', 'DELETE FROM storage_figures WHERE project_id = old.id;');
    for (const kept of KEPT) {
      await sql
        .raw(
          `UPDATE storage_figures SET ${kept.figures.map((figure) => `${figure.name} = storage_figures.${figure.name} + counted.${figure.name}`).join(', ')}
           FROM (SELECT ${kept.project('stored')} AS project_id, ${kept.figures.map((figure) => `sum(${figure.of('stored')}) AS ${figure.name}`).join(', ')}
                 FROM ${kept.table} AS stored GROUP BY 1) AS counted
           WHERE storage_figures.project_id = counted.project_id`,
        )
        .execute(queries);
      await createTriggers(queries, dialect, kept);
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

export const KEPT: readonly Kept[] = [
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

export const createTriggers = async (queries: Queries, dialect: Dialect, kept: Kept): Promise<void> => {
  const trigger = triggerMaker(queries, dialect, kept.table);
  for (const { name, event, body } of triggersOf(kept)) await trigger(name, event, body);
};

/** What they do to keep the figures of a table. */
export const triggersOf = ({ table, project, figures }: Kept) => {
  const change = (row: string, sign: string): string =>
    `UPDATE storage_figures SET ${figures.map(({ name, of }) => `${name} = ${name} ${sign} (${of(row)})`).join(', ')}
     WHERE project_id = ${project(row)};`;
  return [
    { name: `storage_insert_${table}`, event: 'INSERT', body: change('new', '+') },
    { name: `storage_delete_${table}`, event: 'DELETE', body: change('old', '-') },
    { name: `storage_update_${table}`, event: 'UPDATE', body: `${change('old', '-')} ${change('new', '+')}` },
  ];
};

/** Makes triggers that run after a row of a table was changed. */
const triggerMaker =
  (queries: Queries, dialect: Dialect, table: string) =>
  async (name: string, event: string, body: string): Promise<void> => {
    if (dialect === 'sqlite') {
      await sql.raw(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} BEGIN ${body} END`).execute(queries);
      return;
    }
    await sql
      .raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`)
      .execute(queries);
    await sql
      .raw(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`)
      .execute(queries);
  };
