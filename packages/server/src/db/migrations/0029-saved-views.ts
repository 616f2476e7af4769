import type { Migration } from '../migrate.ts';
import { columnTypes } from './column-types.ts';

/** Queries that people keep under a name. */
export const savedViews: Migration = {
  name: 'saved-views',
  async up({ schema }, dialect) {
    const { newId } = columnTypes(dialect);
    const table = schema
      .createTable('saved_views')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('user_id', 'bigint', (column) => column.references('users.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('is_shared', 'integer', (column) => column.notNull())
      .addColumn('is_pinned', 'integer', (column) => column.notNull())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull());
    await (
      dialect === 'sqlite'
        ? table.addColumn('id', 'integer', newId)
        : table
            .addColumn('id', 'bigint', (column) => column.notNull().generatedByDefaultAsIdentity())
            .addPrimaryKeyConstraint('saved_views_by_project', ['project_id', 'id'])
    ).execute();
    const index = (name: string) => schema.createIndex(name).on('saved_views');
    if (dialect === 'sqlite') await index('saved_views_by_project').column('project_id').execute();
    else await index('saved_views_by_id').column('id').execute();
    await index('saved_views_by_user').column('user_id').execute();
  },
};
