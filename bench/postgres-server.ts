import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectPostgres, startPostgres } from '@assay/testkit/postgres/connect';

export type PostgresClient = Awaited<ReturnType<typeof connectPostgres>>;

export interface BenchDatabase {
  readonly url: string;
  connect(): Promise<PostgresClient>;
}

export interface BenchPostgres extends Disposable {
  /** What it runs as, for the head of a table. */
  readonly version: string;
  createDatabase(name: string): Promise<BenchDatabase>;
}

/** A PostgreSQL with its default settings, which writes to disk before it confirms a commit. */
export const startBenchPostgres = async (workDir: string): Promise<BenchPostgres> => {
  const folder = mkdtempSync(join(workDir, 'postgres-'));
  const access = await startPostgres(folder, process.pid, { durable: true });
  const administer = async <T>(statement: string): Promise<T[]> => {
    const client = await connectPostgres(access);
    try {
      return (await client.query(statement)).rows as T[];
    } finally {
      await client.end();
    }
  };
  const [shown] = await administer<{ server_version: string }>('SHOW server_version');
  return {
    version: shown!.server_version,
    async createDatabase(name) {
      await administer(`CREATE DATABASE ${name}`);
      return {
        url: `postgres://assay:${access.password}@127.0.0.1:${access.port}/${name}`,
        connect: () => connectPostgres(access, name),
      };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};
