import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { columnTypes } from './column-types.ts';

/** The history of the code, and who owns which files. */
export const commits: Migration = {
  name: 'commits',
  async up(queries: Queries, dialect: Dialect) {
    const { schema } = queries;
    const { bytes } = columnTypes(dialect);
    await schema
      .createTable('commits')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('parents', 'text', (column) => column.notNull())
      .addColumn('time', 'bigint', (column) => column.notNull())
      .addColumn('author', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('files', bytes)
      .addColumn('more_files', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('commits_key', ['project_id', 'hash'])
      .execute();
    await schema
      .createTable('codeowners')
      .addColumn('project_id', 'bigint', (column) => column.primaryKey().references('projects.id'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('spelled_files')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('path', 'text')
      .addPrimaryKeyConstraint('spelled_files_key', ['project_id', 'file'])
      .execute();
  },
};
