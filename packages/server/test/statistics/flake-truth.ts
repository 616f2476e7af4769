import { readFileSync } from 'node:fs';
import { createRandom } from '@assay/testkit';
import {
  KNOWN_AT_FIRST,
  type RateEstimate,
  describe,
  estimate,
  findChanging,
  fitSpread,
  follow,
} from '../../src/statistics/flake-rates.ts';
import { chanceAbove, fitMixture } from './plain-mixture.ts';

export interface KnownTest {
  readonly project: string;
  readonly rate: number;
}

/** Tests whose rates are known, as each ran 10,000 times; those that never passed are broken and not flaky. */
export const knownTests: readonly KnownTest[] = readFileSync(
  new URL('../../../testkit/truth/flaky-rates.csv', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
  .map(([project, , failed, passed]) => ({
    project: project!,
    rate: Number(failed) / (Number(failed) + Number(passed)),
  }))
  .filter(({ rate }) => rate < 0.999);

export interface FlakeFigures {
  /** Tests that were seen to be flaky. */
  readonly seen: number;
  /** The share of them whose interval holds the true rate. */
  readonly coverage: number;
  /** Mean squared error of the probability that the rate is above 1 %, over all tests. */
  readonly brier: number;
  /** The same for the rate that was observed, taken as it is. */
  readonly naiveBrier: number;
  /** The same for a plain mixture, fitted to the same tests; null unless asked for. */
  readonly mixtureBrier: number | null;
  /** Projects in which rates were believed to change. */
  readonly changing: number;
}

interface FlakeDraws {
  readonly seed: string;
  readonly heldOut?: boolean;
  readonly times?: number;
  readonly mixture?: boolean;
}

const ASKED_RATE = 0.01;

/**
 * Each test of each project is run so many times, each run flaky with its true rate; what the estimates say of that is
 * compared with the truth. The spread of rates is learnt from one half of a project's tests and tried on the other, if
 * asked for.
 */
export const measureFlakeRates = (
  runs: number,
  { seed, heldOut = false, times = 1, mixture = false }: FlakeDraws,
): FlakeFigures => {
  const random = createRandom(seed);
  let [seen, covered, tests, error, naiveError, mixtureError, changingProjects] = [0, 0, 0, 0, 0, 0, 0];
  for (let time = 0; time < times; time++) {
    for (const [project, known] of Map.groupBy(knownTests, (test) => test.project)) {
      const draw = random.fork(`${project} ${time}`);
      const drawn = known.map(({ rate }) => {
        const course = Array.from({ length: runs }, () => draw.chance(rate));
        return { rate, course, flaky: course.filter(Boolean).length };
      });
      const learnt = heldOut ? drawn.filter((_, at) => at % 2 === 0) : drawn;
      const tried = heldOut ? drawn.filter((_, at) => at % 2 === 1) : drawn;
      const prior = finish(fitSpread(talliesOf(learnt, runs)));
      const quiet = new Map([[runs, learnt.filter(({ flaky }) => flaky === 0).length]]);
      const courses = learnt.filter(({ flaky }) => flaky > 0).map(({ course }) => course);
      const changing = finish(findChanging(prior, courses, quiet));
      if (changing > 0) changingProjects++;
      const never = describe(estimate(prior, runs, 0));
      const shares = mixture ? fitMixture(talliesOf(learnt, runs), runs) : null;
      for (const { rate, course, flaky } of tried) {
        const told: RateEstimate = flaky === 0 ? never : describe(follow(prior, course, changing));
        const truth = Number(rate > ASKED_RATE);
        tests++;
        error += (told.probability - truth) ** 2;
        naiveError += (Number(flaky / runs > ASKED_RATE) - truth) ** 2;
        if (shares) mixtureError += (chanceAbove(shares, { runs, flaky, rate: ASKED_RATE }) - truth) ** 2;
        if (flaky === 0) continue;
        seen++;
        if (told.low <= rate && rate <= told.high) covered++;
      }
    }
  }
  return {
    seen,
    coverage: covered / seen,
    brier: error / tests,
    naiveBrier: naiveError / tests,
    mixtureBrier: mixture ? mixtureError / tests : null,
    changing: changingProjects,
  };
};

export interface SmallProjects {
  readonly coverage: number;
  readonly brier: number;
}

/** Runs of other projects that what is known of them rests on. */
const RUNS_OF_OTHERS = 100;

/**
 * Projects of few tests, drawn from those whose rates are known, by what they do themselves; or together with what the other
 * projects of an installation do, which counts as much as some tests.
 */
export const measureSmallProjects = (
  seed: string,
  { tests, runs, pooledTests, times }: Readonly<Record<'tests' | 'runs' | 'pooledTests' | 'times', number>>,
): SmallProjects => {
  const random = createRandom(`${seed} ${tests} ${runs}`);
  const projects = [...Map.groupBy(knownTests, ({ project }) => project)];
  const draw = (some: readonly KnownTest[], count: number) =>
    some.map(({ rate }) => ({
      rate,
      flaky: Array.from({ length: count }, () => random.chance(rate)).filter(Boolean).length,
    }));
  const spreads = projects.map(([, known]) =>
    finish(fitSpread(talliesOf(draw(known, RUNS_OF_OTHERS), RUNS_OF_OTHERS))),
  );
  let [all, seen, covered, error] = [0, 0, 0, 0];
  for (let time = 0; time < times; time++) {
    for (const [nth, [, known]] of projects.entries()) {
      const others = spreads.filter((_, other) => other !== nth);
      const first = KNOWN_AT_FIRST.map(
        (share, at) => share + (pooledTests * others.reduce((sum, spread) => sum + spread[at]!, 0)) / others.length,
      );
      const drawn = draw(
        Array.from({ length: tests }, () => random.pick(known)),
        runs,
      );
      const prior = finish(fitSpread(talliesOf(drawn, runs), first));
      for (const { rate, flaky } of drawn) {
        const { low, high, probability } = describe(estimate(prior, runs, flaky));
        all++;
        error += (probability - Number(rate > 0.01)) ** 2;
        if (flaky === 0) continue;
        seen++;
        if (low <= rate && rate <= high) covered++;
      }
    }
  }
  return { coverage: covered / seen, brier: error / all };
};

const talliesOf = (tests: readonly { readonly flaky: number }[], runs: number) =>
  [...Map.groupBy(tests, ({ flaky }) => flaky)].map(([flaky, some]) => ({ runs, flaky, tests: some.length }));

export const finish = <T>(steps: Generator<undefined, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};
