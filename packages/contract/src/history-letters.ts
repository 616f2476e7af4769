import { isFlaky, outcomeOf } from './outcome.ts';

/** What happened to a test in one run, as one letter of its history. */
export const HISTORY_LETTERS = {
  passed: 'P',
  failed: 'F',
  flaky: 'K',
  skipped: 'S',
  other: 'O',
  notRun: '-',
} as const;
export type HistoryLetter = (typeof HISTORY_LETTERS)[keyof typeof HISTORY_LETTERS];

export const historyLetter = (status: string, retries: number): HistoryLetter =>
  HISTORY_LETTERS[isFlaky(status, retries) ? 'flaky' : outcomeOf(status)];

/** From the lightest to the heaviest. Of several results that a test has in one run, the heaviest counts. */
export const LETTERS_BY_WEIGHT = '-SOPKF';

export const heaviestLetter = (letters: Iterable<HistoryLetter>): HistoryLetter => {
  let weight = 0;
  for (const letter of letters) weight = Math.max(weight, LETTERS_BY_WEIGHT.indexOf(letter));
  return LETTERS_BY_WEIGHT[weight] as HistoryLetter;
};
