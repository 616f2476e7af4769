import type { Migration } from '../migrate.ts';
import { columnTypes } from './column-types.ts';

/** Tests that a large submission added ahead of its run, until the run is stored. */
export const stagedTests: Migration = {
  name: 'staged-tests',
  async up({ schema }, dialect) {
    const { idType } = columnTypes(dialect);
    await schema
      .createTable('staged_tests')
      .addColumn('first_id', idType, (column) => column.primaryKey())
      .addColumn('last_id', 'bigint', (column) => column.notNull())
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('is_new_project', 'integer', (column) => column.notNull())
      .execute();
  },
};
