import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major'; flavor?: 'last-resort' }) => void;

/** Everything that can be collected, and its memory goes back to the system; takes some 30 ms. */
export const collectAll = (): void => collect({ type: 'major', flavor: 'last-resort' });

const STARTED_MS = 1_000;

/** Starting leaves as much behind in a thread as running needs, and an idle one would keep it for long. */
export const collectAfterStart = (): void => void setTimeout(collectAll, STARTED_MS).unref();

const QUIET_MS = 2_000;
let quiet: NodeJS.Timeout | undefined;

/** To be called after large work: once there is no more of it, its memory goes back. */
export const collectWhenQuiet = (): void => {
  clearTimeout(quiet);
  quiet = setTimeout(collectAll, QUIET_MS).unref();
};

const COLLECT_AFTER_BYTES = 16 * 1024 * 1024;

let passedBytes = 0;

/**
 * Counts bytes that were in buffers of their own and are not needed any more. An upload makes so few objects that the
 * young space never fills, and the buffers that it would free with them pile up: three uploads of 150 MB at once then
 * take the process to 190 MB instead of 140.
 */
export const countSpent = (bytes: number): void => {
  passedBytes += bytes;
  if (passedBytes < COLLECT_AFTER_BYTES) return;
  passedBytes = 0;
  collect({ type: 'minor' });
};
