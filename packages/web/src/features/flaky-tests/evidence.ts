import type { FlakyTest, RunWindow } from '@assay/contract';
import { countOf } from '../../format/number.ts';

type Counted = Pick<FlakyTest, 'retriedRuns' | 'mixedCommits' | 'aloneRuns'>;
type Kind = keyof FlakyTest['evidence'];

/** Why a test counts as flaky, and what else speaks for it. */
export const whyFlaky = ({ retriedRuns, mixedCommits, aloneRuns }: Counted): { kind: Kind; words: string }[] => {
  const why: { kind: Kind; words: string }[] = [];
  if (retriedRuns > 0) why.push({ kind: 'retried', words: `passed on a retry in ${countOf(retriedRuns, 'run')}` });
  if (mixedCommits > 0) why.push({ kind: 'mixed', words: `passed and failed on ${countOf(mixedCommits, 'commit')}` });
  if (aloneRuns > 0) {
    why.push({ kind: 'alone', words: `failed in ${countOf(aloneRuns, 'run')} between two that passed` });
  }
  return why;
};

/** `run #12`, `run #12, for its shard 3`, `run #12, for one cause`. */
export const outageWords = ({ kind, shard, id }: RunWindow['outages'][number]): string => {
  switch (kind) {
    case 'run':
      return `run #${id}`;
    case 'shard':
      return `run #${id}, for its shard ${shard}`;
    case 'cause':
      return `run #${id}, for one cause`;
  }
};

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
