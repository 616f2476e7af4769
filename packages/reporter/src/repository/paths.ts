import { existsSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';

/** The folder of the repository that has a folder; null when it is in none. */
export const findRepository = (folder: string, exists: (path: string) => boolean = existsSync): string | null => {
  const { dirname, join } = flavourOf(folder);
  for (let at = folder; ; at = dirname(at)) {
    // A file where the repository is a worktree or a submodule.
    if (exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
};

/** A path as it is told: relative to the root, with forward slashes on every system. */
export const relativePath = (root: string, file: string): string =>
  flavourOf(root).relative(root, file).replaceAll('\\', '/');

/** By the path and not by the system, so that a report of one may be read on another. */
const flavourOf = (path: string): typeof posix => (/^(?:[a-z]:[\\/]|\\\\)/i.test(path) ? win32 : posix);

/** The nearest folder upwards with a `package.json`. */
export const findPackage = (folder: string): string | null => {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (dirname(at) === at) return null;
  }
};
