import { randomBytes } from 'node:crypto';
import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { columnTypes, storeApart } from './column-types.ts';

export const foundation: Migration = {
  name: 'foundation',
  async up(queries: Queries, dialect: Dialect) {
    const { schema } = queries;
    const { bytes, numeric, idType, newId } = columnTypes(dialect);

    await schema
      .createTable('installation')
      .addColumn('id', 'text', (column) => column.notNull())
      .execute();
    await queries
      .insertInto('installation')
      .values({ id: randomBytes(6).toString('base64url') })
      .execute();

    await schema
      .createTable('projects')
      .addColumn('id', idType, newId)
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('label', 'text')
      .addColumn('description', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('active_at', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('next_sequence', 'bigint', (column) => column.notNull())
      .addColumn('total_runs', 'bigint', (column) => column.notNull())
      .addColumn('total_tests', 'bigint', (column) => column.notNull())
      .addColumn('total_results', 'bigint', (column) => column.notNull())
      .addColumn('tests_epoch', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('projects_by_activity').on('projects').columns(['active_at', 'id']).execute();

    await schema
      .createTable('runs')
      .addColumn('id', idType, newId)
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('sequence', 'bigint', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('start_time', 'bigint', (column) => column.notNull())
      .addColumn('duration', numeric)
      .addColumn('total_tests', 'bigint', (column) => column.notNull())
      .addColumn('passed_tests', 'bigint', (column) => column.notNull())
      .addColumn('failed_tests', 'bigint', (column) => column.notNull())
      .addColumn('skipped_tests', 'bigint', (column) => column.notNull())
      .addColumn('flaky_tests', 'bigint', (column) => column.notNull())
      .addColumn('avg_test_duration', 'bigint')
      .addColumn('p90_test_duration', numeric)
      .addColumn('result_count', 'bigint', (column) => column.notNull())
      .addColumn('branch', 'text')
      .addColumn('commit_hash', 'text')
      .addColumn('metadata', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('runs_by_start').on('runs').columns(['project_id', 'start_time', 'id']).execute();
    await schema.createIndex('runs_by_sequence').on('runs').columns(['project_id', 'sequence']).unique().execute();
    await schema.createIndex('runs_by_age').on('runs').column('start_time').execute();

    await schema
      .createTable('run_keys')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('run_id', 'bigint', (column) => column.notNull().references('runs.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('run_keys_pk', ['project_id', 'key'])
      .execute();
    await schema.createIndex('run_keys_by_run').on('run_keys').column('run_id').execute();

    await schema
      .createTable('tests')
      .addColumn('id', idType, newId)
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('identity', bytes, (column) => column.notNull())
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('browser', 'text')
      .addUniqueConstraint('tests_by_identity', ['project_id', 'identity'])
      .execute();

    await schema
      .createTable('segments')
      .addColumn('run_id', idType, (column) => column.primaryKey().references('runs.id').onDelete('cascade'))
      .addColumn('results', bytes, (column) => column.notNull())
      .addColumn('requests', bytes)
      .execute();

    await schema
      .createTable('details')
      .addColumn('id', idType, (column) => column.primaryKey())
      .addColumn('data', bytes, (column) => column.notNull())
      .execute();

    await schema
      .createTable('summaries')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id'))
      .addColumn('level', 'integer', (column) => column.notNull())
      .addColumn('span', 'bigint', (column) => column.notNull())
      .addColumn('data', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('summaries_pk', ['project_id', 'level', 'span'])
      .execute();
    for (const table of ['details', 'summaries']) await storeApart(queries, dialect, table, ['data']);
  },
};
