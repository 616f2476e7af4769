import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Finds the few runs that are marked as damaged, to read them again. */
export const recheckedRuns: Migration = {
  name: 'rechecked-runs',
  async up(queries) {
    await sql`CREATE INDEX runs_damaged ON runs (id) WHERE damage IS NOT NULL`.execute(queries);
  },
};
