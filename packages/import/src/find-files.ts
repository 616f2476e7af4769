import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface FoundFile {
  readonly path: string;
  /** As people know it, with forward or backward slashes. */
  readonly name: string;
  /** Named itself, and not only in a folder that was. */
  readonly isAsked: boolean;
}

export type FilesFound =
  | { readonly ok: true; readonly files: Iterable<FoundFile> }
  | { readonly ok: false; readonly problems: readonly string[] };

const LEFT_OUT = new Set(['node_modules', '.git']);

/** All files that paths mean, each once; a folder means everything below it. */
export const findFiles = (paths: readonly string[]): FilesFound => {
  const asked = new Set<string>();
  const folders = new Set<string>();
  const problems: string[] = [];
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) problems.push(`${path} does not exist`);
    else if (found.isDirectory()) folders.add(path);
    else if (found.isFile()) asked.add(path);
    else problems.push(`${path} is neither a file nor a folder`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files: listFiles(asked, folders) };
};

/** One by one, since a folder may have very many. */
function* listFiles(asked: ReadonlySet<string>, folders: ReadonlySet<string>): Generator<FoundFile> {
  for (const path of asked) yield { path, name: path, isAsked: true };
  const seen = new Set<string>();
  for (const folder of folders) {
    for (const path of filesBelow(folder)) {
      if (asked.has(path) || seen.has(path)) continue;
      // Only another folder may name it again.
      if (folders.size > 1) seen.add(path);
      yield { path, name: path, isAsked: false };
    }
  }
}

function* filesBelow(folder: string): Generator<string> {
  for (const name of namesIn(folder)) {
    if (name.endsWith('/')) yield* filesBelow(join(folder, name.slice(0, -1)));
    else yield join(folder, name);
  }
}

/** In order; those of folders end with a slash. */
const namesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() || (entry.isDirectory() && !LEFT_OUT.has(entry.name)))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
