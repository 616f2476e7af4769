import type { IncomingFile, StoredBlob } from './store.ts';

/** The contents that uploads of this process hold, each as often as it is held. */
export interface Holds {
  has(hash: string): boolean;
  add(hash: string): void;
  /** Stores files, some at a time; `takeIn` adds the hold of each. Where it or `settle` fails, none is held. */
  take(
    files: readonly IncomingFile[],
    takeIn: (file: IncomingFile) => Promise<StoredBlob>,
    settle?: (blobs: readonly StoredBlob[]) => Promise<void>,
  ): Promise<StoredBlob[]>;
  /** Notes a removal that was asked for while a content was held. */
  spare(hash: string): void;
  /** Returns those that are no longer held and were spared. */
  release(hashes: readonly string[]): string[];
}

export const createHolds = (atOnce: number): Holds => {
  const held = new Map<string, number>();
  const spared = new Set<string>();
  const release = (hashes: readonly string[]): string[] =>
    hashes.filter((hash) => {
      const left = (held.get(hash) ?? 0) - 1;
      if (left > 0) held.set(hash, left);
      else held.delete(hash);
      return left <= 0 && spared.delete(hash);
    });
  return {
    has: (hash) => held.has(hash),
    add: (hash) => void held.set(hash, (held.get(hash) ?? 0) + 1),
    async take(files, takeIn, settle = async () => undefined) {
      const blobs: StoredBlob[] = [];
      let next = 0;
      const takeNext = async (): Promise<void> => {
        while (next < files.length) {
          const index = next++;
          blobs[index] = await takeIn(files[index]!);
        }
      };
      const workers = await Promise.allSettled(Array.from({ length: atOnce }, takeNext));
      try {
        for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
        await settle(blobs);
      } catch (error) {
        release(Object.values(blobs).map(({ hash }) => hash));
        throw error;
      }
      return blobs;
    },
    spare: (hash) => void spared.add(hash),
    release,
  };
};
