import { changeInJson } from '../../scm.ts';
import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { fillFromMetadata } from './fill-from-metadata.ts';

/** What a run was made for: its environment, pull request and base, and whether it was to run all tests. */
export const runFacts: Migration = {
  name: 'run-facts',
  async up(queries: Queries) {
    const { schema } = queries;
    await schema.alterTable('runs').addColumn('environment', 'text').execute();
    await schema.alterTable('runs').addColumn('pull_request', 'bigint').execute();
    await schema.alterTable('runs').addColumn('base_commit', 'text').execute();
    await schema.alterTable('runs').addColumn('filtered', 'integer').execute();
    await fillFromMetadata(queries, (metadata) => {
      const { environment, pull_request, base_commit, filtered } = changeInJson(metadata);
      return { environment, pull_request, base_commit, filtered };
    });
  },
};
