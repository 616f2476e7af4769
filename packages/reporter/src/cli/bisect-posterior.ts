import { RATE_LEVELS, type RateKind } from '@assay/contract/rate-levels';

/** How often the command failed and did not, at one commit. */
export interface Tries {
  readonly passed: number;
  readonly failed: number;
}

export interface Range {
  /** That may have made the command fail. */
  readonly commits: readonly string[];
  /** Whether a commit has another behind it, or is it; by their places in `commits`. */
  readonly contains: (commit: number, other: number) => boolean;
  /** What is thought of each commit before anything was tried. */
  readonly prior: readonly number[];
  /** At the commit before all of them. */
  readonly atGood: Tries;
}

interface Rates {
  readonly rate: number;
  readonly share: number;
}

/**
 * Which rates a command may have. Rates in between are given more room than they have in life: a command that never fails
 * by chance takes some runs more, and one that does is not misleading.
 */
const ratesOf = (kinds: Readonly<Partial<Record<RateKind, number>>>): Rates[] =>
  RATE_LEVELS.flatMap(({ kind, rate, share }) => (kinds[kind] ? [{ rate, share: share * kinds[kind] }] : []));

const BEFORE = ratesOf({ fine: 0.1, flaky: 0.9 });
const AFTER = ratesOf({ flaky: 0.8, broken: 0.2 });

export interface Posterior {
  /** That each commit is the first bad one. */
  readonly chances: readonly number[];
  /** For each commit, what is expected of the command without and with it, if it is the first bad one. */
  readonly expected: readonly { readonly before: number; readonly after: number }[];
}

/** `tries` are by the places of commits. */
export const weigh = (range: Range, tries: ReadonlyMap<number, Tries>): Posterior => {
  const fits = range.commits.map((_, first) => {
    const before = { ...range.atGood };
    const after = { passed: 0, failed: 0 };
    for (const [commit, { passed, failed }] of tries) {
      const side = range.contains(commit, first) ? after : before;
      side.passed += passed;
      side.failed += failed;
    }
    return fitOf(before, after);
  });
  const logs = fits.map(({ log }, at) => log + Math.log(range.prior[at]!));
  const best = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - best));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return { chances: weights.map((weight) => weight / all), expected: fits };
};

/** Over all rates before and after of which the latter is the higher. */
const fitOf = (before: Tries, after: Tries) => {
  let [sum, rateBefore, rateAfter] = [0, 0, 0];
  for (const one of BEFORE) {
    for (const other of AFTER) {
      if (other.rate <= one.rate) continue;
      const weight = one.share * other.share * likelihood(before, one.rate) * likelihood(after, other.rate);
      sum += weight;
      rateBefore += weight * one.rate;
      rateAfter += weight * other.rate;
    }
  }
  return { log: Math.log(sum), before: rateBefore / sum, after: rateAfter / sum };
};

const likelihood = ({ passed, failed }: Tries, rate: number): number => rate ** failed * (1 - rate) ** passed;

/** The commit at which the next try is expected to tell most; null when no other may be tried. */
export const mostInformative = (
  range: Range,
  { chances, expected }: Posterior,
  mayTry: (commit: number) => boolean,
): number | null => {
  let best: { commit: number; gain: number } | null = null;
  for (let commit = 0; commit < chances.length; commit++) {
    if (!mayTry(commit)) continue;
    let [fails, known] = [0, 0];
    for (let first = 0; first < chances.length; first++) {
      const rate = range.contains(commit, first) ? expected[first]!.after : expected[first]!.before;
      fails += chances[first]! * rate;
      known += chances[first]! * entropy(rate);
    }
    const gain = entropy(fails) - known;
    if (best === null || gain > best.gain) best = { commit, gain };
  }
  return best?.commit ?? null;
};

const entropy = (chance: number): number =>
  chance <= 0 || chance >= 1 ? 0 : -chance * Math.log2(chance) - (1 - chance) * Math.log2(1 - chance);

/** The fewest commits that hold the first bad one with this certainty, the likeliest first. */
export const likeliestCommits = (chances: readonly number[], certainty: number): number[] => {
  const order = [...chances.keys()].sort((a, b) => chances[b]! - chances[a]! || a - b);
  let sum = 0;
  const count = order.findIndex((at) => (sum += chances[at]!) >= certainty) + 1;
  return order.slice(0, count === 0 ? order.length : count);
};
