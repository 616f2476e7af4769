import type { Tried } from './bisect-checkout.ts';
import { type Range, type Tries, likeliestCommits, mostInformative, weigh } from './bisect-posterior.ts';

const CERTAINTY = 0.95;
/** From here on a single commit is told without more runs. */
const ENOUGH = 0.98;
/** How often it may take to see a command pass at the good commit and fail at the bad one. */
const TRIES_AT_ENDS = 3;

export interface Search {
  readonly range: Omit<Range, 'atGood'>;
  readonly mostRuns: number;
  /** Runs the command at one of the commits, or at the good one. */
  readonly tryAt: (commit: number | 'good') => Promise<Tried>;
  /** Told after each try between the two ends. */
  readonly onTried?: (commit: number, tried: Tried, runs: number, left: number) => void;
}

export type Found =
  | {
      readonly kind: 'found';
      readonly chances: readonly number[];
      readonly likely: readonly number[];
      readonly runs: number;
    }
  /** The command does not fail at the bad commit, or does not pass at the good one. */
  | { readonly kind: 'never failed' }
  | { readonly kind: 'never passed' };

/** Tries the command where that is expected to tell most, until one commit is likely enough. */
export const searchFirstBad = async ({ range: given, mostRuns, tryAt, onTried }: Search): Promise<Found> => {
  let runs = 0;
  const tryOnce = (commit: number | 'good'): Promise<Tried> => {
    runs++;
    return tryAt(commit);
  };
  const last = given.commits.length - 1;
  const atBad = await tryUntil('failed', () => tryOnce(last));
  if (atBad.failed === 0) return { kind: 'never failed' };
  const atGood = await tryUntil('passed', () => tryOnce('good'));
  if (atGood.passed === 0) return { kind: 'never passed' };
  const range = { ...given, atGood };
  const tries = new Map<number, Tries>([[last, atBad]]);
  const skipped = new Set<number>();
  for (;;) {
    const posterior = weigh(range, tries);
    const { chances } = posterior;
    const likely = likeliestCommits(chances, CERTAINTY);
    const next = mostInformative(range, posterior, (commit) => !skipped.has(commit));
    if (chances[likely[0]!]! >= ENOUGH || runs >= mostRuns || next === null) {
      return { kind: 'found', chances, likely, runs };
    }
    const tried = await tryOnce(next);
    if (tried === 'skipped') skipped.add(next);
    else tries.set(next, add(tries.get(next) ?? { passed: 0, failed: 0 }, tried));
    onTried?.(next, tried, runs, likeliestCommits(weigh(range, tries).chances, CERTAINTY).length);
  }
};

const add = ({ passed, failed }: Tries, tried: 'passed' | 'failed'): Tries =>
  tried === 'passed' ? { passed: passed + 1, failed } : { passed, failed: failed + 1 };

const tryUntil = async (wanted: 'passed' | 'failed', tryOnce: () => Promise<Tried>): Promise<Tries> => {
  let tries: Tries = { passed: 0, failed: 0 };
  for (let nth = 0; nth < TRIES_AT_ENDS && tries[wanted] === 0; nth++) {
    const tried = await tryOnce();
    if (tried !== 'skipped') tries = add(tries, tried);
  }
  return tries;
};
