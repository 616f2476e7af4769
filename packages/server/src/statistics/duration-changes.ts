/**
 * Where the durations of a test changed for good: its runs are cut in two where the ranks of the durations before and
 * after differ most (Mann and Whitney's statistic, as the largest over all places), and the halves again. Ranks do not
 * mind a slow run. A cut counts only if runs that do not change would hardly ever look so, also when slow runs tend to
 * follow slow ones, and if the difference is worth a word. See docs/statistics.md.
 */

export interface Change {
  /** The first duration after the change, most likely. */
  readonly at: number;
  /** The medians before and after, up to the changes next to it; logarithms as given. */
  readonly before: number;
  readonly after: number;
  /** For each place between `from` and it, that the change is there; together 1. */
  readonly places: readonly { readonly at: number; readonly probability: number }[];
}

/** Fewer durations on one side are not yet a change. */
const LEAST = 6;
/** Deviations from what is expected without a change: see the false alarms in docs/statistics.md. */
const THRESHOLD = 7;
/** Smaller differences are not told. */
const LEAST_EFFECT = Math.log(1.15);
const MOST_CORRELATION = 0.9;
/** Of normal distributions: by how much the median of distances is to be multiplied for a standard deviation. */
const MAD_TO_DEVIATION = 1.4826;
/** A test whose durations hardly differ is still no clock. */
const LEAST_DEVIATION = 0.01;

/** Of logarithms of durations in the order of their runs, oldest first. */
export const findChanges = (logs: readonly number[]): Change[] => {
  const cuts = cutsOf(logs, 0, logs.length).sort((a, b) => a - b);
  const told = dropSmall(logs, cuts);
  return told.map((at, nth) => describeChange(logs, told[nth - 1] ?? 0, at, told[nth + 1] ?? logs.length));
};

/** Below this, there is nothing to find whatever is taken off. */
const FAINT = 4;

/** Whether it is worth to look closer, with what slowed all tests down taken off. */
export const mayHaveChanged = (logs: readonly number[]): boolean => (bestCut(logs)?.score ?? 0) >= FAINT;

/** The likeliest change, whether or not slow runs only followed slow ones, and whether the values after it are larger. */
export const strongestCut = (logs: readonly number[]): { at: number; score: number; isRise: boolean } | null => {
  const cut = bestCut(logs);
  if (cut === null || cut.score < THRESHOLD) return null;
  return { ...cut, isRise: medianOf(logs.slice(cut.at)) - medianOf(logs.slice(0, cut.at)) >= LEAST_EFFECT };
};

const cutsOf = (logs: readonly number[], from: number, to: number): number[] => {
  const cut = surestCut(logs.slice(from, to));
  if (cut === null) return [];
  const at = from + cut;
  return [...cutsOf(logs, from, at), at, ...cutsOf(logs, at, to)];
};

/** Durations next to each other that are alike after all belong together; the smallest difference goes first. */
const dropSmall = (logs: readonly number[], cuts: readonly number[]): number[] => {
  const left = [...cuts];
  for (;;) {
    const effects = left.map((at, nth) =>
      Math.abs(medianOf(logs.slice(at, left[nth + 1] ?? logs.length)) - medianOf(logs.slice(left[nth - 1] ?? 0, at))),
    );
    const smallest = effects.reduce((least, effect, nth) => (effect < effects[least]! ? nth : least), 0);
    if (left.length === 0 || effects[smallest]! >= LEAST_EFFECT) return left;
    left.splice(smallest, 1);
  }
};

const surestCut = (logs: readonly number[]): number | null => {
  const best = bestCut(logs);
  if (best === null || best.score < THRESHOLD) return null;
  // Another change before or after it is not to pass for slow runs that follow slow ones.
  const others = [bestCut(logs.slice(0, best.at)), bestCut(logs.slice(best.at))].map((cut) =>
    cut !== null && cut.score >= THRESHOLD ? cut.at : null,
  );
  const cuts = [others[0], best.at, others[1] && best.at + others[1]].filter((at) => typeof at === 'number');
  if (best.score / Math.sqrt(inflationOf(withoutChanges(logs, cuts))) < THRESHOLD) return null;
  const effect =
    medianOf(logs.slice(best.at, cuts[cuts.indexOf(best.at) + 1])) - medianOf(logs.slice(others[0] ?? 0, best.at));
  return Math.abs(effect) >= LEAST_EFFECT ? best.at : null;
};

interface Cut {
  readonly at: number;
  /** In standard deviations of what is expected of independent values. */
  readonly score: number;
}

const bestCut = (logs: readonly number[]): Cut | null => {
  const count = logs.length;
  if (count < 2 * LEAST) return null;
  const ranks = ranksOf(logs);
  const mean = (count + 1) / 2;
  const variance = ranks.reduce((sum, rank) => sum + (rank - mean) ** 2, 0) / count;
  if (variance === 0) return null;
  let best = { at: 0, score: 0 };
  let sum = 0;
  for (let at = 1; at <= count - LEAST; at++) {
    sum += ranks[at - 1]! - mean;
    const score = Math.abs(sum) / Math.sqrt((variance * at * (count - at)) / count);
    if (at >= LEAST && score > best.score) best = { at, score };
  }
  // Ranks that the cut parts wholly differ hardly more than others in so many deviations of all; within both parts they do.
  const unexplained = 1 - best.score ** 2 / count;
  return { at: best.at, score: Math.sqrt(-(count - 2) * Math.log(unexplained)) };
};

/** What is left of durations when the medians between changes are taken away. */
const withoutChanges = (logs: readonly number[], cuts: readonly number[]): number[] =>
  [0, ...cuts].flatMap((from, nth) => {
    const some = logs.slice(from, cuts[nth] ?? logs.length);
    const median = medianOf(some);
    return some.map((log) => log - median);
  });

/** As far as values may depend on those before them, in some ways to look at it. */
const REACHES = [1, 5, 15];
/** Of fewer, correlations are guesses. */
const VALUES_PER_REACH = 8;

/** By how much sums of values vary more because slow runs tend to follow slow ones: the largest of some estimates. */
const inflationOf = (values: readonly number[]): number => {
  const ranks = ranksOf(values);
  const mean = (ranks.length + 1) / 2;
  const squares = ranks.reduce((sum, rank) => sum + (rank - mean) ** 2, 0);
  if (squares === 0) return 1;
  const correlationAt = (lag: number): number => {
    let products = 0;
    for (let at = lag; at < ranks.length; at++) products += (ranks[at]! - mean) * (ranks[at - lag]! - mean);
    // Estimates from few values are too small by about this.
    return (products + squares / ranks.length) / squares;
  };
  const reaches = REACHES.filter((reach) => reach <= ranks.length / VALUES_PER_REACH);
  const correlations = Array.from({ length: reaches.at(-1) ?? 0 }, (_, at) => correlationAt(at + 1));
  const next = Math.min(MOST_CORRELATION, Math.max(0, correlations[0] ?? 0));
  const sums = reaches.map((reach) =>
    correlations
      .slice(0, reach)
      .reduce((sum, correlation, at) => sum + 2 * (1 - (at + 1) / (reach + 1)) * correlation, 1),
  );
  return Math.max((1 + next) / (1 - next), ...sums);
};

/** From 1; equal values have the mean of their ranks. */
const ranksOf = (values: readonly number[]): Float64Array => {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let first = 0; first < order.length;) {
    let end = first + 1;
    while (end < order.length && values[order[end]!] === values[order[first]!]) end++;
    for (let at = first; at < end; at++) ranks[order[at]!] = (first + end + 1) / 2;
    first = end;
  }
  return ranks;
};

/** Of so few tests it cannot be told what all of them did. */
const LEAST_TESTS = 10;

/** All tests slower for fewer runs than these is not yet for good. */
const LEAST_FOR_GOOD = 20;

/**
 * By how much each run was slower than usual for all tests together, and only for a while: as on an evening on which the
 * machine was slow. Where all tests became slower for good, that is left to be found. Given are some tests, each with its
 * durations as logarithms in all runs, NaN where there is none.
 */
export const slowSpells = (tests: readonly Float64Array[]): Float64Array => {
  const runs = tests[0]?.length ?? 0;
  if (tests.length < LEAST_TESTS) return new Float64Array(runs);
  const usual = tests.map((logs) => medianOf(logs.filter(isKnown)));
  const effects = Float64Array.from({ length: runs }, (_, run) => {
    const known = tests.map((logs, test) => logs[run]! - usual[test]!).filter(isKnown);
    return known.length < LEAST_TESTS ? NaN : medianOf(known);
  });
  const known = [...effects.keys()].filter((run) => isKnown(effects[run]!));
  const series = known.map((run) => effects[run]!);
  const cuts = [0, ...findChanges(series).map(({ at }) => at), series.length];
  const spells = new Float64Array(runs);
  let level: number | null = null;
  for (const [nth, from] of cuts.slice(0, -1).entries()) {
    const some = series.slice(from, cuts[nth + 1]);
    if (level === null || some.length >= LEAST_FOR_GOOD) level = medianOf(some);
    for (const [at, effect] of some.entries()) spells[known[from + at]!] = effect - level;
  }
  return spells;
};

const isKnown = (log: number): boolean => !Number.isNaN(log);

const describeChange = (logs: readonly number[], from: number, at: number, to: number): Change => {
  const before = medianOf(logs.slice(from, at));
  const after = medianOf(logs.slice(at, to));
  const left = withoutChanges(logs.slice(from, to), [at - from]);
  const deviation = Math.max(LEAST_DEVIATION, MAD_TO_DEVIATION * medianOf(left.map(Math.abs)));
  const inflation = inflationOf(left);
  // How much likelier each value is after the change than before it, heavy tails allowed for.
  const gains = logs
    .slice(from, to)
    .map((log) => (tailed((log - before) / deviation) - tailed((log - after) / deviation)) / inflation);
  const fits: number[] = [];
  let fit = 0;
  for (const gain of gains) {
    fits.push(fit);
    fit -= gain;
  }
  const best = Math.max(...fits.slice(1));
  const weights = fits.map((one, place) => (place === 0 ? 0 : Math.exp(one - best)));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    at: from + weights.indexOf(1),
    before,
    after,
    places: weights.map((weight, place) => ({ at: from + place, probability: weight / all })),
  };
};

const FREEDOM = 3;

/** Minus the logarithm of Student's density, up to a constant. */
const tailed = (distance: number): number => ((FREEDOM + 1) / 2) * Math.log1p(distance ** 2 / FREEDOM);

const medianOf = (values: ArrayLike<number>): number => {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
