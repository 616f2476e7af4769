import type { Migration } from '../migrate.ts';
import { createTriggers } from './0008-storage-figures.ts';
import { columnTypes, storeApart } from './column-types.ts';

/** What queries know of runs without reading their results. They are made in the background. */
export const runOutlines: Migration = {
  name: 'run-outlines',
  async up(queries, dialect) {
    const { bytes } = columnTypes(dialect);
    await queries.schema
      .createTable('run_outlines')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('span', 'bigint', (column) => column.notNull())
      .addColumn('format', 'integer', (column) => column.notNull())
      .addColumn('runs', 'integer', (column) => column.notNull())
      .addColumn('id_sum', 'bigint', (column) => column.notNull())
      .addColumn('version_sum', 'bigint', (column) => column.notNull())
      .addColumn('data', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('run_outlines_pk', ['project_id', 'span'])
      .execute();
    await storeApart(queries, dialect, 'run_outlines', ['data']);
    await createTriggers(queries, dialect, {
      table: 'run_outlines',
      project: (row) => `${row}.project_id`,
      figures: [{ name: 'database_bytes', of: (row) => `length(${row}.data)` }],
    });
  },
};
