import type { Submission } from '@assay/contract';
import { MAX_TEXT_LENGTH } from '@assay/contract/limits';
import type { Source } from './source.ts';

type Told = Pick<Submission, 'branch' | 'commit' | 'defaultBranch' | 'attempt'> & { metadata: Record<string, unknown> };

/** What a submission says of where its run comes from. */
export const describeSource = (source: Source): Told => {
  const { branch, commit, defaultBranch, baseCommit, author, message, pullRequest, ci } = source;
  const told: Told = {
    metadata: withoutNulls({
      scm: withoutNulls({
        branch,
        commit,
        baseCommit: baseCommit?.slice(0, MAX_TEXT_LENGTH),
        author,
        message,
        pullRequest: pullRequest && withoutNulls(pullRequest),
      }),
      ci: ci && withoutNulls({ provider: ci.provider, job: ci.job, url: ci.link }),
    }),
  };
  if (branch !== null) told.branch = branch.slice(0, MAX_TEXT_LENGTH);
  if (commit !== null) told.commit = commit.slice(0, MAX_TEXT_LENGTH);
  if (defaultBranch !== null) told.defaultBranch = defaultBranch.slice(0, MAX_TEXT_LENGTH);
  if (ci !== null && ci.attempt > 1) told.attempt = ci.attempt;
  return told;
};

const withoutNulls = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
