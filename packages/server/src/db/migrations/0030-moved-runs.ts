import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { createTriggers } from './0008-storage-figures.ts';

/** Runs whose blocks and details are in the file store, and when work that one process does for all was last done. */
export const movedRuns: Migration = {
  name: 'moved-runs',
  async up(queries, dialect) {
    const { schema } = queries;
    const table = schema
      .createTable('moved_runs')
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('run_id', 'bigint', (column) => column.notNull())
      .addColumn('blob_id', 'bigint', (column) => column.notNull().references('blobs.id'))
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('moved_runs_by_project', ['project_id', 'run_id']);
    await (
      dialect === 'sqlite'
        ? table.addForeignKeyConstraint('moved_runs_of_run', ['run_id'], 'runs', ['id'])
        : table.addForeignKeyConstraint('moved_runs_of_run', ['project_id', 'run_id'], 'runs', ['project_id', 'id'])
    ).execute();
    const index = (name: string) => schema.createIndex(name).on('moved_runs');
    await index('moved_runs_by_run').column('run_id').execute();
    await index('moved_runs_by_blob').column('blob_id').execute();
    await createTriggers(queries, dialect, {
      table: 'moved_runs',
      project: (row) => `${row}.project_id`,
      figures: [{ name: 'database_bytes', of: (row) => `${row}.bytes` }],
    });
    await schema
      .alterTable('runs')
      .addColumn('moved_version', 'bigint', (column) => column.notNull().defaultTo(-1))
      .execute();
    await sql`CREATE INDEX runs_unmoved ON runs (start_time, id) WHERE moved_version <> version AND sequence >= 0`.execute(
      queries,
    );
    await schema
      .createTable('chores')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('claimed_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
