import { sql } from 'kysely';
import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** How long runs and their files are kept, which runs stay whatever their age, and how much was stored each day. */
export const retention: Migration = {
  name: 'retention',
  async up({ schema }: Queries, dialect: Dialect) {
    await schema.alterTable('runs').addColumn('pinned_at', 'bigint').execute();
    await schema.alterTable('runs').addColumn('files_removed_at', 'bigint').execute();
    await schema.alterTable('projects').addColumn('retention', 'text').execute();
    await schema.alterTable('installation').addColumn('retention', 'text').execute();
    await schema.alterTable('installation').addColumn('retention_at', 'bigint').execute();
    await schema
      .createTable('storage_days')
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('storage_days_pk', ['project_id', 'day'])
      .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`WITHOUT ROWID`) : table))
      .execute();
  },
};
