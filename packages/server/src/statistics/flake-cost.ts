import { NORMAL_QUANTILE as Z, wilsonInterval } from '@assay/contract';

/** A run: the tests that failed by chance, the others that failed, and which tests were tried again. */
export interface CostedRun {
  readonly byChance: readonly number[];
  readonly others: readonly number[];
  readonly tries: readonly Tries[];
}

/** Tries of a test after one that had failed by chance. */
export interface Tries {
  readonly test: number;
  readonly failed: number;
  readonly passed: number;
}

/** A share of runs, with where it lies with 95 % certainty. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

export interface MutedTest {
  readonly test: number;
  /** Runs that were red by chance alone in which it failed. */
  readonly redRuns: number;
  /** Runs that would have been green without it and those before it in the list. */
  readonly freedRuns: number;
  /** Of runs that would be red without them from now on; null when there are too few runs to tell. */
  readonly red: Share | null;
}

export interface FlakeCost {
  readonly redRuns: number;
  /** Runs that were red by chance alone. */
  readonly redByChance: number;
  readonly muted: readonly MutedTest[];
  /** Of runs that would be red with one more retry; null when nothing was ever tried again, or runs are too few. */
  readonly retried: Share | null;
}

const MOST_MUTED = 10;
/** Fewer runs say nothing of those to come. */
const LEAST_RUNS = 30;
/** What is broken stays so for some runs: that many are taken together. */
const BLOCK_RUNS = 10;
/** Runs that differ in more than chance, such as in how often they are repeated, make a forecast less certain. */
const WIDER = 1.2;
/** As how many tries it counts what all tests together say of one of them. */
const PRIOR_TRIES = 4;

/** What failures by chance cost in some runs, the oldest first, and what would change it. */
export const costOfFlakes = (runs: readonly CostedRun[]): FlakeCost => {
  const isRed = ({ byChance, others }: CostedRun): boolean => byChance.length + others.length > 0;
  const redByChance = runs.filter((run) => isRed(run) && run.others.length === 0);
  const chosen = chooseMuted(redByChance);
  const tell = (estimate: () => number[]): Share | null => (runs.length < LEAST_RUNS ? null : shareOf(estimate()));
  return {
    redRuns: runs.filter(isRed).length,
    redByChance: redByChance.length,
    muted: chosen.map((muted, at) => ({ ...muted, red: tell(() => redWithoutMost(runs, at + 1)) })),
    retried: runs.some(({ tries }) => tries.length > 0) ? tell(() => redWithRetry(runs)) : null,
  };
};

/** Tests one by one, each the one that makes most further runs green with those before it. */
const chooseMuted = (runs: readonly CostedRun[], most = MOST_MUTED): Omit<MutedTest, 'red'>[] => {
  const redRuns = new Map<number, number>();
  let open = runs.map(({ byChance }) => new Set(byChance));
  for (const tests of open) for (const test of tests) redRuns.set(test, (redRuns.get(test) ?? 0) + 1);
  const chosen: Omit<MutedTest, 'red'>[] = [];
  while (chosen.length < most && open.length > 0) {
    const frees = new Map<number, number>();
    const touches = new Map<number, number>();
    for (const tests of open) {
      for (const test of tests) touches.set(test, (touches.get(test) ?? 0) + 1);
      if (tests.size === 1) for (const test of tests) frees.set(test, (frees.get(test) ?? 0) + 1);
    }
    const [best] = [...touches].sort(
      ([a, some], [b, others]) => (frees.get(b) ?? 0) - (frees.get(a) ?? 0) || others - some || a - b,
    );
    const [test] = best!;
    for (const tests of open) tests.delete(test);
    open = open.filter((tests) => tests.size > 0);
    chosen.push({ test, redRuns: redRuns.get(test)!, freedRuns: runs.length - open.length });
  }
  return chosen;
};

/**
 * For each run, whether it would be red without the so many tests that make most runs red. Who looks at the runs by which
 * they were chosen finds them worse than they are, so each half of the runs says what would become of the other half.
 */
const redWithoutMost = (runs: readonly CostedRun[], count: number): number[] => {
  const halfOf = (at: number): number => Math.floor(at / BLOCK_RUNS) % 2;
  const muted = [0, 1].map((half) => {
    const others = runs.filter((run, at) => halfOf(at) !== half && run.others.length === 0 && run.byChance.length > 0);
    return new Set(chooseMuted(others, count).map(({ test }) => test));
  });
  // A test that is gone does not fail for good reasons either.
  return runs.map(({ byChance, others }, at) =>
    [...byChance, ...others].some((test) => !muted[halfOf(at)]!.has(test)) ? 1 : 0,
  );
};

/** For each run, how likely it would be red if tests were tried once more, and tries did not depend on each other. */
const redWithRetry = (runs: readonly CostedRun[]): number[] => {
  const tries = new Map<number, { failed: number; all: number }>();
  const sum = { failed: 0, all: 0 };
  for (const { test, failed, passed } of runs.flatMap((run) => run.tries)) {
    const known = tries.get(test) ?? { failed: 0, all: 0 };
    tries.set(test, known);
    for (const count of [known, sum]) {
      count.failed += failed;
      count.all += failed + passed;
    }
  }
  const usual = sum.failed / Math.max(1, sum.all);
  const failsAgain = (test: number): number => {
    const { failed, all } = tries.get(test) ?? { failed: 0, all: 0 };
    return (failed + PRIOR_TRIES * usual) / (all + PRIOR_TRIES);
  };
  return runs.map(({ byChance, others }) =>
    others.length > 0 ? 1 : 1 - byChance.reduce((green, test) => green * (1 - failsAgain(test)), 1),
  );
};

/** The mean over the runs, with what it may be by as much as blocks of runs differ. */
const shareOf = (red: readonly number[]): Share => {
  const { length: runs } = red;
  const share = red.reduce((sum, one) => sum + one, 0) / runs;
  const blocks = Array.from({ length: Math.ceil(runs / BLOCK_RUNS) }, (_, at) =>
    red.slice(at * BLOCK_RUNS, (at + 1) * BLOCK_RUNS).reduce((sum, one) => sum + one - share, 0),
  );
  const degrees = blocks.length - 1;
  const variance = ((blocks.length / degrees) * blocks.reduce((sum, one) => sum + one * one, 0)) / (runs * runs);
  // As many runs that do not depend on each other would say as much.
  const independent = variance === 0 ? runs : Math.min(runs, (share * (1 - share)) / variance);
  // Of few blocks it is less certain how much they differ: the quantile of Student's distribution, nearly.
  const quantile = WIDER * Z * (1 + (Z * Z + 1) / (4 * degrees));
  return { share, ...wilsonInterval(share, independent, quantile) };
};
