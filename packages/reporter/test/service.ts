import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type RunDetails, createClient } from '@assay/contract';
import { QUICK_COST } from '../../server/test/accounts/people.ts';
import { configOfTests, putDatabase } from '../../server/test/migrated-database.ts';
import { serviceMain } from '../../server/test/robustness/service-process.ts';
import { type TestServer, sharedServer, startTestServer } from '../../server/test/server.ts';

/** A real service. */
export interface Service {
  readonly url: string;
  readonly client: Client;
  /** All runs of a project with their cases, newest first. */
  runsOf(projectName: string): Promise<RunDetails[]>;
}

/** In a process of its own, which may be killed. */
export interface ServiceProcess extends Service, AsyncDisposable {
  /** At once, as a crash does. */
  kill(): Promise<void>;
  /** On the same port and data, in this process, which takes a quarter of the time. */
  startAgain(): Promise<void>;
}

export const startService = async (): Promise<ServiceProcess> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-reporter-data-'));
  await putDatabase(dataDir);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl: url });
  const child = spawn(process.execPath, [serviceMain()], {
    env: { ...process.env, PORT: String(port), SERVICE_DATA_DIR: dataDir, SERVICE_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`);
    await delay(25);
  }
  let again: TestServer | null = null;

  return {
    url,
    client,
    kill,
    async startAgain() {
      again = await startTestServer({ ...configOfTests(), dataDir, host: '127.0.0.1', port });
    },
    runsOf: (projectName) => runsOf(client, projectName),
    async [Symbol.asyncDispose]() {
      await kill();
      await again?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** In this process. */
export interface OpenService extends Service, AsyncDisposable {
  restart(whileAway?: () => Promise<void>): Promise<void>;
}

export const openService = async (settings: Readonly<Record<string, string>> = {}): Promise<OpenService> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-reporter-data-'));
  await putDatabase(dataDir);
  const config = { ...configOfTests(settings), passwordCost: QUICK_COST, dataDir, host: '127.0.0.1' };
  let server = await startTestServer(config);
  const { url, client } = server;
  return {
    url,
    client,
    async restart(whileAway) {
      await server.stop();
      await whileAway?.();
      server = await startTestServer({ ...config, port: Number(new URL(url).port) });
    },
    runsOf: (projectName) => runsOf(client, projectName),
    async [Symbol.asyncDispose]() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** That of all test files of this process, each of which has projects of its own. */
export const sharedService = async (): Promise<Service> => {
  const { url, client } = await sharedServer();
  return { url, client, runsOf: (projectName) => runsOf(client, projectName) };
};

const runsOf = async (client: Client, projectName: string): Promise<RunDetails[]> => {
  const project = (await client.listProjects()).find(({ name }) => name === projectName);
  if (!project) return [];
  const { testRuns } = await client.getProject({ params: { id: project.id } });
  return Promise.all(testRuns.map(({ id }) => client.getRun({ params: { id } })));
};

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
