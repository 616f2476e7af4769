import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnDatabase, createDatabase } from '@assay/testkit/postgres';
import { type TestServer, startTestServer } from '../server.ts';

export interface Replicas extends AsyncDisposable {
  readonly servers: readonly TestServer[];
  readonly databaseUrl: string;
}

/** Several services over one database, each with a data folder of its own. */
export const startReplicas = async (
  count: number,
  create: () => Promise<OwnDatabase> = createDatabase,
): Promise<Replicas> => {
  const database = await create();
  const folder = mkdtempSync(join(tmpdir(), 'assay-replicas-'));
  const databaseUrl = database.url;
  // At once, so that all of them find a new database without tables.
  const servers = await Promise.all(
    Array.from({ length: count }, (_, index) => startTestServer({ databaseUrl, dataDir: join(folder, String(index)) })),
  );
  return {
    servers,
    databaseUrl,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
      await database[Symbol.asyncDispose]();
    },
  };
};
