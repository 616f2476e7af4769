import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { oncePerRun } from '@assay/testkit/once-per-run';
import { type OwnDatabase, createDatabase, keepDatabase } from '@assay/testkit/postgres';
import { giveNewIdentity, newIdentity } from './new-identity.ts';
import { type Config, readConfig, startService } from './tested-service.ts';

/*
 * Migrating takes a new service longer than anything else. The databases of a test run are copies of one that a service has
 * migrated, each with an identity of its own. Services in processes of their own migrate theirs.
 */

/** Each service writes a reserve; hundreds of full ones would keep the disk busy. */
const SMALL_RESERVE_BYTES = 64 * 1024;

export const configOfTests = (settings: Readonly<Record<string, string>> = {}): Config => ({
  ...readConfig({ PORT: '0', SERVICE_LOG_LEVEL: 'silent', ...settings }),
  reserveBytes: SMALL_RESERVE_BYTES,
  // A thread makes them, which takes longer to start than most tests; those of outlines do not wait for this.
  outlineQuietMs: 3_600_000,
});

const migrate = async (places: Partial<Config>): Promise<void> => {
  const service = await startService({ ...configOfTests(), ...places });
  await service.ready;
  await service.stop();
};

/** Puts the database of a new service into its data folder. */
export const putDatabase = async (folder: string): Promise<void> => {
  const original = await oncePerRun('migrated-sqlite', async (dataDir) => {
    await migrate({ dataDir });
    return join(dataDir, 'assay.db');
  });
  const file = join(folder, 'assay.db');
  copyFileSync(original, file);
  giveNewIdentity(file);
};

/** Creates the database of a new service in PostgreSQL. */
export const createMigrated = async (): Promise<OwnDatabase> => {
  const template = await oncePerRun('migrated-postgres', async (dataDir) => {
    const { name, url } = await keepDatabase();
    await migrate({ dataDir, databaseUrl: url });
    return name;
  });
  return createDatabase({ template, statement: `UPDATE installation SET id = '${newIdentity()}'` });
};
