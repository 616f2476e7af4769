import { weights } from '../segments/letters.ts';
import { type Spread, type Tally, fitSpread } from './flake-rates.ts';

/** What is to be known of a run to read what its results say of a test. */
export interface PastRun {
  readonly commit: string | null;
  /** Whether far more failed in it than usual: then a failure says nothing of its test. */
  readonly isOutage: boolean;
}

/** By run, the oldest first: what happened to a test, as a weight. */
export type Outcomes = ArrayLike<number>;

export interface FlakeEvents {
  /** Runs in which the test was not broken. */
  readonly runs: number;
  /** Those of them in which it was flaky, and those of these that it made red; parts of one are possible. */
  readonly flaky: number;
  readonly red: number;
  /** How often it broke, and stayed broken for another commit. */
  readonly breaks: number;
}

/** A test that failed once may have been broken and mended at once: nobody knows. */
const SINGLE_FAILURE = 0.25;

const hasPassed = (outcome: number): boolean => outcome === weights.passed || outcome === weights.flaky;
const hasRun = (outcome: number): boolean => hasPassed(outcome) || outcome === weights.failed;

/** For each run the others of its commit. */
export const runsOfSameCommit = (runs: readonly PastRun[]): readonly (readonly number[])[] => {
  const byCommit = Map.groupBy(runs.keys(), (at) => runs[at]!.commit);
  return runs.map(({ commit }, at) => (commit === null ? [] : byCommit.get(commit)!.filter((other) => other !== at)));
};

/**
 * How often a test was flaky: it passed on a retry, or failed on a commit that it passed on in another run; or it failed
 * once between two runs in which it passed, which counts a quarter.
 */
export const countFlakeEvents = (
  runs: readonly PastRun[],
  sameCommit: readonly (readonly number[])[],
  outcomes: Outcomes,
): FlakeEvents => {
  let [passed, flaky, red, breaks] = [0, 0, 0, 0];
  const neighbourOf = (from: number, step: 1 | -1): number | null => {
    for (let at = from + step; at >= 0 && at < runs.length; at += step) {
      if (hasRun(outcomes[at]!) && !runs[at]!.isOutage) return at;
    }
    return null;
  };
  for (let at = 0; at < runs.length; at++) {
    const outcome = outcomes[at]!;
    if (outcome < weights.passed || runs[at]!.isOutage) continue;
    if (outcome === weights.passed) passed++;
    else if (outcome === weights.flaky) flaky++;
    else if (sameCommit[at]!.some((other) => hasPassed(outcomes[other]!))) {
      flaky++;
      red++;
    } else {
      const before = neighbourOf(at, -1);
      const after = neighbourOf(at, 1);
      if (before === null || after === null || !hasPassed(outcomes[before]!)) continue;
      if (hasPassed(outcomes[after]!)) {
        flaky += SINGLE_FAILURE;
        red += SINGLE_FAILURE;
      } else if (runs[after]!.commit === null || runs[after]!.commit !== runs[at]!.commit) breaks++;
    }
  }
  return { runs: passed + flaky, flaky, red, breaks };
};

/** How the tests of a project behave. */
export interface Habits {
  /** How their flake rates are spread. */
  readonly rates: Spread;
  /** The share of flaky results that fail on their retries too. */
  readonly redShare: number;
  /** How often a change breaks any one test. */
  readonly breakRate: number;
}

/** What is thought of a project before anything is known of it: as many changes as this, each of which breaks one test. */
const CHANGES_AT_FIRST = 10;
const BROKEN_AT_FIRST = 10;
const LEAST_BREAK_RATE = 0.0001;
const MOST_BREAK_RATE = 0.05;
const RED_AT_FIRST = { red: 1, all: 4 };
const TESTS_PER_STEP = 100;

/** Learnt from what some runs did to all tests of a run: `outcomes` has the weights of a run by test. Yields now and then. */
export function* learnHabits(
  runs: readonly PastRun[],
  outcomes: readonly Uint8Array[],
  tests: number,
): Generator<undefined, Habits> {
  const sameCommit = runsOfSameCommit(runs);
  const ofTest = new Uint8Array(runs.length);
  const tallies = new Map<string, Tally>();
  const count = (events: Pick<FlakeEvents, 'runs' | 'flaky'>): void => {
    const key = `${events.flaky} of ${events.runs}`;
    tallies.set(key, { ...events, tests: (tallies.get(key)?.tests ?? 0) + 1 });
  };
  let [flaky, red, breaks] = [0, 0, 0];
  for (let test = 0; test < tests; test++) {
    if (test % TESTS_PER_STEP === TESTS_PER_STEP - 1) yield;
    for (let at = 0; at < ofTest.length; at++) ofTest[at] = outcomes[at]![test]!;
    const events = countFlakeEvents(runs, sameCommit, ofTest);
    flaky += events.flaky;
    red += events.red;
    breaks += events.breaks;
    if (events.runs > 0) count({ runs: events.runs, flaky: events.flaky });
  }
  const changes = new Set(runs.map(({ commit }, at) => commit ?? at)).size;
  const broken = (BROKEN_AT_FIRST + breaks) / (CHANGES_AT_FIRST + changes) / Math.max(1, tests);
  return {
    rates: yield* fitSpread([...tallies.values()]),
    redShare: (RED_AT_FIRST.red + red) / (RED_AT_FIRST.all + flaky),
    breakRate: Math.min(MOST_BREAK_RATE, Math.max(LEAST_BREAK_RATE, broken)),
  };
}
