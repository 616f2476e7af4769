import { readFile } from 'node:fs/promises';
import type { Environment } from '../environment.ts';
import { git } from '../repository/git.ts';
import type { Ci } from './ci.ts';
import { detectCi } from './detect-ci.ts';

/** What was tested, and where. */
export interface Source {
  readonly branch: string | null;
  readonly commit: string | null;
  /** Of the repository. */
  readonly defaultBranch: string | null;
  /** Of the default branch, or the one that a pull request goes into: what the branch starts from. */
  readonly baseCommit: string | null;
  readonly author: string | null;
  readonly message: string | null;
  readonly pullRequest: Ci['pullRequest'];
  readonly ci: Ci | null;
}

type Told = Partial<Omit<Source, 'ci'>>;

const LONGEST_MESSAGE = 2_000;

/** From the CI system and from git, each as far as it knows. Never rejects. */
export const readSource = async (folder: string, env: Environment): Promise<Source> => {
  const ci = detectCi(env);
  const [event, git] = await Promise.all([readGitHubEvent(env), readGit(folder)]);
  const source = mergeSource(event, ci, git);
  const { branch, defaultBranch } = source;
  if (source.baseCommit !== null || defaultBranch === null || branch === defaultBranch) return source;
  return { ...source, baseCommit: await findMergeBase(folder, defaultBranch) };
};

/** The part of it by which a later step knows that it is about the same. Git is asked where nobody else says it. */
export const readTested = async (folder: string, env: Environment): Promise<Pick<Source, 'commit' | 'ci'>> => {
  const ci = detectCi(env);
  const { commit } = mergeSource(await readGitHubEvent(env), ci, {});
  return { ci, commit: commit ?? ((await git(folder, ['rev-parse', '--verify', 'HEAD']))?.trim() || null) };
};

/** What git says of a commit counts only when it is the one that CI names: CI may have checked out a merge of it. */
export const mergeSource = (event: Told, ci: Ci | null, git: Told): Source => {
  const commit = event.commit ?? ci?.commit ?? git.commit ?? null;
  const ofCommit = git.commit === commit ? git : {};
  return {
    branch: event.branch ?? ci?.branch ?? git.branch ?? null,
    commit,
    defaultBranch: event.defaultBranch ?? ci?.defaultBranch ?? git.defaultBranch ?? null,
    baseCommit: event.baseCommit ?? ci?.baseCommit ?? null,
    author: event.author ?? ofCommit.author ?? ci?.author ?? null,
    message: (event.message ?? ci?.message ?? ofCommit.message)?.trim().slice(0, LONGEST_MESSAGE) || null,
    pullRequest: event.pullRequest ?? ci?.pullRequest ?? null,
    ci,
  };
};

interface GitHubEvent {
  readonly pull_request?: {
    readonly number?: number;
    readonly title?: string;
    readonly html_url?: string;
    readonly head?: { readonly sha?: string; readonly ref?: string };
    readonly base?: { readonly sha?: string };
    readonly user?: { readonly login?: string };
  };
  readonly repository?: { readonly default_branch?: string };
  readonly head_commit?: {
    readonly id?: string;
    readonly message?: string;
    readonly author?: { readonly name?: string };
  };
}

/** On a pull request the commit of the environment is a merge that nobody wrote. */
const readGitHubEvent = async (env: Environment): Promise<Told> => {
  const path = env['GITHUB_EVENT_PATH'];
  if (!path) return {};
  try {
    const event = JSON.parse(await readFile(path, 'utf8')) as GitHubEvent;
    const { pull_request: request, head_commit: pushed } = event;
    const defaultBranch = event.repository?.default_branch;
    if (request) {
      return given({
        defaultBranch,
        branch: request.head?.ref,
        commit: request.head?.sha,
        baseCommit: request.base?.sha,
        author: request.user?.login,
        message: request.title,
        pullRequest: { number: request.number ?? null, link: request.html_url ?? null },
      });
    }
    return given({ defaultBranch, commit: pushed?.id, message: pushed?.message, author: pushed?.author?.name });
  } catch {
    return {};
  }
};

const given = (told: { [K in keyof Told]: Told[K] | undefined }): Told =>
  Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));

const readGit = async (folder: string): Promise<Told> => {
  const log = await git(folder, ['log', '-1', '--format=%H%x00%an%x00%B']);
  // Not a repository, or nothing is in it: each further question would be a process without an answer.
  if (log === null) return {};
  const [branch, origin] = await Promise.all([
    git(folder, ['symbolic-ref', '--short', '-q', 'HEAD']),
    git(folder, ['symbolic-ref', '-q', 'refs/remotes/origin/HEAD']),
  ]);
  const [commit = null, author = null, message = null] = log.split('\0');
  const defaultBranch = origin?.trim().replace(/^refs\/remotes\/origin\//, '') || null;
  return { commit, author, message, branch: branch?.trim() || null, defaultBranch };
};

/** Null where the checkout is shallow, or has nothing of the default branch. */
const findMergeBase = async (folder: string, defaultBranch: string): Promise<string | null> =>
  (await git(folder, ['merge-base', 'HEAD', `refs/remotes/origin/${defaultBranch}`]))?.trim() || null;
