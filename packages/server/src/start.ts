import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { discardCutOff, startBackground } from './background.ts';
import type { Config } from './config.ts';
import { openContext } from './context.ts';
import { OperatorError } from './operator-error.ts';
import { version } from './version.ts';

export interface RunningService {
  readonly url: string;
  /** Once submissions are stored; rejects when they cannot be. */
  readonly ready: Promise<void>;
  /** Is not ready for `drainMs`, lets running requests finish for as long as `stopMs`, then closes the database. */
  stop(): Promise<void>;
}

/** Takes the lines of the log. */
export interface LogDestination {
  write(line: string): void;
}

/** Starts the service; `logTo` takes the log instead of standard output. */
export const startService = async (config: Config, logTo?: LogDestination): Promise<RunningService> => {
  const logger = pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    ...(logTo ? [logTo] : []),
  );
  const opening = openContext(config, (fault, where) => logger.error({ err: fault }, `${where} failed`));
  // The routes load while the writing thread does.
  const [context, { buildApp }] = await Promise.all([opening, import('./app.ts')]);
  try {
    const app = await buildApp(context, logger);
    for (const warning of warningsOf(config)) logger.warn(warning);
    await discardCutOff(context, logger);
    await listen(app, config);
    // Readers need not wait for the writing thread; what is submitted meanwhile does.
    const background = context.writerStarted.then(() => startBackground(context, logger));
    const ready = background.then(() => undefined);
    // Whoever waits for it learns of a failure.
    ready.catch(() => undefined);
    const url = urlOf(config.host, (app.server.address() as AddressInfo).port);
    return {
      url,
      ready,
      async stop() {
        context.draining.now = true;
        if (config.drainMs > 0) await delay(config.drainMs);
        const stopBackground = background.then(
          ({ stop }) => stop(),
          () => undefined,
        );
        await Promise.all([app.close(), stopBackground]);
        await context.close();
        logger.info('stopped');
      },
    };
  } catch (error) {
    await context.close();
    throw error;
  }
};

const listen = async (app: FastifyInstance, config: Config): Promise<void> => {
  const { host, port } = config;
  try {
    await app.listen({ host, port, listenTextResolver: (address) => startText(address, config) });
  } catch (error) {
    throw new OperatorError(`Cannot listen on ${host}, port ${port}: ${(error as Error).message}`);
  }
};

const startText = (address: string, { dataDir, authEnabled }: Config): string => {
  const access = authEnabled
    ? 'authentication is enabled'
    : 'authentication is disabled: everyone who can reach it may read, submit and delete';
  return `Assay ${version} is listening at ${address}; its data is in ${dataDir}; ${access}`;
};

/** Settings that are allowed and seldom meant. */
const warningsOf = ({ trustProxy, publicUrl, authEnabled }: Config): string[] => [
  ...(trustProxy === true
    ? [
        'SERVICE_TRUST_PROXY=true takes the word of every client for its address; set it to the addresses of your proxies, such as SERVICE_TRUST_PROXY=loopback or SERVICE_TRUST_PROXY=10.0.0.0/8, or to how many there are',
      ]
    : []),
  ...(authEnabled && trustProxy === false && publicUrl?.startsWith('https:')
    ? [
        'SERVICE_PUBLIC_URL says HTTPS, but no proxy is trusted to say so: cookies are not Secure, and all clients share one limit on sign-ins; set SERVICE_TRUST_PROXY to the addresses of your proxies, such as SERVICE_TRUST_PROXY=loopback',
      ]
    : []),
];

const urlOf = (host: string, port: number): string => {
  const everyAddress = host === '0.0.0.0' || host === '::';
  const name = everyAddress || host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
};
