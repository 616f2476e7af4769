import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@assay/contract';
import type { OwnDatabase } from '@assay/testkit/postgres';
import { inject } from 'vitest';
import { expectNoFiles } from './files/stored.ts';
import { configOfTests, createMigrated, putDatabase } from './migrated-database.ts';
import { type Config, type LogDestination, startService } from './tested-service.ts';

export interface TestServer {
  readonly url: string;
  readonly client: Client;
  readonly dataDir: string;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Whether services of tests keep their data in PostgreSQL; those about its file are skipped then. */
// oxlint-disable-next-line node/no-process-env
export const ON_POSTGRES = process.env['TEST_DATABASE'] === 'postgres';

/** A service that is started again on its data folder finds its database again. */
const databases = new Map<string, OwnDatabase>();

/** Undefined for a data folder that has its database in a file. */
export const databaseUrlOf = (dataDir: string): string | undefined => databases.get(dataDir)?.url;

const databaseOf = async (dataDir: string): Promise<OwnDatabase> => {
  const known = databases.get(dataDir);
  if (known) return known;
  const database = await createMigrated();
  databases.set(dataDir, database);
  return database;
};

/** A real service on a free port, with a data folder of its own that goes away with it. */
export const startTestServer = async (overrides: Partial<Config> = {}, logTo?: LogDestination): Promise<TestServer> => {
  const dataDir = overrides.dataDir ?? mkdtempSync(join(tmpdir(), 'assay-test-'));
  const database = ON_POSTGRES && overrides.databaseUrl === undefined ? await databaseOf(dataDir) : null;
  const config = { ...configOfTests(), ...(database && { databaseUrl: database.url }), ...overrides, dataDir };
  // Beside files in a bucket it matters whether a database is new.
  const mayBeCopy = isEmpty(dataDir) && config.databaseUrl === null && !config.s3;
  if (mayBeCopy) await putDatabase(dataDir);
  const service = await startService(config, logTo);
  await service.ready;
  let stopping: Promise<void> | null = null;
  const stopOnce = async (): Promise<void> => {
    await service.stop();
    if (overrides.dataDir !== undefined) return;
    rmSync(dataDir, { recursive: true, force: true });
    databases.delete(dataDir);
    await database?.[Symbol.asyncDispose]();
  };
  const stop = (): Promise<void> => (stopping ??= stopOnce());
  return {
    url: service.url,
    // To compress and decompress takes longer than most of the answers.
    client: createClient({ baseUrl: service.url, headers: { 'accept-encoding': 'identity' } }),
    dataDir,
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

/** How many jobs wait, be it for their time. */
export const countWaitingJobs = async ({ url }: TestServer): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^assay_jobs\{state="waiting"\} (?<count>\d+)$/m.exec(metrics)!.groups!['count']);
};

const isEmpty = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length === 0;

let shared: Promise<TestServer> | null = null;
let emptied: Promise<TestServer> | null = null;

/** A service that ends with the process, and its folder with the run. */
export const startShared = async (overrides: Partial<Config> = {}): Promise<TestServer> => {
  const dataDir = mkdtempSync(join(inject('sharedFolder'), 'server-'));
  return startTestServer({ ...overrides, dataDir });
};

/** One service with the usual settings for all test files of a process, each of which has projects of its own. */
export const sharedServer = (): Promise<TestServer> => (shared ??= startShared());

/**
 * A second one, for test files about all that a service holds. Each is given it without projects, and has it for itself
 * until it ends.
 */
export const emptyServer = async (): Promise<TestServer> => {
  const server = await (emptied ??= startShared());
  for (const { id } of await server.client.listProjects({ query: { archived: true } })) {
    await server.client.deleteProject({ params: { id } });
  }
  await expectNoFiles(server.dataDir);
  return server;
};
