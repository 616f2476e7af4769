import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** How far a copy of another installation into this database has come. */
export const copies: Migration = {
  name: 'copies',
  async up({ schema }: Queries) {
    await schema.alterTable('installation').addColumn('copying', 'text').execute();
  },
};
