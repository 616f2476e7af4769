import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export interface PostgresAccess {
  readonly port: number;
  readonly password: string;
}

export const connectPostgres = async (
  { port, password }: PostgresAccess,
  database = 'postgres',
): Promise<pg.Client> => {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'assay', password, database });
    // It ends with the run, maybe before this process does.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 200) throw error;
      await delay(50);
    }
  }
};

/** Starts a PostgreSQL that lives as long as a folder and a process; durable only where that is what matters. */
export const startPostgres = async (
  folder: string,
  pid: number,
  { durable = false }: { readonly durable?: boolean } = {},
): Promise<PostgresAccess> => {
  const program = fileURLToPath(new URL('keeper.ts', import.meta.url));
  const keeper = spawn(process.execPath, [program, folder, String(pid), durable ? 'on' : 'off'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface(keeper.stdout);
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(50_000) })) as [string];
  lines.close();
  keeper.stdout.destroy();
  keeper.unref();
  const answer = JSON.parse(line) as PostgresAccess & { error?: string };
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
};
