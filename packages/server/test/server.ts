import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@assay/contract';
import { type Config, type LogDestination, readConfig, startService } from '../src/index.ts';

export interface TestServer {
  readonly url: string;
  readonly client: Client;
  readonly dataDir: string;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Each service writes a reserve; hundreds of full ones would keep the disk busy. */
const SMALL_RESERVE_BYTES = 64 * 1024;

/** A real service on a free port, with a data folder of its own that goes away with it. */
export const startTestServer = async (overrides: Partial<Config> = {}, logTo?: LogDestination): Promise<TestServer> => {
  const dataDir = overrides.dataDir ?? mkdtempSync(join(tmpdir(), 'assay-test-'));
  const defaults = { ...readConfig({ PORT: '0', SERVICE_LOG_LEVEL: 'silent' }), reserveBytes: SMALL_RESERVE_BYTES };
  const config = { ...defaults, ...overrides, dataDir };
  const service = await startService(config, logTo);
  await service.ready;
  let stopping: Promise<void> | null = null;
  const stopOnce = async (): Promise<void> => {
    await service.stop();
    if (overrides.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const stop = (): Promise<void> => (stopping ??= stopOnce());
  return {
    url: service.url,
    client: createClient({ baseUrl: service.url }),
    dataDir,
    stop,
    [Symbol.asyncDispose]: stop,
  };
};
