import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major'; flavor?: 'last-resort' }) => void;

export const collectYoung = (): void => collect({ type: 'minor' });

/** Everything that can be collected, and its memory goes back to the system; takes some 30 ms. */
const collectAll = (): void => collect({ type: 'major', flavor: 'last-resort' });

const STARTED_MS = 1_000;

/** Starting leaves as much behind in a thread as running needs, and an idle one would keep it for long. */
export const collectAfterStart = (): void => void setTimeout(collectAll, STARTED_MS).unref();

/** Those that answer and that write, and one to spare. */
const ENOUGH_CORES = 3;

/**
 * Marking beside the threads that answer and write takes a core. Where they have none to spare, it is done in small steps
 * between instead, and reads under load wait less (`npm run bench -- --only reads`).
 */
export const spareCores = (): void => {
  if (availableParallelism() < ENOUGH_CORES) setFlagsFromString('--no-concurrent-marking');
};
