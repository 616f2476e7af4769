import { DatabaseSync } from 'node:sqlite';

export interface FolderLock {
  release(): void;
}

/**
 * Holds the data folder for this process, or returns null when another one has it. An exclusive transaction on a small
 * database is a lock that every system SQLite runs on honours, and that ends with the process however it ends.
 */
export const tryLock = (file: string): FolderLock | null => {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return { release: () => lock.close() };
};

const SQLITE_BUSY = 5;
