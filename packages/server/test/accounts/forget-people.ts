import { sql } from 'kysely';
import { openDatabaseOf } from '../in-database.ts';
import type { TestServer } from '../server.ts';

const TABLES = ['sessions', 'api_keys', 'known_addresses', 'login_attempts', 'users'];

/** As if nobody had ever set up the service: the next user is the first again, also by their id. */
export const forgetPeople = async ({ dataDir }: TestServer): Promise<void> => {
  const database = await openDatabaseOf(dataDir, 'write');
  for (const table of TABLES) await sql`DELETE FROM ${sql.table(table)}`.execute(database.queries);
  await sql`DELETE FROM sqlite_sequence WHERE name IN (${sql.join(TABLES)})`.execute(database.queries);
  await database.close();
};
