import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { oncePerRun } from '@assay/testkit/once-per-run';
import { type OwnDatabase, createDatabase, keepDatabase } from '@assay/testkit/postgres';
import { type Config, startService } from '../src/index.ts';

/*
 * Migrating takes a new service longer than anything else. The databases of a test run are copies of one that a service has
 * migrated, each with an identity of its own. Services in processes of their own, and those with a folder that tests name,
 * migrate theirs.
 */

const newIdentity = (): string => randomBytes(6).toString('base64url');

const migrateBy = async (config: Config): Promise<void> => {
  const service = await startService(config);
  await service.ready;
  await service.stop();
};

/** Puts the database of a new service into its data folder. */
export const putDatabase = async (config: Config): Promise<void> => {
  const original = await oncePerRun('migrated-sqlite', async (dataDir) => {
    await migrateBy({ ...config, dataDir });
    return join(dataDir, 'assay.db');
  });
  const file = join(config.dataDir, 'assay.db');
  copyFileSync(original, file);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  database.prepare('UPDATE installation SET id = ?').run(newIdentity());
  database.close();
};

/** Creates the database of a new service in PostgreSQL. */
export const createMigrated = async (config: Config): Promise<OwnDatabase> => {
  const template = await oncePerRun('migrated-postgres', async (dataDir) => {
    const { name, url } = await keepDatabase();
    await migrateBy({ ...config, dataDir, databaseUrl: url });
    return name;
  });
  return createDatabase({ template, statement: `UPDATE installation SET id = '${newIdentity()}'` });
};
