import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** The default branch that an Administrator set, and the runs of a branch in their order. */
export const defaultBranch: Migration = {
  name: 'default-branch',
  async up({ schema }: Queries) {
    await schema.alterTable('projects').addColumn('default_branch', 'text').execute();
    await schema.createIndex('runs_by_branch').on('runs').columns(['project_id', 'branch', 'start_time']).execute();
  },
};
