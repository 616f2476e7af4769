import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** Runs whose stored results, requests or details were found damaged. */
export const damagedRuns: Migration = {
  name: 'damaged-runs',
  async up(queries: Queries) {
    await queries.schema.alterTable('runs').addColumn('damage', 'text').execute();
  },
};
