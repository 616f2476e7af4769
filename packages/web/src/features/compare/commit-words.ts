import { type CommitsBetween, MOST_COMMITS_BETWEEN } from '@assay/contract';
import { countOf, formatCount } from '../../format/number.ts';
import { shortCommit } from '../revision/short-commit.ts';

/** Commits that only one of two runs has, or why that is not known. */
export const aboutCommits = (here: CommitsBetween, there: CommitsBetween): string => {
  if (!here.complete || !there.complete) return whyUnknown(here.complete ? there : here);
  const [only, others] = [here.commits.length, there.commits.length];
  if (only === 0 && others === 0) return 'Both runs have the same commits.';
  if (others === 0) return `This run has ${countOf(only, 'commit')} that the other one does not have.`;
  if (only === 0) return `The other run has ${countOf(others, 'commit')} that this one does not have.`;
  return `${countOf(only, 'commit')} only in this run, ${countOf(others, 'commit')} only in the other one.`;
};

const whyUnknown = ({ commits, endsAt, shallow }: CommitsBetween): string => {
  if (commits.length >= MOST_COMMITS_BETWEEN) {
    return `More than ${formatCount(MOST_COMMITS_BETWEEN)} commits lie between the runs.`;
  }
  const unknown = 'Which commits only one of the runs has is not known';
  if (endsAt === null) return `${unknown}: nobody told them. The reporters do, from a checkout with git.`;
  const end = `the history that was told ends at ${shortCommit(endsAt)}`;
  return shallow
    ? `${unknown} in full: ${end}, where the clone was shallow. A deeper clone in CI tells more.`
    : `${unknown} in full: ${end}.`;
};
