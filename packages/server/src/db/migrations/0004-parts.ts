import { sql } from 'kysely';
import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { columnTypes, storeApart } from './column-types.ts';

/** Runs of several parts, each with segments of its own. */
export const parts: Migration = {
  name: 'parts',
  async up(queries: Queries, dialect: Dialect) {
    const { schema } = queries;
    const { bytes, numeric, idType, newId } = columnTypes(dialect);

    await schema
      .alterTable('runs')
      .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('runs').addColumn('next_index', 'bigint').execute();
    await schema.alterTable('runs').addColumn('shard_total', 'integer').execute();
    await schema.alterTable('runs').addColumn('expected_tests', 'bigint').execute();

    await schema
      .createTable('parts')
      .addColumn('id', idType, newId)
      .addColumn('run_id', 'bigint', (column) => column.notNull().references('runs.id').onDelete('cascade'))
      .addColumn('shard', 'integer', (column) => column.notNull())
      .addColumn('shard_total', 'integer')
      .addColumn('attempt', 'bigint', (column) => column.notNull())
      .addColumn('start_time', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('duration', numeric)
      .addColumn('total_tests', 'bigint', (column) => column.notNull())
      .addColumn('passed_tests', 'bigint', (column) => column.notNull())
      .addColumn('failed_tests', 'bigint', (column) => column.notNull())
      .addColumn('skipped_tests', 'bigint', (column) => column.notNull())
      .addColumn('flaky_tests', 'bigint', (column) => column.notNull())
      .addColumn('result_count', 'bigint', (column) => column.notNull())
      .addColumn('branch', 'text')
      .addColumn('commit_hash', 'text')
      .addColumn('metadata', 'text')
      .addColumn('expected_tests', 'bigint')
      .addColumn('next_batch', 'bigint', (column) => column.notNull())
      .addColumn('heard_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('parts_by_run').on('parts').columns(['run_id', 'shard']).execute();
    await schema.createIndex('parts_by_state').on('parts').columns(['state', 'heard_at']).execute();

    await schema.alterTable('run_keys').addColumn('part_id', 'bigint').execute();
    await schema.alterTable('reports').addColumn('part_id', 'bigint').execute();
    await schema.alterTable('traces').addColumn('part_id', 'bigint').execute();

    // What is small comes first: it is read without the blocks behind it.
    await schema
      .createTable('segments_of_parts')
      .addColumn('run_id', 'bigint', (column) => column.notNull().references('runs.id').onDelete('cascade'))
      .addColumn('first_index', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('part_id', 'bigint')
      .addColumn('ranges', 'text')
      .addColumn('results', bytes, (column) => column.notNull())
      .addColumn('requests', bytes)
      .addPrimaryKeyConstraint('segments_pk', ['run_id', 'first_index'])
      .execute();
    await sql`INSERT INTO segments_of_parts (run_id, results, requests) SELECT run_id, results, requests FROM segments ORDER BY run_id`.execute(
      queries,
    );
    await schema.dropTable('segments').execute();
    await schema.alterTable('segments_of_parts').renameTo('segments').execute();
    await storeApart(queries, dialect, 'segments', ['results', 'requests']);
  },
};
