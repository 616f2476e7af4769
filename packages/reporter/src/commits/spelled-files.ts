import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SpelledFile } from '@assay/contract';
import { git } from '../repository/git.ts';
import { relativePath } from '../repository/paths.ts';

/** Which files of the repository are meant where results spell them differently from their paths in it. */
export const findSpelledFiles = async (
  files: Iterable<string>,
  { root, repository }: { readonly root: string; readonly repository: string },
): Promise<SpelledFile[]> => {
  const spelled: SpelledFile[] = [];
  const open: string[] = [];
  for (const file of files) {
    const path = relativePath(repository, isAbsolute(file) ? file : join(root, file));
    const isInside = !path.startsWith('../') && !isAbsolute(path);
    if (!isInside || !existsSync(join(repository, path))) open.push(file);
    else if (path !== file) spelled.push({ file, path });
  }
  if (open.length === 0) return spelled;
  const tracked = (await git(repository, ['ls-files', '-z']))?.split('\0') ?? [];
  const find = createFinder(tracked.filter((path) => path !== ''));
  return [...spelled, ...open.map((file) => ({ file, path: find(file) }))];
};

const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[a-z]:\//i.test(path);

/** Finds the only path that a file, a class or a package may mean; null when it may be several, or none. */
export const createFinder = (paths: readonly string[]): ((spelled: string) => string | null) => {
  const byStem = new Map<string, string[]>();
  const goTestOf = new Map<string, string>();
  for (const path of paths) {
    const stem = withoutExtension(nameOf(path));
    byStem.set(stem, [...(byStem.get(stem) ?? []), path]);
    if (path.endsWith('_test.go')) {
      const folder = path.slice(0, -nameOf(path).length - 1);
      if (!goTestOf.has(folder)) goTestOf.set(folder, path);
    }
  }

  const endingIn = (end: string, pathOf: (path: string) => string): string[] =>
    (byStem.get(withoutExtension(nameOf(end))) ?? []).filter((path) => `/${pathOf(path)}`.endsWith(`/${end}`));

  /** Such as `com.acme.CartTest$Empty` and `tests.test_cart.TestCart`, whose last name may be a class of the file. */
  const ofClass = (name: string): string[] => {
    const parts = name.replace(/[$+].*$/s, '').split(/[.\\]|::/);
    const whole = endingIn(parts.join('/'), withoutExtension);
    if (whole.length > 0 || parts.length < 2) return whole;
    return endingIn(parts.slice(0, -1).join('/'), withoutExtension).filter((path) => path.endsWith('.py'));
  };

  /** The folder of a Go package is the end of its name. */
  const ofPackage = (name: string): string[] => {
    const parts = name.split('/');
    const folders = parts.map((_, at) => parts.slice(at).join('/'));
    return folders.flatMap((folder) => goTestOf.get(folder) ?? []);
  };

  return (spelled) => {
    const path = spelled.replace(/^(?:\.{1,2}\/)+/, '');
    const found = endingIn(path, (given) => given);
    const meant = found.length > 0 ? found : path.includes('/') ? ofPackage(path) : ofClass(path);
    return meant.length === 1 ? meant[0]! : null;
  };
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const withoutExtension = (path: string): string => path.replace(/(?<=[^/])\.[^./]*$/, '');
