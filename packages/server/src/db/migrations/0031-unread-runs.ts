import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * Finds the runs whose clusters were not read by a condition that PostgreSQL takes for rare. By the two columns alone it
 * expects nearly all runs to be unread, and looks for some through all runs there are.
 */
export const unreadRuns: Migration = {
  name: 'unread-runs',
  async up(queries) {
    await sql`CREATE INDEX runs_unread ON runs (project_id, id)
      WHERE CASE WHEN clustered_version <> version THEN 1 ELSE 0 END = 1`.execute(queries);
    await sql`DROP INDEX runs_unclustered`.execute(queries);
  },
};
