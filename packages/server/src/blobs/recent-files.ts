import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of contents that have just been stored elsewhere and are read next: nobody has to fetch them back. */
export interface RecentFiles {
  /** Takes a file over. */
  keep(hash: string, file: string, bytes: number): Promise<void>;
  /** The file of a content, for the caller to remove; null where there is none. */
  take(hash: string): string | null;
}

export interface RecentFilesOptions {
  readonly keptMs: number;
  readonly mostBytes: number;
}

interface Kept {
  readonly file: string;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
}

export const createRecentFiles = (dir: string, { keptMs, mostBytes }: RecentFilesOptions): RecentFiles => {
  const kept = new Map<string, Kept>();
  let keptBytes = 0;

  const take = (hash: string): string | null => {
    const found = kept.get(hash);
    if (!found) return null;
    clearTimeout(found.timer);
    kept.delete(hash);
    keptBytes -= found.bytes;
    return found.file;
  };
  const drop = async (hash: string): Promise<void> => {
    const file = take(hash);
    if (file !== null) await rm(file, { force: true });
  };

  return {
    async keep(hash, given, bytes) {
      const file = join(dir, randomUUID());
      await rename(given, file);
      await drop(hash);
      const timer = setTimeout(() => void drop(hash).catch(() => undefined), keptMs).unref();
      kept.set(hash, { file, bytes, timer });
      keptBytes += bytes;
      for (const oldest of kept.keys()) {
        if (keptBytes <= mostBytes) break;
        await drop(oldest);
      }
    },
    take,
  };
};
