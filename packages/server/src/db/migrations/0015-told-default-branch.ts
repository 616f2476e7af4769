import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** The default branch of the repository, as senders tell it. */
export const toldDefaultBranch: Migration = {
  name: 'told-default-branch',
  async up({ schema }: Queries) {
    await schema.alterTable('projects').addColumn('told_default_branch', 'text').execute();
  },
};
