import type { Migration } from '../migrate.ts';
import { createTriggers } from './0008-storage-figures.ts';
import { columnTypes, storeApart } from './column-types.ts';

/**
 * Summaries of the runs of one branch. They are made when a span fills up, and for older spans when somebody reads them.
 */
export const branchSummaries: Migration = {
  name: 'branch-summaries',
  async up(queries, dialect) {
    const { bytes } = columnTypes(dialect);
    await queries.schema
      .createTable('branch_summaries')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('branch', 'text', (column) => column.notNull())
      .addColumn('level', 'integer', (column) => column.notNull())
      .addColumn('span', 'bigint', (column) => column.notNull())
      .addColumn('data', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('branch_summaries_pk', ['project_id', 'level', 'span', 'branch'])
      .execute();
    await storeApart(queries, dialect, 'branch_summaries', ['data']);
    await createTriggers(queries, dialect, {
      table: 'branch_summaries',
      project: (row) => `${row}.project_id`,
      figures: [{ name: 'database_bytes', of: (row) => `length(${row}.data)` }],
    });
  },
};
