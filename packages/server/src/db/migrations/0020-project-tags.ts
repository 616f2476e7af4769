import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** What projects are grouped by, and which ones are archived. */
export const projectTags: Migration = {
  name: 'project-tags',
  async up({ schema }: Queries) {
    await schema.alterTable('projects').addColumn('tags', 'text').execute();
    await schema.alterTable('projects').addColumn('archived_at', 'bigint').execute();
  },
};
