import { type Random, createRandom } from '@assay/testkit';
import { createChanceFinder } from '../../src/statistics/chance-failures.ts';
import { type CostedRun, type FlakeCost, costOfFlakes } from '../../src/statistics/flake-cost.ts';

/** A project whose tests fail by chance, and are broken now and then, with what is true of each failure. */
interface World {
  /** Chance that a try of a flaky test fails. */
  readonly rates: readonly number[];
  readonly retries: number;
  readonly muted: ReadonlySet<number>;
}

interface SimulatedRun {
  readonly commit: string;
  /** By test: tries that failed, of those that failed at all. */
  readonly failed: ReadonlyMap<number, { readonly tries: number; readonly isRed: boolean; readonly isBroken: boolean }>;
}

const STEADY_TESTS = 60;
const BREAKS = 0.06;
const GOES_ON = 0.6;
/** A red run is run again on its commit. */
const REPEATED = 0.3;

const simulate = (random: Random, { rates, retries, muted }: World, runs: number): SimulatedRun[] => {
  const simulated: SimulatedRun[] = [];
  const broken = new Set<number>();
  let commit = 0;
  while (simulated.length < runs) {
    const before = simulated.at(-1);
    const isRed = before && [...before.failed.values()].some(({ isRed: red }) => red);
    if (!isRed || !random.chance(REPEATED)) {
      commit++;
      for (const test of broken) if (!random.chance(GOES_ON)) broken.delete(test);
      if (random.chance(BREAKS)) broken.add(random.integer(0, rates.length + STEADY_TESTS - 1));
    }
    const failed = new Map<number, { tries: number; isRed: boolean; isBroken: boolean }>();
    for (const test of broken) failed.set(test, { tries: retries + 1, isRed: true, isBroken: true });
    for (const [test, rate] of rates.entries()) {
      if (muted.has(test)) failed.delete(test);
      if (muted.has(test) || failed.has(test)) continue;
      let tries = 0;
      while (tries <= retries && random.chance(rate)) tries++;
      if (tries > 0) failed.set(test, { tries, isRed: tries > retries, isBroken: false });
    }
    simulated.push({ commit: String(commit), failed });
  }
  return simulated;
};

const redShareOf = (runs: readonly SimulatedRun[]): number =>
  runs.filter(({ failed }) => [...failed.values()].some(({ isRed }) => isRed)).length / runs.length;

interface Judged {
  readonly cost: FlakeCost;
  /** Of the failures that were called chance, how many were; and how many of those there were are. */
  readonly called: number;
  readonly rightly: number;
  readonly all: number;
}

const judge = (runs: readonly SimulatedRun[], tests: number): Judged => {
  const failures = runs.flatMap(({ failed }, run) =>
    [...failed].flatMap(([test, { isRed, isBroken }]) => (isRed ? { run, test, isBroken } : [])),
  );
  const retried = runs.flatMap(({ failed }) => [...failed].flatMap(([test, { isRed }]) => (isRed ? [] : test)));
  const codeOf = runs.map(({ commit }) => ({ branch: 'main', commit }));
  const finder = createChanceFinder(codeOf, failures, new Set(retried));
  for (const [at, { failed }] of runs.entries()) {
    for (let test = 0; test < tests; test++) {
      if (finder.wants(test)) finder.add(at, test, failed.get(test)?.isRed !== true);
    }
  }
  const byChance = finder.find();
  const chanceOf = new Set(failures.flatMap(({ run, test }, at) => (byChance[at] ? `${run} ${test}` : [])));
  const costed = runs.map(({ failed }, run): CostedRun => {
    const red = [...failed].filter(([, { isRed }]) => isRed).map(([test]) => test);
    const chance = red.filter((test) => chanceOf.has(`${run} ${test}`));
    const tries = [...failed].flatMap(([test, { tries: count, isRed }]) =>
      isRed && !chanceOf.has(`${run} ${test}`) ? [] : { test, failed: count - 1, passed: isRed ? 0 : 1 },
    );
    return { byChance: chance, others: red.filter((test) => !chance.includes(test)), tries };
  });
  const called = failures.filter((_, at) => byChance[at]);
  return {
    cost: costOfFlakes(costed),
    called: called.length,
    rightly: called.filter(({ isBroken }) => !isBroken).length,
    all: failures.filter(({ isBroken }) => !isBroken).length,
  };
};

const MUTED = 3;
const FUTURE_RUNS = 10_000;

/**
 * How often failures that are called chance are, how many of them are found, and how often the share of red runs is within
 * the interval that is told, once the listed tests are really gone or the runner really tries once more.
 */
export const measureCost = (seed: string, projects: number, runs: number) => {
  const random = createRandom(seed);
  const sums = { called: 0, rightly: 0, all: 0, muted: 0, mutedWithin: 0, retried: 0, retriedWithin: 0 };
  for (let project = 0; project < projects; project++) {
    const retries = random.pick([1, 1, 2]);
    // So that a flaky test makes between one of 300 runs red and one of 15.
    const rates = Array.from(
      { length: random.integer(4, 12) },
      () => (0.0033 * 20 ** random.next()) ** (1 / (retries + 1)),
    );
    const world: World = { rates, retries, muted: new Set() };
    const tests = rates.length + STEADY_TESTS;
    const { cost, ...counts } = judge(simulate(random, world, runs), tests);
    sums.called += counts.called;
    sums.rightly += counts.rightly;
    sums.all += counts.all;
    const last = cost.muted.slice(0, MUTED).at(-1)?.red;
    if (last) {
      const muted = new Set(cost.muted.slice(0, MUTED).map(({ test }) => test));
      const share = redShareOf(simulate(random, { ...world, muted }, FUTURE_RUNS));
      sums.muted++;
      if (share >= last.low && share <= last.high) sums.mutedWithin++;
    }
    if (cost.retried) {
      const share = redShareOf(simulate(random, { ...world, retries: retries + 1 }, FUTURE_RUNS));
      sums.retried++;
      if (share >= cost.retried.low && share <= cost.retried.high) sums.retriedWithin++;
    }
  }
  return {
    precision: sums.rightly / sums.called,
    recall: sums.rightly / sums.all,
    muted: sums.mutedWithin / sums.muted,
    retried: sums.retriedWithin / sums.retried,
  };
};
