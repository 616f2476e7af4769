import { sql } from 'kysely';
import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { columnTypes } from './column-types.ts';

/** Failures of one cause over all runs, which runs show them, and up to which version each run was read for it. */
export const clusters: Migration = {
  name: 'clusters',
  async up(queries: Queries, dialect: Dialect) {
    const { schema } = queries;
    const { newId } = columnTypes(dialect);
    const table = schema
      .createTable('clusters')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('cause', 'text', (column) => column.notNull())
      .addColumn('joined_to', 'bigint')
      .addColumn('failures', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('runs', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('first_run_id', 'bigint')
      .addColumn('last_run_id', 'bigint')
      .addColumn('last_at', 'bigint')
      .addColumn('listed_at', 'bigint')
      .addColumn('note', 'text')
      .addColumn('assignee', 'text')
      .addColumn('issue_url', 'text')
      .addColumn('snoozed_until', 'bigint');
    await (
      dialect === 'sqlite'
        ? table.addColumn('id', 'integer', newId)
        : table
            .addColumn('id', 'bigint', (column) => column.notNull().generatedByDefaultAsIdentity())
            .addPrimaryKeyConstraint('clusters_by_project', ['project_id', 'id'])
    ).execute();
    const index = (name: string) => schema.createIndex(name).on('clusters');
    await index('clusters_by_cause').unique().columns(['project_id', 'cause']).execute();
    await index('clusters_by_last').columns(['project_id', 'listed_at', 'id']).execute();
    await index('clusters_by_joined').columns(['project_id', 'joined_to']).execute();
    if (dialect === 'postgres') await index('clusters_by_id').column('id').execute();
    await schema
      .createTable('cluster_runs')
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('cluster_id', 'bigint', (column) => column.notNull())
      .addColumn('start_time', 'bigint', (column) => column.notNull())
      .addColumn('run_id', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('cluster_runs_key', ['project_id', 'cluster_id', 'start_time', 'run_id'])
      .$call((runs) => (dialect === 'sqlite' ? runs.modifyEnd(sql`WITHOUT ROWID`) : runs))
      .execute();
    await schema.createIndex('cluster_runs_by_run').on('cluster_runs').columns(['project_id', 'run_id']).execute();
    await schema
      .alterTable('runs')
      .addColumn('clustered_version', 'bigint', (column) => column.notNull().defaultTo(-1))
      .execute();
    await sql`CREATE INDEX runs_unclustered ON runs (project_id, id) WHERE clustered_version <> version`.execute(
      queries,
    );
  },
};
