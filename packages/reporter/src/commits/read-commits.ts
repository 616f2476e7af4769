import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ChangedFile, Commit } from '@assay/contract';
import {
  MAX_CHANGED_FILES,
  MAX_COMMITS,
  MAX_NAME_LENGTH,
  MAX_PARENTS,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
} from '@assay/contract/limits';
import { git } from '../repository/git.ts';

/** The latest commits of a checkout, newest first; none where git cannot say. */
export const readHistory = async (folder: string): Promise<readonly string[]> =>
  linesOf(await git(folder, ['rev-list', `--max-count=${MAX_COMMITS}`, 'HEAD']));

/** Renames among more files than this are not looked for: it would take long. */
const MOST_RENAMED = 500;
/** In all that is told of the files of one commit. */
const MOST_FILE_LETTERS = 200_000;
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1_000;

const FORMAT = ['%H', '%P', '%ct', '%an', '%s'].join('%n');
const SETTINGS = ['log.showSignature=false', 'log.mailmap=true', 'i18n.logOutputEncoding=UTF-8'].flatMap((setting) => [
  '-c',
  setting,
]);

/** What git says of commits, in their order. Without those of which it says nothing. */
export const readCommits = async (folder: string, hashes: readonly string[]): Promise<Commit[]> => {
  if (hashes.length === 0) return [];
  const printed = await git(
    folder,
    [
      ...SETTINGS,
      'log',
      '--no-walk=unsorted',
      '--stdin',
      '-z',
      '--name-status',
      '--find-renames',
      `-l${MOST_RENAMED}`,
      // Of a merge what it brought to its first parent.
      '-m',
      '--first-parent',
      `--format=${FORMAT}`,
    ],
    `${hashes.join('\n')}\n`,
  );
  const commits = parseLog(printed ?? '');
  const ends = await readEnds(folder);
  if (ends.size === 0) return commits;
  return Promise.all(
    commits.map(async (commit) =>
      // It has parents though the clone ends here, and seems to add every file.
      ends.has(commit.hash) ? { ...withoutFiles(commit), parents: await readParents(folder, commit.hash) } : commit,
    ),
  );
};

const withoutFiles = ({ moreFiles: _, ...commit }: Commit): Commit => ({ ...commit, files: null });

/** Commits that a shallow clone ends with. */
const readEnds = async (folder: string): Promise<ReadonlySet<string>> => {
  const [file] = linesOf(await git(folder, ['rev-parse', '--git-path', 'shallow']));
  const text = file === undefined ? '' : await readFile(resolve(folder, file), 'utf8').catch(() => '');
  return new Set(linesOf(text));
};

const readParents = async (folder: string, hash: string): Promise<string[]> => {
  const [head = ''] = (await git(folder, ['cat-file', 'commit', hash]))?.split('\n\n') ?? [];
  return head
    .split('\n')
    .flatMap((line) => /^parent ([0-9a-f]+)$/.exec(line)?.[1] ?? [])
    .slice(0, MAX_PARENTS);
};

const HEADER = /^[0-9a-f]{40,64}\n/;

/** Of a log that `-z` and `FORMAT` made: for each commit its header, then for each file its change and its paths. */
export const parseLog = (printed: string): Commit[] => {
  const tokens = printed.split('\0');
  const commits: Commit[] = [];
  let files: ChangedFile[] = [];
  let letters = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (HEADER.test(token)) {
      letters = 0;
      files = [];
      commits.push(headOf(token, files));
      continue;
    }
    const [, kind] = /^\n?([A-Z])\d*$/.exec(token) ?? [];
    if (kind === undefined) continue;
    const from = kind === 'R' || kind === 'C' ? tokens[++at] : undefined;
    const path = tokens[++at] ?? '';
    letters += path.length + (from?.length ?? 0);
    const commit = commits.at(-1);
    const isTold =
      files.length < MAX_CHANGED_FILES && letters <= MOST_FILE_LETTERS && isPath(path) && isPath(from ?? path);
    if (isTold)
      files.push(
        kind === 'R' ? { path, change: 'renamed', from: from! } : { path, change: CHANGES[kind] ?? 'modified' },
      );
    else if (commit) commit.moreFiles = (commit.moreFiles ?? 0) + 1;
  }
  return commits;
};

const CHANGES: Readonly<Record<string, ChangedFile['change']>> = { A: 'added', C: 'added', D: 'deleted' };

const isPath = (path: string): boolean => path !== '' && path.length <= MAX_TEXT_LENGTH;

const headOf = (token: string, files: ChangedFile[]): Commit => {
  const [hash = '', parents = '', seconds = '', author = '', ...subject] = token.split('\n');
  return {
    hash,
    parents: parents
      .split(' ')
      .filter((parent) => parent !== '')
      .slice(0, MAX_PARENTS),
    time: new Date(Math.min(Math.max(0, Number(seconds) || 0), LAST_SECOND) * 1_000).toISOString(),
    author: author.slice(0, MAX_NAME_LENGTH),
    subject: subject.join(' ').slice(0, MAX_TITLE_LENGTH),
    files,
  };
};

const linesOf = (text: string | null): string[] => text?.split('\n').filter((line) => line !== '') ?? [];
