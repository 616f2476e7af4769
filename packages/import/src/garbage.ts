import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much may be allocated between two collections, at least, and beside what is kept. */
const STEP_BYTES = 12 * 1024 * 1024;
const STEP_SHARE = 0.1;

const NEWEST_TRIED_NODE = 24;

let managed = false;

/** To be called by a process that reads reports and does nothing else: what is done to its heap is done to all of it. */
export const manageHeap = (): void => void (managed = true);

let collect: (() => void) | null = null;
let keptBytes = 0;

const usedBytes = (): number => {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
};

const OLD_SPACE_MB = /--max[-_]old[-_]space[-_]size[= ](\d+)/;

/**
 * How much memory a report may take: V8 ends the process when there is none left. Where a limit for old objects is set, V8's
 * own limit is higher by what it keeps for new ones, which may be several times as much.
 */
const mostBytes = (): number => {
  const most = 0.75 * getHeapStatistics().heap_size_limit;
  // oxlint-disable-next-line node/no-process-env -- V8 does not tell what its options were.
  const oldSpaceMb = OLD_SPACE_MB.exec(process.env['NODE_OPTIONS'] ?? '')?.[1];
  return oldSpaceMb === undefined ? most : Math.min(most, 0.85 * Number(oldSpaceMb) * 1024 * 1024 - STEP_BYTES);
};

/**
 * Collects garbage when much has been allocated since it last did. V8 by itself lets the heap of a process that reads a
 * large report grow to a multiple of what the report needs, which a small CI machine may not have. Throws when a report
 * needs more than there is. Both only where the process said `manageHeap`.
 */
export const boundGarbage = (): void => {
  if (!managed) return;
  if (usedBytes() < keptBytes + Math.max(STEP_BYTES, keptBytes * STEP_SHARE)) return;
  collect ??= prepare();
  collect();
  keptBytes = usedBytes();
  const most = mostBytes();
  if (getHeapStatistics().used_heap_size < most) return;
  throw new Error(`reading it takes more than ${Math.round(most / 1024 / 1024)} MB of memory`);
};

const prepare = (): (() => void) => {
  // The space for new objects stays as small as it is; it would grow to 48 MB. V8 may know other flags one day.
  if (Number.parseInt(process.versions.node) <= NEWEST_TRIED_NODE) {
    setFlagsFromString('--semi-space-growth-factor=1');
  }
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
};
