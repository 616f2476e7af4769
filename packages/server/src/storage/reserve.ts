import { randomFillSync } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Space on the disk that is kept for deleting: on a full disk the database cannot even write that a run is gone. */
export interface Reserve {
  /** Whether the reserve is released and not refilled yet. */
  readonly spent: boolean;
  /** Releases the reserved space; false if there is none. */
  spend(): Promise<boolean>;
  /** Takes the space again as soon as the disk has enough of it. */
  refill(): Promise<void>;
  /** Stops a refill; afterwards nothing writes to the data folder any more. */
  close(): Promise<void>;
}

const SHARE_OF_DISK = 1 / 32;
const PIECE_BYTES = 256 * 1024;

export const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

export const openReserve = (dataDir: string, maxBytes: number): Reserve => {
  const file = join(dataDir, 'reserve');
  const closing = new AbortController();
  let spent = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const fill = async (): Promise<void> => {
    closing.signal.throwIfAborted();
    const { blocks, bsize } = await statfs(dataDir);
    const wantedBytes = Math.floor(Math.min(maxBytes, blocks * bsize * SHARE_OF_DISK));
    const found = await stat(file).catch(() => null);
    if (found === null || found.size !== wantedBytes) {
      if ((await freeBytesOf(dataDir)) < 2 * wantedBytes) return;
      await write(file, wantedBytes, closing.signal);
    }
    spent = false;
  };
  return {
    get spent() {
      return spent;
    },
    spend: () =>
      inTurn(async () => {
        if ((await stat(file).catch(() => null)) === null) return false;
        spent = true;
        await rm(file);
        return true;
      }),
    refill: () => inTurn(() => fill().catch(() => undefined)),
    async close() {
      closing.abort();
      await last;
    },
  };
};

/** Random, for there are file systems that store nothing of zeros. */
const write = async (file: string, sizeBytes: number, signal: AbortSignal): Promise<void> => {
  const handle = await open(file, 'w', 0o600);
  const piece = Buffer.alloc(PIECE_BYTES);
  try {
    for (let written = 0; written < sizeBytes; written += PIECE_BYTES) {
      signal.throwIfAborted();
      await handle.write(randomFillSync(piece), 0, Math.min(PIECE_BYTES, sizeBytes - written));
    }
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
};
