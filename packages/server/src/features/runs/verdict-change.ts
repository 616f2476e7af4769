import type { Queries } from '../../db/database.ts';
import type { Change } from '../../statistics/verdicts.ts';
import { commitsBetween } from '../commits/between.ts';
import { pathInRepository, readSpelledFiles } from '../owners/project-owners.ts';
import type { ShownRun } from './present-run.ts';

/** What changed between the base of a run and the run. */
export interface ReadChange {
  /** Null where it is not known. */
  readonly change: Change | null;
  /** Null where they are not all known. */
  readonly commits: number | null;
  readonly hashes: ReadonlySet<string>;
  touches(file: string | null): boolean;
}

const UNKNOWN: ReadChange = { change: null, commits: null, hashes: new Set(), touches: () => false };
/** Of more, nobody knows which one broke a test. */
const MOST_TOUCHED = 20_000;

/** `files` are those of the tests of the run, as its results spell them. */
export const readChange = async (
  queries: Queries,
  { project_id, commit_hash }: ShownRun,
  from: string | null,
  files: ReadonlyMap<string, number>,
): Promise<ReadChange> => {
  if (from === null || commit_hash === null) return UNKNOWN;
  if (from === commit_hash) {
    return { ...UNKNOWN, change: { commits: 0, isWhole: true, touchedShare: 1 }, commits: 0 };
  }
  const { commits, complete } = await commitsBetween(queries, project_id, from, commit_hash);
  // A commit that is older than its base, as after a reset, is a change too.
  if (commits.length === 0) return UNKNOWN;
  const paths = new Set(
    commits.flatMap((commit) => commit.files?.flatMap(({ path, from = path }) => [path, from]) ?? []),
  );
  const isWhole = complete && commits.every(({ files, moreFiles = 0 }) => files !== null && moreFiles === 0);
  const hashes = new Set(commits.map(({ hash }) => hash));
  const known = { commits: complete ? commits.length : null, hashes };
  if (paths.size > MOST_TOUCHED) return { ...UNKNOWN, ...known };
  const spelled = await readSpelledFiles(queries, project_id);
  const endings = new Set([...paths].flatMap(endingsOf));
  const touches = (file: string | null): boolean => {
    if (file === null) return false;
    const path = spelled.has(file) ? spelled.get(file)! : pathInRepository(file);
    return path !== null && (spelled.has(file) ? paths.has(path) : endings.has(path));
  };
  const touched = [...files.keys()].filter(touches).length;
  const touchedShare = Math.max(1, touched) / Math.max(1, files.size);
  return { change: { commits: commits.length, isWhole, touchedShare }, ...known, touches };
};

/** Results may spell a file from a folder in the repository. */
const endingsOf = (path: string): string[] => {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
};
