import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much may be allocated between two collections. */
const STEP_BYTES = 12 * 1024 * 1024;

let collect: (() => void) | null = null;
let keptBytes = 0;

const usedBytes = (): number => {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
};

/**
 * Collects garbage when much has been allocated since it last did. V8 by itself lets the heap of a process that reads a
 * large report grow to a multiple of what the report needs, which a small CI machine may not have.
 */
export const boundGarbage = (): void => {
  if (usedBytes() < keptBytes + STEP_BYTES) return;
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  keptBytes = usedBytes();
};
