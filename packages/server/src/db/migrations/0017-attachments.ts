import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { type Kept, ONE, createTriggers, projectOfRun } from './0008-storage-figures.ts';
import { columnTypes } from './column-types.ts';

/** What attempts of tests left behind: pictures, videos, texts. */
export const attachments: Migration = {
  name: 'attachments',
  async up(queries: Queries, dialect: Dialect) {
    const { schema } = queries;
    const { idType, newId } = columnTypes(dialect);
    await schema
      .createTable('attachments')
      .addColumn('id', idType, newId)
      .addColumn('run_id', 'bigint', (column) => column.notNull().references('runs.id'))
      .addColumn('part_id', 'bigint')
      .addColumn('case_index', 'integer', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('width', 'integer')
      .addColumn('height', 'integer')
      .addColumn('blob_id', 'bigint', (column) => column.notNull().references('blobs.id'))
      .execute();
    await schema.createIndex('attachments_by_case').on('attachments').columns(['run_id', 'case_index']).execute();
    await schema.createIndex('attachments_by_blob').on('attachments').column('blob_id').execute();
    for (const figure of ['attachments', 'attachment_bytes']) {
      await schema
        .alterTable('storage_figures')
        .addColumn(figure, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    }
    await createTriggers(queries, dialect, KEPT_OF_ATTACHMENTS);
  },
};

export const KEPT_OF_ATTACHMENTS: Kept = {
  table: 'attachments',
  project: (row) => projectOfRun(`${row}.run_id`),
  figures: [
    { name: 'attachments', of: ONE },
    { name: 'attachment_bytes', of: (row) => `coalesce((SELECT size FROM blobs WHERE id = ${row}.blob_id), 0)` },
  ],
};
