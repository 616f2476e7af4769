import { open } from 'node:fs/promises';

/** Until this, a file or the names in a folder may not outlive a loss of power. */
export const sync = async (path: string): Promise<void> => {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Knows of which folders all names are durable; of a folder that this process has not synced yet, none. */
export interface DurableFolders {
  /** Must follow every change of a name. */
  changed(folder: string): void;
  /** Resolves when all current entries of the folder are durable, whatever wrote them. */
  settle(folder: string): Promise<void>;
}

export const createDurableFolders = (syncFolder = sync): DurableFolders => {
  const durable = new Set<string>();
  const changes = new Map<string, number>();
  return {
    changed(folder) {
      durable.delete(folder);
      changes.set(folder, (changes.get(folder) ?? 0) + 1);
    },
    async settle(folder) {
      if (durable.has(folder)) return;
      const before = changes.get(folder);
      await syncFolder(folder);
      // A name that came during the sync may have come too late for it.
      if (changes.get(folder) === before) durable.add(folder);
    },
  };
};
