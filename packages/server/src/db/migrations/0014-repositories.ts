import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** Where the code of a project is, for links to commits and files. */
export const repositories: Migration = {
  name: 'repositories',
  async up({ schema }: Queries) {
    await schema.alterTable('projects').addColumn('repository_url', 'text').execute();
  },
};
