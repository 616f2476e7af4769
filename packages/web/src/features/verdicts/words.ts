import type { FailureVerdict, RunVerdicts, VerdictTerm, VerdictWord } from '@assay/contract';
import { countOf, formatCount, formatShare } from '../../format/number.ts';

/** What stands at a failure. */
export const VERDICT_LABELS: Readonly<Record<VerdictWord, string>> = {
  yours: 'Newly broken',
  base: 'Broken at base',
  flake: 'Flake',
  outage: 'Outage',
  unknown: 'Not clear',
};

const REASON_WORDS: Readonly<Record<keyof FailureVerdict['odds'], string>> = {
  yours: 'this change broke it',
  base: 'it was broken at the base already',
  flake: 'it is a flake',
  outage: 'something around the tests broke',
};

type Reason = keyof typeof REASON_WORDS;
const REASONS = Object.keys(REASON_WORDS) as Reason[];

/** Nothing here is certain. */
const MOST_LIKELY = 0.999;

/** The reasons that are worth a word, the likeliest first. */
export const oddsWords = ({ odds }: FailureVerdict): string =>
  REASONS.filter((reason) => odds[reason] >= 0.01)
    .sort((a, b) => odds[b] - odds[a])
    .map((reason) => `${REASON_WORDS[reason]}: ${formatShare(Math.min(odds[reason], MOST_LIKELY))}`)
    .join('; ');

/** Less is not worth a line. */
const LEAST_BITS = 0.5;
const MOST_FACTOR = 1_000;

/** What a term speaks for or against most; null where that is hardly anything. */
export const effectWords = ({ bits }: Pick<VerdictTerm, 'bits'>): string | null => {
  const [first, second, third, last] = REASONS.toSorted((a, b) => bits[b] - bits[a]);
  const lead = bits[first!] - bits[second!];
  const lag = bits[third!] - bits[last!];
  if (Math.max(lead, lag) < LEAST_BITS) return null;
  const factor = 2 ** Math.max(lead, lag);
  const times = factor > MOST_FACTOR ? `over ${formatCount(MOST_FACTOR)}` : formatCount(Number(factor.toPrecision(2)));
  return lead >= lag ? `for “${SHORT[first!]}”, ${times}×` : `against “${SHORT[last!]}”, ${times}×`;
};

const SHORT: Readonly<Record<Reason, string>> = {
  yours: 'newly broken',
  base: 'broken at base',
  flake: 'flake',
  outage: 'outage',
};

const BASE_WORDS: Readonly<Record<string, (runs: string) => string>> = {
  passed: (runs) => `It passed at the base, in the last ${runs} with it`,
  flaky: (runs) => `It was flaky at the base, in the last ${runs} with it`,
  failed: (runs) => `It failed at the base, in the last ${runs} with it`,
  skipped: () => 'It was skipped at the base',
  notRun: () => 'It did not run at the base',
  new: () => 'The base does not have this test',
  renamed: () => 'It may be a test of the base under another name',
  unknown: () => 'No run of the base is known',
};

const CAUSE_WORDS: Readonly<Record<string, (term: VerdictTerm) => string>> = {
  atBase: () => 'It failed at the base with this error',
  before: ({ count, of }) =>
    `${formatCount(count!)} of its ${countOf(of!, 'failed or flaky result')} before had this error`,
  elsewhere: () => 'Other tests had this error before, this one had not',
  new: () => 'No test had this error at the base',
};

const PLACE_WORDS: Readonly<Record<string, string>> = {
  many: 'Far more failed in this run than usual',
  shard: 'Failures like it, of several files, are on one shard',
  worker: 'Failures like it, of several files, are on one worker',
  time: 'Failures like it, of several files, began in one span of time',
  none: 'Not so much failed that an outage is likely',
};

/** What is known, in a sentence. */
export const termWords = (term: VerdictTerm): string => {
  const { kind, outcome, count, of, rate } = term;
  switch (kind) {
    case 'prior':
      return 'How often tests of this project break, and are flaky';
    case 'base':
      return BASE_WORDS[outcome!]!(countOf(count!, 'run'));
    case 'branch':
      return `It failed in ${formatCount(count!)} of ${countOf(of!, 'earlier run')} of this branch`;
    case 'commit':
      return `It failed in ${formatCount(count!)} of ${countOf(of!, 'other run')} of this commit`;
    case 'rate': {
      const runs = countOf(Math.round(of!), 'run');
      if (count === 0) return `It was not flaky in ${runs}`;
      if (count! < 1) return `In ${runs} it failed once or twice between passes, and was not flaky otherwise`;
      return `It was flaky in ${formatCount(count!)} of ${runs}, an estimated rate of ${formatShare(rate)}`;
    }
    case 'retries':
      return `It failed on ${count === 1 ? 'its retry' : `${formatCount(count!)} retries`} too`;
    case 'cause':
      return CAUSE_WORDS[outcome!]!(term);
    case 'alike':
      return count === 0
        ? 'No other failure of this run has this error'
        : `${countOf(count!, 'other failure')} of this run ${count === 1 ? 'has' : 'have'} this error`;
    case 'elsewhere':
      return `${count === 0 ? 'None' : formatCount(count!)} of ${countOf(of!, 'other branch', 'other branches')} had this error in the six hours before`;
    case 'around':
      return outcome === 'around'
        ? 'The error is of a connection, memory, a disk or a crashed browser'
        : 'The error is not of a connection, memory, a disk or a crashed browser';
    case 'files':
      return count === 0
        ? 'No commit lies between the base and this run'
        : `${countOf(count!, 'commit')} since the base ${outcome === 'touched' ? 'touched' : 'did not touch'} its file`;
    case 'outage':
      return PLACE_WORDS[outcome!]!;
  }
};

const COUNT_WORDS: Readonly<Record<VerdictWord, string>> = {
  yours: 'newly broken by this change',
  base: 'broken at the base already',
  flake: 'of flaky tests',
  outage: 'of an outage',
  unknown: 'not clear',
};

/** `2 newly broken by this change`, `1 not clear`. */
export const countWords = ({ counts }: Pick<RunVerdicts, 'counts'>): { verdict: VerdictWord; words: string }[] =>
  (Object.keys(COUNT_WORDS) as VerdictWord[])
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => ({ verdict, words: `${formatCount(counts[verdict])} ${COUNT_WORDS[verdict]}` }));

/** What a run was compared with, before the link to it; null when there is nothing. */
export const baseWords = ({ baseBy }: Pick<RunVerdicts, 'baseBy'>): string | null => {
  switch (baseBy) {
    case null:
      return null;
    case 'commit':
      return 'Compared with the commit that the branch is based on, in';
    case 'previous':
      return 'Compared with the run before,';
    case 'time':
      return 'The commit that the branch is based on was not run or not named; compared with the latest run of the default branch,';
  }
};
