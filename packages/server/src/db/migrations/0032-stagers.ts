import type { Migration } from '../migrate.ts';

/** Which process staged tests and when: others must not discard those of a submission that is under way. */
export const stagers: Migration = {
  name: 'stagers',
  async up({ schema }) {
    await schema.alterTable('staged_tests').addColumn('staged_by', 'text').execute();
    await schema
      .alterTable('staged_tests')
      .addColumn('staged_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
