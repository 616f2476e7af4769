import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** By which version of the rules the causes of errors were found, and in which runs they still have to be. */
export const causeVersion: Migration = {
  name: 'cause-version',
  async up({ schema }: Queries) {
    await schema
      .alterTable('installation')
      .addColumn('cause_version', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('installation').addColumn('cause_run_id', 'bigint').execute();
  },
};
