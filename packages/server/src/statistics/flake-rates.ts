/**
 * How often tests are flaky, estimated for all tests of a project together: most never are, and how the rates of the
 * others are spread is learnt from the project itself, so that one flaky result of three runs is not taken for a rate of
 * a third. Each estimate is a distribution over a grid of rates. See docs/statistics.md.
 */

const logOddsOf = (rate: number): number => Math.log(rate / (1 - rate));
const rateOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

const LEAST_LOG_ODDS = logOddsOf(0.0001);
const MOST_LOG_ODDS = logOddsOf(0.9999);
const STEPS = 110;
const STEP = (MOST_LOG_ODDS - LEAST_LOG_ODDS) / STEPS;

/** The rates that a test may have: never, and from once in 10,000 runs to nearly always, evenly by the logarithm of odds. */
const RATES: readonly number[] = [
  0,
  ...Array.from({ length: STEPS + 1 }, (_, at) => rateOf(LEAST_LOG_ODDS + at * STEP)),
];

/** A share for each of the rates; together 1. */
export type Spread = Float64Array;

/** Tests that ran and were flaky equally often. */
export interface Tally {
  readonly runs: number;
  readonly flaky: number;
  readonly tests: number;
}

/**
 * What is thought before anything is known of a project, as so many tests that never were flaky and so many that were,
 * the rates of these equally likely by ratio: as many between 0.1 and 1 % as between 1 and 10 %.
 */
const NEVER_AT_FIRST = 1;
const SOMETIMES_AT_FIRST = 3;
export const KNOWN_AT_FIRST = withoutKnowledge();
const ROUNDS = 300;
const LEAST_GAIN = 1e-9;
const TALLIES_PER_STEP = 100;

/**
 * The spread of rates under which what the tests did is most likely, by expectation and maximisation (Kiefer and
 * Wolfowitz), drawn towards the first one where there are few tests. Yields between its rounds, for it may take a while.
 */
export function* fitSpread(
  tallies: readonly Tally[],
  knownAtFirst: Float64Array = KNOWN_AT_FIRST,
): Generator<undefined, Spread> {
  const likelihoods: Float64Array[] = [];
  for (const { runs, flaky } of tallies) {
    likelihoods.push(likelihoodsOf(runs, flaky));
    if (likelihoods.length % TALLIES_PER_STEP === 0) yield;
  }
  const tests = tallies.reduce((sum, tally) => sum + tally.tests, 0);
  let spread = normalised(knownAtFirst);
  let before = -Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const next = knownAtFirst.slice();
    let fit = 0;
    for (const [index, likelihood] of likelihoods.entries()) {
      const count = tallies[index]!.tests;
      let sum = 0;
      for (let at = 0; at < spread.length; at++) sum += spread[at]! * likelihood[at]!;
      for (let at = 0; at < spread.length; at++) next[at]! += (count * spread[at]! * likelihood[at]!) / sum;
      fit += count * Math.log(sum);
    }
    spread = normalised(next);
    if (fit - before < LEAST_GAIN * tests) break;
    before = fit;
    yield;
  }
  return spread;
}

/** What a test that was flaky in so many runs says about its rate. */
export const estimate = (prior: Spread, runs: number, flaky: number): Spread => {
  const likelihood = likelihoodsOf(runs, flaky);
  return normalised(prior.map((share, at) => share * likelihood[at]!));
};

/** Whether a test was flaky in each of its runs, the oldest first. */
export type Course = readonly boolean[];

/**
 * The same, where the rate may have become another one after each run, with some chance: so recent runs weigh more, and
 * what was flaky long ago is told from what still is. `seen` is told how likely what was seen so far is, as a logarithm.
 */
export const follow = (
  prior: Spread,
  course: Iterable<boolean>,
  changing: number,
  seen?: (logLikelihood: number) => void,
): Spread => {
  const spread = prior.slice();
  let logLikelihood = 0;
  for (const wasFlaky of course) {
    let sum = 0;
    for (let at = 0; at < spread.length; at++) {
      const rate = RATES[at]!;
      const before = (1 - changing) * spread[at]! + changing * prior[at]!;
      spread[at] = before * (wasFlaky ? rate : 1 - rate);
      sum += spread[at]!;
    }
    for (let at = 0; at < spread.length; at++) spread[at]! /= sum;
    logLikelihood += Math.log(sum);
    seen?.(logLikelihood);
  }
  return spread;
};

/** How often rates change, per run. */
const CHANGES = [1 / 1000, 1 / 200, 1 / 50];
/** By how much, as a logarithm, changing rates have to be the better account before they are believed in. */
const DOUBT = 3;

/**
 * How often rates change in a project: not at all, unless what its tests did speaks clearly for it. `quiet` is how many
 * tests, for each number of runs, were never flaky. Yields between tests.
 */
export function* findChanging(
  prior: Spread,
  courses: readonly Course[],
  quiet: ReadonlyMap<number, number>,
): Generator<undefined, number> {
  let best = { changing: 0, evidence: (yield* evidenceFor(0)) + DOUBT };
  for (const changing of CHANGES) {
    const evidence = yield* evidenceFor(changing);
    if (evidence > best.evidence) best = { changing, evidence };
  }
  return best.changing;

  function* evidenceFor(changing: number): Generator<undefined, number> {
    let evidence = 0;
    for (const course of courses) {
      let ofCourse = 0;
      follow(prior, course, changing, (logLikelihood) => (ofCourse = logLikelihood));
      evidence += ofCourse;
      yield;
    }
    const longest = Math.max(0, ...quiet.keys());
    let runs = 0;
    follow(
      prior,
      Array.from({ length: longest }, () => false),
      changing,
      (logLikelihood) => {
        evidence += logLikelihood * (quiet.get(++runs) ?? 0);
      },
    );
    return evidence;
  }
}

export const meanOf = (spread: Spread): number => spread.reduce((sum, share, at) => sum + share * RATES[at]!, 0);

/** How often a test is flaky again that was so once more than it is known to have been. */
export const repeatOf = (spread: Spread): number => {
  const squares = spread.reduce((sum, share, at) => sum + share * RATES[at]! ** 2, 0);
  return squares / meanOf(spread);
};

export interface RateEstimate {
  /** Fractions of 1: the mean, and where it lies with 95 % certainty. */
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  /** That the rate is above 1 %. */
  readonly probability: number;
}

/** Rarer than this, nobody meets it. */
const NOTICEABLE = 0.01;

export const describe = (spread: Spread): RateEstimate => ({
  rate: meanOf(spread),
  low: quantileOf(spread, 0.025),
  high: quantileOf(spread, 0.975),
  probability: 1 - shareBelow(spread, NOTICEABLE),
});

function withoutKnowledge(): Float64Array {
  const weights = RATES.map((rate, at) => (at === 0 ? 0 : 1 - rate));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return Float64Array.from(weights, (weight, at) => (at === 0 ? NEVER_AT_FIRST : (SOMETIMES_AT_FIRST * weight) / all));
}

/** Each rate stands for those up to half way to its neighbours: as logarithms of odds, these. */
const cellOf = (at: number) => {
  const middle = LEAST_LOG_ODDS + (at - 1) * STEP;
  return { from: middle - STEP / 2, to: middle + STEP / 2 };
};

const quantileOf = (spread: Spread, share: number): number => {
  let below = 0;
  for (const [at, within] of spread.entries()) {
    if (below + within >= share && within > 0) {
      const { from } = cellOf(at);
      return at === 0 ? 0 : rateOf(from + STEP * ((share - below) / within));
    }
    below += within;
  }
  return 1;
};

const shareBelow = (spread: Spread, rate: number): number => {
  const logOdds = logOddsOf(rate);
  return spread.reduce((sum, share, at) => {
    if (at === 0) return sum + share;
    const { from, to } = cellOf(at);
    if (to <= logOdds) return sum + share;
    return from >= logOdds ? sum : sum + (share * (logOdds - from)) / STEP;
  }, 0);
};

/** Up to a factor, which the largest of them makes 1. */
const likelihoodsOf = (runs: number, flaky: number): Float64Array => {
  const logs = Float64Array.from(RATES, (rate) => {
    if (rate === 0) return flaky === 0 ? 0 : -Infinity;
    return flaky * Math.log(rate) + (runs - flaky) * Math.log1p(-rate);
  });
  const largest = logs.reduce((most, log) => Math.max(most, log), -Infinity);
  return logs.map((log) => Math.exp(log - largest));
};

const normalised = (weights: Spread): Spread => {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
};
