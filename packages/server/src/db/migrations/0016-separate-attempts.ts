import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** Which results of a live part are attempts that were sent as cases of their own. */
export const separateAttempts: Migration = {
  name: 'separate-attempts',
  async up({ schema }: Queries) {
    await schema.alterTable('segments').addColumn('attempts', 'text').execute();
  },
};
