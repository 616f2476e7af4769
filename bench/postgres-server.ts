import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  /** Processor time of all its processes since its start. */
  cpuMs(): number;
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
  const [pidFile] = await administer<{ text: string }>(`SELECT pg_read_file('postmaster.pid') AS text`);
  const pid = Number(pidFile!.text.split('\n')[0]);
  return {
    version: shown!.server_version,
    cpuMs: () => cpuMsOf(pid),
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

const MS_PER_TICK = 10;

/** Of a process and its children, those that have ended included. */
const cpuMsOf = (pid: number): number => {
  const ticksOf = (of: number): readonly number[] => {
    try {
      // What comes after the name of the program, which may contain spaces.
      const fields = readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
      return fields.slice(11, 15);
    } catch {
      return [];
    }
  };
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const ticks = [...ticksOf(pid), ...children.flatMap((child) => ticksOf(child).slice(0, 2))];
  return ticks.reduce((sum, one) => sum + one, 0) * MS_PER_TICK;
};
