import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@assay/testkit/postgres';
import { type TestServer, startTestServer } from '../server.ts';
import type { Config } from '../tested-service.ts';

export interface Replicas extends AsyncDisposable {
  readonly servers: readonly TestServer[];
  readonly databaseUrl: string;
}

/** Several services over one database, each with a data folder of its own. */
export const startReplicas = async (count: number, overrides: Partial<Config> = {}): Promise<Replicas> => {
  const database = await createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'assay-replicas-'));
  const databaseUrl = overrides.databaseUrl ?? database.url;
  // At once, so that all of them find a database without tables.
  const servers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startTestServer({ ...overrides, databaseUrl, dataDir: join(folder, String(index)) }),
    ),
  );
  return {
    servers,
    databaseUrl: database.url,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
      await database[Symbol.asyncDispose]();
    },
  };
};
