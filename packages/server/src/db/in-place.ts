import { statSync } from 'node:fs';

/**
 * Tells whether an open database is still what its path names. SQLite itself goes on with a file that was deleted or
 * replaced: whatever it commits from then on ends with the process.
 */
export const watchInPlace = (file: string): (() => boolean) => {
  const opened = new Map<string, string>();
  const isSame = (path: string): boolean => {
    const found = statSync(path, { throwIfNoEntry: false });
    const identity = found ? `${found.dev} ${found.ino}` : '';
    const known = opened.get(path);
    if (known === undefined && found) opened.set(path, identity);
    return known === undefined || known === identity;
  };
  isSame(file);
  // The log exists from the first access to the database to its close.
  return () => isSame(file) && isSame(`${file}-wal`);
};
