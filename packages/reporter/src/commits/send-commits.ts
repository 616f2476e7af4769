import type { Commit, CommitsReply, CommitsSent, SpelledFile, Submission } from '@assay/contract';
import { type Client, jsonBody } from '../http/client.ts';
import type { Failure } from '../http/failure.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { findRepository } from '../repository/paths.ts';
import { readCommits, readHistory } from './read-commits.ts';
import { type OwnersFile, readOwners } from './read-owners.ts';
import { findSpelledFiles } from './spelled-files.ts';

/** So that the first time, when there is most to tell, never keeps a test run for long. */
const PATIENCE_MS = 15_000;
const COMMITS_AT_ONCE = 100;
const FILES_AT_ONCE = 1_000;
const MOST_LETTERS_AT_ONCE = 400_000;

interface Sending {
  readonly client: Client;
  /** The folder that files are told relative to. */
  readonly root: string;
  readonly options: Options;
  readonly output: Output;
  readonly until: AbortSignal;
}

/**
 * After a run was sent: tells the commits that the service does not know yet, and who owns the files. Whatever goes wrong
 * with it is said in a line at most. Never rejects.
 */
export const sendCommits = async (
  { projectName, branch, testCases }: Pick<Submission, 'projectName' | 'branch' | 'testCases'>,
  { client, root, options, output, until }: Sending,
): Promise<void> => {
  const repository = findRepository(root);
  if (!options.commits || repository === null) return;
  const signal = AbortSignal.any([until, AbortSignal.timeout(PATIENCE_MS)]);
  const tell = async (sent: Omit<CommitsSent, 'projectName' | 'branch'>): Promise<CommitsReply> => {
    const body = jsonBody(JSON.stringify({ projectName, branch, ...sent }));
    const reply = await client.call<CommitsReply>({ path: '/api/commits', body, signal, tries: 2 });
    if (reply.ok) return reply.body;
    throw new Refused(reply.failure);
  };
  try {
    const [history, owners] = await Promise.all([readHistory(repository), readOwners(repository)]);
    if (!owners.ok) output.say(`Assay: owners not sent: ${owners.why}`);
    const file = owners.ok ? owners.file : undefined;
    if (history.length === 0 && !file) return;
    const files = file ? await findSpelledFiles(filesOf(testCases ?? []), { root, repository }) : [];
    const { missing, wantsOwners } = await tell({ history: [...history], ...ownersToTell(file, files) });
    if (file && wantsOwners) await tell(ownersToTell(file, files, file.text));
    for (let first = FILES_AT_ONCE; first < files.length; first += FILES_AT_ONCE) {
      await tell(ownersToTell(file, files.slice(first)));
    }
    for (let first = 0; first < missing.length; first += COMMITS_AT_ONCE) {
      const commits = await readCommits(repository, missing.slice(first, first + COMMITS_AT_ONCE));
      for (const some of inRequests(commits)) await tell({ commits: some });
    }
  } catch (error) {
    // An older service knows nothing of commits, and one that is away is told the next time.
    if (error instanceof Refused && (error.failure.kind === 'away' || error.failure.status === 404)) return;
    output.say(`Assay: commits not sent: ${(error as Error).message}`);
  }
};

class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.why);
    this.failure = failure;
  }
}

/** Null says that there is no such file, and nothing that it could not be read. */
const ownersToTell = (
  file: OwnersFile | null | undefined,
  files: readonly SpelledFile[],
  text?: string,
): Pick<CommitsSent, 'owners'> => {
  if (file === undefined) return {};
  if (file === null) return { owners: null };
  return {
    owners: { hash: file.hash, ...(text === undefined ? {} : { text }), files: files.slice(0, FILES_AT_ONCE) },
  };
};

const filesOf = (testCases: NonNullable<Submission['testCases']>): ReadonlySet<string> =>
  new Set(
    testCases.flatMap(
      ({ location }) =>
        location
          ?.trim()
          .replaceAll('\\', '/')
          .replace(/(?::\d{1,9}){1,2}$/, '') || [],
    ),
  );

function* inRequests(commits: readonly Commit[]): Generator<Commit[]> {
  let some: Commit[] = [];
  let letters = 0;
  for (const commit of commits) {
    const length = JSON.stringify(commit).length;
    if (some.length > 0 && letters + length > MOST_LETTERS_AT_ONCE) {
      yield some;
      some = [];
      letters = 0;
    }
    some.push(commit);
    letters += length;
  }
  if (some.length > 0) yield some;
}
