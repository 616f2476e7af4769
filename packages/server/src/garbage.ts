import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const MANAGED = 'assay-manages-heap';

/**
 * To be called by a process that only runs the service or a command of it, before it starts threads. Anywhere else the heap is not the
 * service's alone: collecting it would take as long as all of it is large, and what is set for V8 holds for all threads.
 */
export const manageHeap = (): void => {
  setEnvironmentData(MANAGED, true);
  // On a machine with much memory V8 would let a heap grow fourfold before it collects; on a small one it may double.
  setFlagsFromString('--heap-growing-percent=100');
};

const isManaged = (): boolean => getEnvironmentData(MANAGED) === true;

type Collect = (options: { type: 'minor' | 'major'; flavor?: 'last-resort' }) => void;

let exposed: Collect | undefined;

const collect: Collect = (options) => {
  if (!isManaged()) return;
  if (exposed === undefined) {
    setFlagsFromString('--expose-gc');
    exposed = runInNewContext('gc') as Collect;
  }
  exposed(options);
};

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
 * To be called after large work: once there is no more of it, its memory goes back. One collection starts V8's memory
 * reducer, which does the rest in small steps some seconds later if nothing happens then.
 */
export const collectWhenQuiet = (): void => {
  clearTimeout(quiet);
  quiet = setTimeout(() => collect({ type: 'major' }), QUIET_MS).unref();
};

const MOST_YOUNG_BYTES = 8 * 1024 * 1024;

/**
 * To be called often during work that leaves much garbage: on a machine with much memory V8 would let the young space
 * grow to 128 MB, and copying what is alive of so much holds up the thread. The setting is for all threads, so it must
 * end with the work.
 */
export const boundYoungSpace = (): void => {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  setYoungGrowth(young!.space_size < MOST_YOUNG_BYTES ? 2 : 1);
};

export const releaseYoungSpace = (): void => setYoungGrowth(2);

let youngGrowth = 2;

const setYoungGrowth = (factor: number): void => {
  if (factor === youngGrowth || !isManaged()) return;
  youngGrowth = factor;
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
};

const COLLECT_AFTER_BYTES = 8 * 1024 * 1024;

let passedBytes = 0;

/**
 * Counts bytes that were in buffers of their own and are not needed any more. An upload makes so few objects that the
 * young space never fills, and the buffers that it would free with them pile up: three uploads of 150 MB at once then
 * take the process to 190 MB instead of 140. Room that is used again soon is also faster than room that is new.
 */
export const countSpent = (bytes: number): void => {
  passedBytes += bytes;
  if (passedBytes < COLLECT_AFTER_BYTES) return;
  passedBytes = 0;
  collect({ type: 'minor' });
};
