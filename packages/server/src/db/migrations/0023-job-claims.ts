import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** Until when a replica has a job to itself. */
export const jobClaims: Migration = {
  name: 'job-claims',
  async up({ schema }: Queries) {
    await schema
      .alterTable('jobs')
      .addColumn('claimed_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
