import { type Random, createRandom } from '@assay/testkit';
import { type Change, findChanges, mayHaveChanged, slowSpells } from '../../src/statistics/duration-changes.ts';
import { SURE, likeliest } from '../../src/statistics/first-bad.ts';

/** How durations of a test that does not change differ from run to run, by itself. */
const drawNoise = (random: Random, count: number): Float64Array => {
  const deviation = random.pick([0.03, 0.1, 0.25, 0.5]);
  const correlation = random.pick([0, 0, 0.3, 0.6]);
  const outliers = random.pick([0, 0.02, 0.05]);
  // Such as with and without something in a cache.
  const twoWays = random.chance(0.2) ? random.pick([0.3, 0.7]) : 0;
  let last = random.normal(0, deviation);
  return Float64Array.from({ length: count }, () => {
    last = correlation * last + Math.sqrt(1 - correlation ** 2) * random.normal(0, deviation);
    const outlier = random.chance(outliers) ? Math.log(2 + 8 * random.next()) : 0;
    return last + outlier + (random.chance(0.4) ? twoWays : 0);
  });
};

const TESTS = 40;

/** Tests of one project, all of them slower on some evenings. */
const drawProject = (random: Random, count: number): Float64Array[] => {
  const slow = new Float64Array(count);
  for (let evening = 0; evening < count / 100; evening++) {
    const from = random.integer(0, count - 1);
    slow.fill(Math.log(1.2 + random.next()), from, Math.min(count, from + random.integer(1, 8)));
  }
  return Array.from({ length: TESTS }, () => drawNoise(random, count).map((log, run) => log + slow[run]!));
};

/** As the service does: other tests are looked at only where there is something to tell. */
const changesOf = (logs: Float64Array, tests: readonly Float64Array[]): Change[] => {
  if (!mayHaveChanged([...logs])) return [];
  const spells = slowSpells(tests);
  return findChanges(Array.from(logs, (log, run) => log - spells[run]!));
};

const WINDOW = 200;
const RUNS_A_MONTH = 300;

export interface DurationAlarms {
  readonly tests: number;
  /** Tests that were said to change at least once in the month. */
  readonly alarms: number;
}

/** Tests that do not change, each looked at for a month after the first 200 runs, after every so many runs. */
export const measureDurationAlarms = (seed: string, projects: number, every = 1): DurationAlarms => {
  const alarms = new Set<string>();
  for (let nth = 0; nth < projects; nth++) {
    const tests = drawProject(createRandom(`${seed} ${nth}`), WINDOW + RUNS_A_MONTH);
    for (let run = WINDOW; run <= WINDOW + RUNS_A_MONTH; run += every) {
      const seen = tests.map((logs) => logs.subarray(run - WINDOW, run));
      for (const [test, logs] of seen.entries()) {
        if (!alarms.has(`${nth} ${test}`) && changesOf(logs, seen).length > 0) alarms.add(`${nth} ${test}`);
      }
    }
  }
  return { tests: projects * TESTS, alarms: alarms.size };
};

export interface DurationFigures {
  readonly series: number;
  /** The share in which the change was found, and no other. */
  readonly found: number;
  /** The share of these in which the run with which it came is in the set that is told. */
  readonly within: number;
  /** The median size of that set, in runs. */
  readonly size: number;
  /** The median of how far what is told is from the true factor. */
  readonly error: number;
}

/** Tests one of which in each project becomes slower or faster by a factor, 20 to 100 runs ago. */
export const measureDurationChanges = (seed: string, series: number, factor: number): DurationFigures => {
  const sizes: number[] = [];
  const errors: number[] = [];
  let within = 0;
  for (let nth = 0; nth < series; nth++) {
    const random = createRandom(`${seed} ${factor} ${nth}`);
    const truth = WINDOW - random.integer(20, 100);
    const change = Math.log(factor) * (random.chance(0.8) ? 1 : -1);
    const [first, ...others] = drawProject(random, WINDOW);
    const changed = first!.map((log, run) => log + (run >= truth ? change : 0));
    const changes = changesOf(changed, [changed, ...others]);
    const [found] = changes;
    if (!found || changes.length > 1) continue;
    const chosen = likeliest(
      found.places.map(({ probability }) => probability),
      SURE,
    ).map((place) => found.places[place]!.at);
    sizes.push(chosen.length);
    errors.push(Math.abs(Math.exp(found.after - found.before - change) - 1));
    if (chosen.includes(truth)) within++;
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return {
    series,
    found: sizes.length / series,
    within: within / sizes.length,
    size: median(sizes),
    error: median(errors),
  };
};
