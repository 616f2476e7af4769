import type { Migration } from '../migrate.ts';
import { columnTypes } from './column-types.ts';

/** Queries that people keep under a name. */
export const savedViews: Migration = {
  name: 'saved-views',
  async up({ schema }, dialect) {
    const { idType, newId } = columnTypes(dialect);
    await schema
      .createTable('saved_views')
      .addColumn('id', idType, newId)
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('user_id', 'bigint', (column) => column.references('users.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('is_shared', 'integer', (column) => column.notNull())
      .addColumn('is_pinned', 'integer', (column) => column.notNull())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('saved_views_by_project').on('saved_views').column('project_id').execute();
    await schema.createIndex('saved_views_by_user').on('saved_views').column('user_id').execute();
  },
};
