import type { Submission } from '@assay/contract';
import type { Source } from './source.ts';

const LONGEST_TEXT = 4_000;

type Told = Pick<Submission, 'branch' | 'commit' | 'attempt'> & { metadata: Record<string, unknown> };

/** What a submission says of where its run comes from. */
export const describeSource = ({ branch, commit, author, message, pullRequest, ci }: Source): Told => {
  const told: Told = {
    metadata: withoutNulls({
      scm: withoutNulls({ branch, commit, author, message, pullRequest: pullRequest && withoutNulls(pullRequest) }),
      ci: ci && withoutNulls({ provider: ci.provider, job: ci.job, url: ci.link }),
    }),
  };
  if (branch !== null) told.branch = branch.slice(0, LONGEST_TEXT);
  if (commit !== null) told.commit = commit.slice(0, LONGEST_TEXT);
  if (ci !== null && ci.attempt > 1) told.attempt = ci.attempt;
  return told;
};

const withoutNulls = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
