import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { oncePerRun } from '../../../server/test/once-per-run.ts';

/** A connection to the PostgreSQL of this test run, which the first that asks starts. */
export const openPostgres = async (): Promise<pg.Client> => {
  const { port, password } = await oncePerRun('postgres', startKeeper);
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'assay', password, database: 'postgres' });
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

const startKeeper = async (): Promise<{ port: number; password: string }> => {
  const program = fileURLToPath(new URL('keeper.ts', import.meta.url));
  const keeper = spawn(process.execPath, [program, inject('sharedFolder'), String(process.ppid)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface(keeper.stdout);
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(50_000) })) as [string];
  lines.close();
  keeper.stdout.destroy();
  keeper.unref();
  const answer = JSON.parse(line) as { port: number; password: string; error?: string };
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
};
