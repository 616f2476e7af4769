import { type Random, createRandom } from '@assay/testkit';
import { hintOfFlakiness } from '../../src/statistics/change-hints.ts';
import { type Step, SURE, followTest, isSure, likeliest } from '../../src/statistics/first-bad.ts';
import { finish, knownTests } from './flake-truth.ts';

type Kind = 'broken' | 'flaky';

interface History {
  readonly steps: readonly Step[];
  /** The step with which it became so. */
  readonly since: number;
  /** Which of the commits of that step did it. */
  readonly commit: number;
}

interface Behaviour {
  /** How often it does not pass at once. */
  readonly rate: number;
  /** How often it then passes when it is tried again. */
  readonly retried: number;
}

const drawStep = (random: Random, { rate, retried }: Behaviour): Step => {
  const step = { passed: 0, flaky: 0, failed: 0, commits: random.chance(0.6) ? 1 : random.integer(2, 12) };
  const runs = random.chance(0.85) ? 1 : random.integer(2, 4);
  for (let run = 0; run < runs; run++) {
    if (!random.chance(rate)) step.passed++;
    else if (random.chance(retried)) step.flaky++;
    else step.failed++;
  }
  return step;
};

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/**
 * A test that is fine or a little flaky, was broken and mended before now and then, and at one commit becomes broken, or
 * flaky, and stays so.
 */
const plantHistory = (random: Random, kind: Kind): History => {
  const retried = random.pick([0, 0.5, 0.9]);
  const before = kind === 'broken' && random.chance(0.3) ? random.pick([0.02, 0.05, 0.15]) : 0;
  const steps: Step[] = [];
  if (random.chance(0.3)) {
    steps.push(...times(random.integer(2, 60), () => drawStep(random, { rate: before, retried })));
    steps.push(...times(random.integer(1, 12), () => drawStep(random, { rate: 1, retried: 0 })));
  }
  steps.push(...times(random.integer(10, 120), () => drawStep(random, { rate: before, retried })));
  const since = steps.length;
  const after: Behaviour =
    kind === 'broken'
      ? { rate: random.chance(0.8) ? 1 : 0.95, retried: 0 }
      : { rate: random.pick([0.05, 0.1, 0.2, 0.4]), retried };
  steps.push(...times(random.integer(1, kind === 'broken' ? 20 : 80), () => drawStep(random, after)));
  return { steps, since, commit: random.integer(0, steps[since]!.commits - 1) };
};

export interface SinceFigures {
  readonly histories: number;
  /** The share of them of which it is said that the test is so now. */
  readonly told: number;
  /** The share of these in which the commit that did it is one of the set that is told. */
  readonly within: number;
  /** The median size of that set, in commits. */
  readonly size: number;
  /** The share of those that are told to have become so, and not from the start, that a hint leads to. */
  readonly hinted: number;
}

export const measureSince = (seed: string, kind: Kind, histories: number): SinceFigures => {
  const sizes: number[] = [];
  let [within, begun, hinted] = [0, 0, 0];
  for (let nth = 0; nth < histories; nth++) {
    const { steps, since, commit } = plantHistory(createRandom(`${seed} ${kind} ${nth}`), kind);
    const course = finish(followTest(steps));
    if (!isSure(steps, course, kind)) continue;
    const found = course[kind];
    const commits = steps.flatMap((step, at) =>
      times(step.commits, () => ({ at, chance: found.at[at]! / step.commits })),
    );
    const chosen = likeliest([...commits.map(({ chance }) => chance), found.fromStart], SURE);
    const first = steps.slice(0, since).reduce((sum, step) => sum + step.commits, 0);
    sizes.push(chosen.length);
    if (found.fromStart <= 1 - SURE) {
      begun++;
      if (hintOfFlakiness(steps.flatMap(outcomesOf), () => true)) hinted++;
    }
    if (chosen.includes(first + commit)) within++;
  }
  sizes.sort((a, b) => a - b);
  return {
    histories,
    told: sizes.length / histories,
    within: within / sizes.length,
    size: sizes[Math.floor(sizes.length / 2)]!,
    hinted: hinted / begun,
  };
};

/** Whether each was not good. */
const outcomesOf = ({ passed, flaky, failed }: Step): boolean[] => [
  ...times(passed, () => false),
  ...times(flaky + failed, () => true),
];

const RUNS_BEFORE = 100;
const RUNS_A_MONTH = 300;

export interface FalseAlarms {
  readonly tests: number;
  /** Tests of which it was told at least once in a month that they broke, or became flaky, though nothing changed. */
  readonly broken: number;
  readonly flaky: number;
}

/**
 * Tests whose rates are known and do not change, each followed for a month of runs after the first 100. Tests that never
 * fail give nothing to tell.
 */
export const measureFalseAlarms = (seed: string, every = 1): FalseAlarms => {
  const tests = knownTests.filter((_, nth) => nth % every === 0);
  let [broken, flaky] = [0, 0];
  for (const [nth, { rate }] of tests.entries()) {
    if (rate === 0) continue;
    const random = createRandom(`${seed} ${nth}`);
    const behaviour = { rate, retried: random.pick([0, 0.9]) };
    const steps = times(RUNS_BEFORE + RUNS_A_MONTH, () => drawStep(random, behaviour));
    let [isBroken, isFlaky] = [false, false];
    for (let run = RUNS_BEFORE; run < steps.length; run++) {
      // What is told becomes surer only with results that are not good.
      if (steps[run]!.failed + steps[run]!.flaky === 0) continue;
      const known = steps.slice(Math.max(0, run - RUNS_A_MONTH), run + 1);
      const course = finish(followTest(known));
      isBroken ||= isSure(known, course, 'broken') && course.broken.fromStart <= 1 - SURE;
      isFlaky ||= isSure(known, course, 'flaky') && course.flaky.fromStart <= 1 - SURE;
      if (isBroken && isFlaky) break;
    }
    if (isBroken) broken++;
    if (isFlaky) flaky++;
  }
  return { tests: tests.length, broken, flaky };
};
