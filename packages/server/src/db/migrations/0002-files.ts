import { sql } from 'kysely';
import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { columnTypes } from './column-types.ts';

export const files: Migration = {
  name: 'files',
  async up(queries: Queries, dialect: Dialect) {
    const { schema } = queries;
    const { bytes, idType, newId } = columnTypes(dialect);

    await schema
      .createTable('blobs')
      .addColumn('id', idType, newId)
      .addColumn('hash', bytes, (column) => column.notNull().unique())
      .addColumn('encoding', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('stored_size', 'bigint', (column) => column.notNull())
      .execute();

    await schema
      .createTable('reports')
      .addColumn('id', idType, newId)
      .addColumn('run_id', 'bigint', (column) => column.notNull().references('runs.id'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('entry', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('reports_by_run').on('reports').column('run_id').execute();

    await schema
      .createTable('report_files')
      .addColumn('report_id', 'bigint', (column) => column.notNull().references('reports.id'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('blob_id', 'bigint', (column) => column.notNull().references('blobs.id'))
      .addPrimaryKeyConstraint('report_files_pk', ['report_id', 'path'])
      .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`WITHOUT ROWID`) : table))
      .execute();
    await schema.createIndex('report_files_by_blob').on('report_files').column('blob_id').execute();

    await schema
      .createTable('traces')
      .addColumn('id', idType, newId)
      .addColumn('run_id', 'bigint', (column) => column.notNull().references('runs.id'))
      .addColumn('case_index', 'integer', (column) => column.notNull())
      .addColumn('blob_id', 'bigint', (column) => column.notNull().references('blobs.id'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('problem', 'text')
      .execute();
    await schema.createIndex('traces_by_case').on('traces').columns(['run_id', 'case_index']).execute();
    await schema.createIndex('traces_by_blob').on('traces').column('blob_id').execute();

    await schema
      .createTable('jobs')
      .addColumn('id', idType, newId)
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('run_id', 'bigint', (column) => column.notNull().references('runs.id'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('problem', 'text')
      .execute();
    await schema.createIndex('jobs_by_time').on('jobs').columns(['state', 'due_at']).execute();
    await schema.createIndex('jobs_by_run').on('jobs').column('run_id').execute();
  },
};
