import { refusal } from './refusal.ts';

/** All sizes are those of bytes that were really inflated. */
export interface ArchiveLimits {
  /** Of files and folders. */
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  /** Of all inflated bytes to the bytes of the archive. */
  readonly maxRatio: number;
}

/** Short texts compress far better than any report; nobody is harmed by less than this. */
const RATIO_FLOOR_BYTES = 1024 * 1024;
/** Headers, padding and extended attributes: all that an archive may hold besides its files. */
const OVERHEAD_FLOOR_BYTES = 1024 * 1024;
const OVERHEAD_BYTES_PER_ENTRY = 4 * 1024;

/** Counts what an archive turns out to hold, and refuses it as soon as that is too much. */
export interface Budget {
  spendEntry(): void;
  spendContent(name: string, bytes: number, fileBytes: number): void;
  spendOverhead(bytes: number): void;
}

export const createBudget = (limits: ArchiveLimits, archiveBytes: number): Budget => {
  const maxOverheadBytes = OVERHEAD_FLOOR_BYTES + limits.maxEntries * OVERHEAD_BYTES_PER_ENTRY;
  let entries = 0;
  let contentBytes = 0;
  let overheadBytes = 0;

  const checkRatio = (name?: string): void => {
    const inflated = contentBytes + overheadBytes;
    if (inflated > RATIO_FLOOR_BYTES && inflated > archiveBytes * limits.maxRatio)
      throw refusal(`it inflates to more than ${limits.maxRatio} times its size`, name);
  };

  return {
    spendEntry() {
      if (++entries > limits.maxEntries) throw refusal(`it has more than ${limits.maxEntries} entries`);
    },
    spendContent(name, bytes, fileBytes) {
      if (fileBytes > limits.maxFileBytes) throw refusal(`the file is larger than ${limits.maxFileBytes} bytes`, name);
      contentBytes += bytes;
      if (contentBytes > limits.maxBytes)
        throw refusal(`all files together are larger than ${limits.maxBytes} bytes`, name);
      checkRatio(name);
    },
    spendOverhead(bytes) {
      overheadBytes += bytes;
      if (overheadBytes > maxOverheadBytes) throw refusal('it has too much besides its files');
      checkRatio();
    },
  };
};
