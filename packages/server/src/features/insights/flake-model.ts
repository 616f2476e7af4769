import type { FlakeModel } from '@assay/contract';
import {
  type Course,
  type Spread,
  type Tally,
  describe,
  estimate,
  findChanging,
  fitSpread,
  follow,
} from '../../statistics/flake-rates.ts';
import { inTurns } from '../../turns.ts';
import type { RecentRun } from '../runs/run-refs.ts';

/** What a test that was flaky did, outages left out. */
export interface FlakyRecord {
  readonly testId: number;
  readonly runs: number;
  readonly flaky: number;
  /** Those of the flaky results that were the last word of their run. */
  readonly red: number;
}

export interface FlakyHistory {
  readonly records: readonly FlakyRecord[];
  /** How many tests, for each number of runs, were never flaky. */
  readonly quiet: ReadonlyMap<number, number>;
  readonly runsPerWeek: number;
  /** How often the runner tried a test again at most. */
  readonly retries: number;
}

/** So many of the most flaky tests are followed run by run; of the others only counts are looked at. */
const MOST_FOLLOWED = 5_000;

/**
 * The flakiness of each test as a probability, by test id. `readCourses` reads in which of its runs each of some tests was
 * flaky.
 */
export const modelFlakes = async (
  { records, quiet, runsPerWeek, retries }: FlakyHistory,
  readCourses: (testIds: readonly number[]) => Promise<readonly Course[]>,
): Promise<ReadonlyMap<number, FlakeModel>> => {
  const prior = await inTurns(fitSpread(talliesOf(records, quiet)));
  const mostFlaky = records.toSorted((a, b) => shareOf(b) - shareOf(a) || a.testId - b.testId);
  const followed = mostFlaky.slice(0, MOST_FOLLOWED);
  const courses = await readCourses(followed.map(({ testId }) => testId));
  const changing = await inTurns(findChanging(prior, courses, quiet));
  const models = new Map<number, FlakeModel>();
  const add = ({ testId, flaky, red }: FlakyRecord, spread: Spread): void => {
    const { rate, ...range } = describe(spread);
    const redShare = flaky === 0 ? 0 : red / flaky;
    const redRate = rate * redShare + allTriesFail(rate * (1 - redShare), retries);
    models.set(testId, rounded({ rate, ...range, falseRedsPerWeek: redRate * runsPerWeek }));
  };
  await inTurns(
    (function* () {
      for (const [at, record] of mostFlaky.entries()) {
        const course = courses[at];
        add(record, course ? follow(prior, course, changing) : estimate(prior, record.runs, record.flaky));
        yield;
      }
    })(),
  );
  return models;
};

/** All runs of a test may have been outages. */
const shareOf = ({ runs, flaky }: FlakyRecord): number => flaky / Math.max(1, runs);

const talliesOf = (records: readonly FlakyRecord[], quiet: ReadonlyMap<number, number>): Tally[] => {
  const alike = Map.groupBy(records, ({ runs, flaky }) => `${flaky} of ${runs}`);
  return [
    ...[...quiet].map(([runs, tests]) => ({ runs, flaky: 0, tests })),
    ...[...alike.values()].map((some) => ({ runs: some[0]!.runs, flaky: some[0]!.flaky, tests: some.length })),
  ];
};

const HALVINGS = 40;

/**
 * How often all tries of a test fail that passes on a retry in a share of runs, each try failing by itself as often as
 * any other.
 */
export const allTriesFail = (passesOnRetry: number, retries: number): number => {
  if (retries === 0) return passesOnRetry;
  const passes = (fails: number): number => fails - fails ** (retries + 1);
  let low = 0;
  // Tests that fail more often than this pass on a retry less often again.
  let high = (1 / (retries + 1)) ** (1 / retries);
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (passes(middle) < passesOnRetry) low = middle;
    else high = middle;
  }
  return high ** (retries + 1);
};

const WEEK_MS = 7 * 24 * 3_600_000;

/** Of runs from the oldest to the newest; those of less than a week are not taken for what all weeks have. */
export const runsPerWeekOf = (runs: readonly RecentRun[]): number => {
  const [first] = runs;
  const last = runs.at(-1);
  return first && last ? runs.length / Math.max(1, (last.start_time - first.start_time) / WEEK_MS) : 0;
};

const DIGITS = 4;

const rounded = (model: FlakeModel): FlakeModel => {
  const round = (number: number): number => Number(number.toPrecision(DIGITS));
  const { rate, low, high, probability, falseRedsPerWeek } = model;
  return {
    rate: round(rate),
    low: round(low),
    high: round(high),
    probability: round(Math.min(1, Math.max(0, probability))),
    falseRedsPerWeek: round(falseRedsPerWeek),
  };
};
