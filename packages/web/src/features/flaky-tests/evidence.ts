import type { FlakyTest, RunWindow } from '@assay/contract';
import { countOf } from '../../format/number.ts';

/** Why a test counts as flaky. */
export const whyFlaky = ({ retriedRuns, mixedCommits }: Pick<FlakyTest, 'retriedRuns' | 'mixedCommits'>): string =>
  [
    retriedRuns > 0 && `passed on a retry in ${countOf(retriedRuns, 'run')}`,
    mixedCommits > 0 && `passed and failed on ${countOf(mixedCommits, 'commit')}`,
  ]
    .filter((words) => words !== false)
    .join(', ');

/** What was looked at where no flaky test was seen, and what could not be seen. */
export const evidenceOf = (
  { runs, repeatedCommits }: Pick<RunWindow, 'runs' | 'repeatedCommits'>,
  words: string,
): string => {
  if (runs === 0) return `There is nothing to look at: ${words}.`;
  const retries = `In ${countOf(runs, 'run')} (${words}) no test passed on a retry`;
  return repeatedCommits === 0
    ? `${retries}, and no commit ran twice. Without retries or repeated runs of one commit, a flaky test cannot be told from a broken one.`
    : `${retries}, and none both passed and failed on one commit; ${countOf(repeatedCommits, 'commit')} ran more than once.`;
};
