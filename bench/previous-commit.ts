import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

export interface PreviousCommit {
  readonly name: string;
  readonly folder: string;
  readonly entry: string;
  remove(): void;
}

/** Checks another commit out beside this one, with the packages that are installed here; null when there is none. */
export const checkOut = (root: string, reference: string, workDir: string): PreviousCommit | null => {
  try {
    git(root, 'rev-parse', '--verify', '--quiet', `${reference}^{commit}`);
  } catch {
    return null;
  }
  const folder = join(workDir, 'previous-commit');
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
    git(root, 'worktree', 'prune');
  };
  remove();
  git(root, 'worktree', 'add', '--detach', folder, reference);
  linkPackages(root, folder);
  const entry = join(folder, 'packages/server/src/main.ts');
  return existsSync(entry)
    ? { name: git(root, 'log', '-1', '--format=%h %s', reference), folder, entry, remove }
    : null;
};

const linkPackages = (root: string, folder: string): void => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@assay'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@assay' && !name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(modules, '@assay', name));
  }
};
