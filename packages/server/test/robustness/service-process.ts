import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@assay/contract';

const SOURCE = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PORT_ATTEMPTS = 5;
const PATIENCE_MS = 40_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The service in a process of its own, as an operator starts it. It is killed when it leaves its scope. */
export interface ServiceProcess {
  /** After the last byte of its output. */
  readonly exited: Promise<Exit>;
  /** False when the process ended without ever listening. */
  readonly listening: Promise<boolean>;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  signal(signal: NodeJS.Signals): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface StartedService extends ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly client: Client;
}

/** The file to start: of the bundle that the tests of a run share, if there is one. */
export const serviceMain = (): string => {
  const bundle = process.env['TESTED_SERVICE'];
  return bundle === undefined ? SOURCE : join(bundle, 'main.js');
};

export const spawnService = (settings: Readonly<Record<string, string>>): ServiceProcess => {
  const env = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...settings };
  const child = spawn(process.execPath, [serviceMain()], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stderr = collect(child.stderr);
  const stdout = collect(child.stdout);
  const exited = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const listening = new Promise<boolean>((resolve) => {
    child.stdout.on('data', () => {
      if (stdout().includes('is listening')) resolve(true);
    });
    void exited.then(() => resolve(false));
  });
  return {
    exited,
    listening,
    pid: child.pid!,
    stdout,
    stderr,
    signal: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const collect = (stream: Readable): (() => string) => {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
};

/** Waits until it listens. A port that someone took in the meantime is given up for another one. */
export const startServiceProcess = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedService> => {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const service = spawnService({ ...settings, PORT: String(port), SERVICE_DATA_DIR: dataDir });
    if (await service.listening) {
      const url = `http://127.0.0.1:${port}`;
      return { ...service, url, port, client: createClient({ baseUrl: url }) };
    }
    const { code, signal } = await service.exited;
    if (attempt === PORT_ATTEMPTS || !service.stderr().includes('EADDRINUSE')) {
      throw new Error(`The service ended with ${signal ?? code} before it listened: ${service.stderr()}`);
    }
  }
};

export const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

export interface Folder {
  readonly path: string;
  [Symbol.dispose](): void;
}

export const newFolder = (): Folder => {
  const path = mkdtempSync(join(tmpdir(), 'assay-robust-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};

export const stagedFiles = (dataDir: string): string[] => readdirSync(join(dataDir, 'staging'));

/** Polls until something holds, less often the longer it takes; gives up with its name. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> => {
  const end = performance.now() + patienceMs;
  for (let pauseMs = 5; !(await holds()); pauseMs = Math.min(2 * pauseMs, 80)) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}`);
    await delay(pauseMs);
  }
};
