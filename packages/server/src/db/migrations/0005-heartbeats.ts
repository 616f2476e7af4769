import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** Heartbeats and finalizing under their usual names. */
export const heartbeats: Migration = {
  name: 'heartbeats',
  async up(queries: Queries) {
    await queries.schema.alterTable('parts').renameColumn('heard_at', 'heartbeat_at').execute();
    await queries
      .updateTable('jobs')
      .set({ kind: 'finalize-run' })
      .where('kind', '=', 'settle-run' as never)
      .execute();
  },
};
