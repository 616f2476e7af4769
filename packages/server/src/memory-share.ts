import { totalmem } from 'node:os';

/** Of the container or of the machine, whichever is less. */
const memoryBytes = Math.min(process.constrainedMemory() || Infinity, totalmem());

/** From this much on, everything may have its full size. */
const ENOUGH_BYTES = 512 * 1024 * 1024;

/** What may be taken of something that may take `full` where there is enough memory. */
export const shareOf = (full: number, ofBytes = memoryBytes): number =>
  Math.floor(full * Math.min(1, ofBytes / ENOUGH_BYTES));
