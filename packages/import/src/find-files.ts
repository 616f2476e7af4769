import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface FoundFile {
  readonly path: string;
  /** As people know it, with forward or backward slashes. */
  readonly name: string;
  /** Named itself, and not only in a folder that was. */
  readonly isAsked: boolean;
}

export type FilesFound =
  | { readonly ok: true; readonly files: readonly FoundFile[] }
  | { readonly ok: false; readonly problems: readonly string[] };

const LEFT_OUT = new Set(['node_modules', '.git']);

/** All files that paths mean, each once; a folder means everything below it. */
export const findFiles = async (paths: readonly string[]): Promise<FilesFound> => {
  const files = new Map<string, FoundFile>();
  const problems: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    if (found === null) problems.push(`${path} does not exist`);
    else if (found.isDirectory()) {
      for (const inside of await filesBelow(path)) {
        if (!files.has(inside)) files.set(inside, { path: inside, name: inside, isAsked: false });
      }
    } else if (found.isFile()) files.set(path, { path, name: path, isAsked: true });
    else problems.push(`${path} is neither a file nor a folder`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files: [...files.values()] };
};

const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) found.push(...(await filesBelow(path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
};
