import { type Client, createClient } from '@assay/contract';

/** A password is hashed in milliseconds. */
const QUICK_COST = 6;

export interface Service {
  readonly url: string;
  readonly client: Client;
}

export interface RestartableService extends Service {
  readonly port: number;
  stop(): Promise<void>;
  /** Starts it anew at the same address once it has stopped. */
  restart(): Promise<void>;
}

/** In the process of the journey: one of its own takes three times the work to start. */
export const startInProcess = async (
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  wantedPort = 0,
): Promise<RestartableService> => {
  // Not before it is bundled.
  const { readConfig, startService } = await import('../packages/server/test/tested-service.ts');
  const read = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_LOG_LEVEL: 'silent',
    ...settings,
  });
  const config = { ...read, passwordCost: QUICK_COST };
  // Somebody else may have it by now.
  let service = await startService({ ...config, port: wantedPort }).catch(() => startService(config));
  const port = Number(new URL(service.url).port);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    client: createClient({ baseUrl: url }),
    stop: () => service.stop(),
    async restart() {
      service = await startService({ ...config, port });
    },
  };
};
