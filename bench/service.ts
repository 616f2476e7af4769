import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface BenchService {
  readonly url: string;
  readonly dataDir: string;
  /** From the start of the process to its first answer with data. */
  readonly firstAnswerAfterMs: number;
  rssBytes(): number;
  diskBytes(): number;
  watchTurns(): void;
  /** The longest time for which its main thread let nobody else in, since it was to be watched; ends the watch. */
  longestTurnMs(): Promise<number>;
  /** Processor time of all its threads since its start. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** The file to start, such as `packages/server/src/main.ts`. */
  readonly entry: string;
  readonly workDir: string;
  readonly environment?: Record<string, string>;
  /** A folder that stays; else one that goes with the service. */
  readonly dataDir?: string;
  /** Lets turns be watched and `cpuMs` be asked. */
  readonly watchTurns?: boolean;
}

let started = 0;

/** A service in a process of its own. */
export const startBenchService = async (options: ServiceOptions): Promise<BenchService> => {
  const { entry, workDir, environment } = options;
  const dataDir = options.dataDir ?? join(workDir, `data-${process.pid}-${Date.now()}-${++started}`);
  mkdirSync(dataDir, { recursive: true });
  const port = await freePort();
  const startedAt = performance.now();
  const flags = options.watchTurns ? ['--import', join(import.meta.dirname, 'watch-turns.mjs')] : [];
  const child = spawn(process.execPath, [...flags, entry], {
    env: { ...process.env, PORT: String(port), SERVICE_DATA_DIR: dataDir, SERVICE_LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ask = (what: string): Promise<number> =>
    new Promise((resolve) => {
      child.once('message', (answer) => resolve(answer as number));
      child.send(what);
    });
  const url = `http://127.0.0.1:${port}`;
  await until200(port, '/api/projects');
  const firstAnswerAfterMs = performance.now() - startedAt;
  await until200(port, '/readyz');
  return {
    url,
    dataDir,
    firstAnswerAfterMs,
    rssBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    diskBytes: () => folderBytes(dataDir),
    watchTurns: () => void child.send('watch'),
    longestTurnMs: () => ask('longest'),
    cpuMs: () => ask('cpu'),
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

const POLL_MS = 5;
const PATIENCE_MS = 60_000;

const until200 = async (port: number, path: string): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    if ((await statusOf(port, path)) === 200) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('The service did not become ready');
};

const statusOf = (port: number, path: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    }).once('error', () => resolve(undefined));
  });
