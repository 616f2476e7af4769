import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface BenchService {
  readonly url: string;
  readonly dataDir: string;
  rssBytes(): number;
  diskBytes(): number;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** The file to start, such as `packages/server/src/main.ts`. */
  readonly entry: string;
  readonly workDir: string;
  readonly environment?: Record<string, string>;
  /** A folder that stays; else one that goes with the service. */
  readonly dataDir?: string;
}

/** A service in a process of its own. */
export const startBenchService = async (options: ServiceOptions): Promise<BenchService> => {
  const { entry, workDir, environment } = options;
  const dataDir = options.dataDir ?? join(workDir, `data-${process.pid}-${Date.now()}`);
  mkdirSync(dataDir, { recursive: true });
  const port = await freePort();
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, PORT: String(port), SERVICE_DATA_DIR: dataDir, SERVICE_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return {
    url,
    dataDir,
    rssBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    diskBytes: () => folderBytes(dataDir),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export const folderBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const untilReady = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 200; attempt++) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The service did not become ready');
};
