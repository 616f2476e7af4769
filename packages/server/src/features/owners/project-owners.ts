import { LRUCache } from 'lru-cache';
import type { Queries } from '../../db/database.ts';
import { type OwnersOf, readCodeowners } from './codeowners.ts';

/** Who owns the files of projects, as their results spell them. */
export interface ProjectOwners {
  /** Null for a project that has told no CODEOWNERS file. */
  of(projectId: number): Promise<OwnersOf | null>;
}

const KEPT_PROJECTS = 16;
const KEPT_FILES = 20_000;

interface Kept {
  readonly revision: number;
  readonly ownersOf: OwnersOf;
}

export const createProjectOwners = (queries: Queries): ProjectOwners => {
  const kept = new LRUCache<number, Kept>({ max: KEPT_PROJECTS });
  return {
    async of(projectId) {
      const current = await queries
        .selectFrom('codeowners')
        .select('revision')
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      if (!current) return null;
      const known = kept.get(projectId);
      if (known?.revision === current.revision) return known.ownersOf;
      const read = await readOwners(queries, projectId);
      if (read) kept.set(projectId, read);
      return read?.ownersOf ?? null;
    },
  };
};

const readOwners = async (queries: Queries, projectId: number): Promise<Kept | null> => {
  const file = await queries
    .selectFrom('codeowners')
    .select(['text', 'revision'])
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!file) return null;
  const pathOf = await readSpelledFiles(queries, projectId);
  const ownersOf = readCodeowners(file.text);
  const found = new LRUCache<string, readonly string[]>({ max: KEPT_FILES });
  return {
    revision: file.revision,
    ownersOf(file) {
      const known = found.get(file);
      if (known) return known;
      const path = pathOf.has(file) ? pathOf.get(file)! : pathInRepository(file);
      const owners = path === null ? NOBODY : ownersOf(path);
      found.set(file, owners);
      return owners;
    },
  };
};

/** Paths of the files that results spell differently; null where it is not known which file is meant. */
export const readSpelledFiles = async (
  queries: Queries,
  projectId: number,
): Promise<ReadonlyMap<string, string | null>> => {
  const spelled = await queries
    .selectFrom('spelled_files')
    .select(['file', 'path'])
    .where('project_id', '=', projectId)
    .execute();
  return new Map(spelled.map(({ file, path }) => [file, path]));
};

const NOBODY: readonly string[] = [];

/** Null for a file that is elsewhere, or nowhere known. */
export const pathInRepository = (file: string): string | null => {
  const path = file.replace(/^(?:\.\/)+/, '');
  const isElsewhere = /^(?:\/|[a-z]:\/|\.\.\/|[a-z][a-z\d+.-]*:\/\/)/i.test(path);
  return isElsewhere || path === 'unknown' || path === '' ? null : path;
};
