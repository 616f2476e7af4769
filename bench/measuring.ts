import { fork } from 'node:child_process';
import { join } from 'node:path';
import { type Row, megabytes, milliseconds } from './figures.ts';
import { type Connection, type Response, getRequest, openConnection } from './http-client.ts';
import type { BenchService } from './service.ts';

const MB = 1024 ** 2;
const RSS_LIMIT_MB = 400;
const WAIT_LIMIT_MS = 50;
const FIRST_READ_LIMIT_MS = 250;

export const rssRow = (what: string, bytes: number): Row => ({
  what,
  measured: megabytes(bytes),
  limit: `${RSS_LIMIT_MB} MB`,
  ok: bytes <= RSS_LIMIT_MB * MB,
});

/** The limit is for what the service itself does: on a machine with other work a client waits for that too. */
export const waitRow = (what: string, { longestMs, longestTurnMs }: Waits<unknown>): Row => ({
  what,
  measured: `${milliseconds(longestTurnMs)} (by the clock ${milliseconds(longestMs)})`,
  limit: `${WAIT_LIMIT_MS} ms`,
  ok: longestTurnMs <= WAIT_LIMIT_MS,
});

export interface TimedRead {
  readonly clockMs: number;
  readonly cpuMs: number;
  readonly body: Buffer;
}

export const timeRead = async (service: BenchService, connection: Connection, path: string): Promise<TimedRead> => {
  const cpuBefore = await service.cpuMs();
  const start = performance.now();
  const { status, body } = await connection.send(getRequest(path));
  const clockMs = performance.now() - start;
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${body.toString()}`);
  return { clockMs, cpuMs: (await service.cpuMs()) - cpuBefore, body: Buffer.from(body) };
};

/** As with waits, a read that took less processor time than the limit was held up by others. */
export const firstReadRow = (what: string, { clockMs, cpuMs, body }: TimedRead): Row => ({
  what,
  measured: `${milliseconds(clockMs)} (processor ${milliseconds(cpuMs)}), ${Math.round(body.length / 1024)} KB`,
  limit: `${FIRST_READ_LIMIT_MS} ms`,
  ok: Math.min(clockMs, cpuMs) <= FIRST_READ_LIMIT_MS,
});

/** The highest resident memory until it is stopped. */
export const watchRss = (service: BenchService): { stop(): number } => {
  let peak = service.rssBytes();
  const timer = setInterval(() => (peak = Math.max(peak, service.rssBytes())), 20);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
};

/** V8 goes on giving memory back in small steps for a while after the last request. */
const SETTLED_MS = 30_000;

/** What a service keeps of its memory once nobody asks anything of it. */
export const settledRss = async (service: BenchService, afterMs = SETTLED_MS): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  return service.rssBytes();
};

export interface Waits<T> {
  readonly value: T;
  /** By the clock, from request to answer. */
  readonly longestMs: number;
  /** Processor time of the service's main thread without a turn for others. */
  readonly longestTurnMs: number;
}

/** How long another client waits for a small read while something is done. */
export const whileProbing = async <T>(
  service: BenchService,
  path: string,
  work: () => Promise<T>,
): Promise<Waits<T>> => {
  const prober = fork(join(import.meta.dirname, 'prober.ts'), [service.url, path]);
  await new Promise((resolve) => prober.once('message', resolve));
  try {
    service.watchTurns();
    const value = await work();
    const longestTurnMs = await service.longestTurnMs();
    const told = new Promise<number[]>((resolve, reject) => {
      prober.once('message', (message) => resolve(message as number[]));
      prober.once('exit', () => reject(new Error('The client that probes ended early')));
      if (prober.exitCode !== null) reject(new Error('The client that probes ended early'));
    });
    prober.kill('SIGTERM');
    const waits = await told;
    return { value, longestMs: waits.reduce((most, wait) => Math.max(most, wait), 0), longestTurnMs };
  } finally {
    prober.kill('SIGTERM');
  }
};

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

const BUSY = 503;
const RETRY_MS = 250;

/** Sends until the service takes it: when it has too much to do it says so, and a client comes again. */
export const sendPatiently = async (connection: Connection, request: Buffer): Promise<Response> => {
  for (;;) {
    const answer = await connection.send(request);
    if (answer.status !== BUSY) return answer;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (1 + Math.random())));
  }
};

/** Works through a list with some connections at once. */
export const withClients = async <T>(
  url: string,
  clients: number,
  items: Iterable<T>,
  work: (connection: Connection, item: T) => Promise<void>,
): Promise<void> => {
  const iterator = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = await openConnection(url);
      for (let next = iterator.next(); !next.done; next = iterator.next()) await work(connection, next.value);
      connection.close();
    }),
  );
};
