/**
 * What tells, for little, whether it is worth to ask since when a test is flaky or slower. Of thousands of tests most have
 * not changed, and following each of them takes some milliseconds.
 */

import { strongestCut } from './duration-changes.ts';

export interface Hint {
  /** The first result after the change, most likely. */
  readonly at: number;
  /** The larger, the clearer; of one kind of hint only. */
  readonly score: number;
}

/** By how much, as a logarithm, two rates have to be the better account than one. Below, no model of steps tells a change. */
const LEAST_GAIN = 4;
const LEAST_BAD = 3;

/** Where results, oldest first, were not good more often from some place on that counts. */
export const hintOfFlakiness = (isBad: readonly boolean[], counts: (at: number) => boolean): Hint | null =>
  latestRise(isBad, strongestStep, counts);

/** Where durations, as logarithms and oldest first, rose from some place on that counts. */
export const hintOfSlowness = (logs: readonly number[], counts: (at: number) => boolean): Hint | null =>
  latestRise(logs, strongestCut, counts);

interface Cut extends Hint {
  readonly isRise: boolean;
}

/** The strongest change, or that of what comes after it, until one counts: an earlier change may hide a later one. */
const latestRise = <T>(
  series: readonly T[],
  strongest: (series: readonly T[]) => Cut | null,
  counts: (at: number) => boolean,
): Hint | null => {
  for (let from = 0; ;) {
    const cut = strongest(series.slice(from));
    if (cut === null) return null;
    const at = from + cut.at;
    if (cut.isRise && counts(at)) return { at, score: cut.score };
    from = at;
  }
};

const strongestStep = (isBad: readonly boolean[]): Cut | null => {
  const all = isBad.filter(Boolean).length;
  if (all < LEAST_BAD) return null;
  const one = fitOf(all, isBad.length);
  let best: Cut = { at: 0, score: 0, isRise: false };
  let before = 0;
  for (let at = 1; at < isBad.length; at++) {
    if (isBad[at - 1]) before++;
    const after = all - before;
    const score = fitOf(before, at) + fitOf(after, isBad.length - at) - one;
    if (score > best.score) best = { at, score, isRise: after * at > before * (isBad.length - at) };
  }
  return best.score >= LEAST_GAIN ? best : null;
};

/** How well the best rate accounts for so many of them. */
const fitOf = (bad: number, of: number): number =>
  (bad > 0 ? bad * Math.log(bad / of) : 0) + (bad < of ? (of - bad) * Math.log(1 - bad / of) : 0);
