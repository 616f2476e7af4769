import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// On a machine with much memory V8 would let a heap grow fourfold before it collects; on a small one it may double.
setFlagsFromString('--heap-growing-percent=100');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major'; flavor?: 'last-resort' }) => void;

const STARTED_MS = 1_000;

/**
 * Starting leaves as much behind in a thread as running needs, and an idle one would keep it for long. The last resort
 * is several collections at once, some 50 ms.
 */
export const collectAfterStart = (): void =>
  void setTimeout(() => collect({ type: 'major', flavor: 'last-resort' }), STARTED_MS).unref();

const QUIET_MS = 2_000;
let quiet: NodeJS.Timeout | undefined;

/**
 * To be called after large work: once there is no more of it, its memory goes back. One collection, some 15 ms, is
 * enough: a few seconds after it V8 compacts the heap of an idle thread by itself, in small steps.
 */
export const collectWhenQuiet = (): void => {
  clearTimeout(quiet);
  quiet = setTimeout(() => collect({ type: 'major' }), QUIET_MS).unref();
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
