/**
 * Since when a test has been broken or flaky, as a distribution over the steps of the history at which it may have become
 * so. A test is fine, flaky or broken; with each commit it may become another, and while it stays what it is its results
 * are independent. Which of them explains the results how well is summed up over all courses that it may have taken (a
 * hidden Markov model), so a failure by chance does not pass for the beginning, nor a pass by chance for the end.
 * See docs/statistics.md.
 */

import { RATE_LEVELS as LEVELS } from '@assay/contract/rate-levels';
import { memoise } from '../memoise.ts';

/** What a test did where something of the code was new. */
export interface Step {
  readonly passed: number;
  /** Passed only when it was tried again. */
  readonly flaky: number;
  readonly failed: number;
  /** That came with this step; one at least. */
  readonly commits: number;
}

export interface Since {
  /** That the test is so now. */
  readonly probability: number;
  /** For each step, that it has been so since then, if it is so now. With `fromStart` together 1. */
  readonly at: Float64Array;
  /** That it was so before the first step already, if it is so now. */
  readonly fromStart: number;
}

export interface Course {
  /** That the test is neither flaky nor broken now. */
  readonly fine: number;
  readonly broken: Since;
  /** A test that was broken in between counts as flaky all the time. */
  readonly flaky: Since;
}

const [FINE, FLAKY, BROKEN] = [0, 1, 2] as const;
const KINDS = 3;
const KIND_OF = Uint8Array.from(LEVELS, ({ kind }) => ({ fine: FINE, flaky: FLAKY, broken: BROKEN })[kind]);
const SHARE_OF = Float64Array.from(LEVELS, ({ share }) => share);

/** How often a flaky test passes when it is tried again, which depends on whether it is tried again at all. */
const SHARES_RETRIED = [0.02, 0.3, 0.7, 0.95];

const AT_FIRST = [0.95, 0.03, 0.02];
const FIRST = SHARE_OF.map((share, level) => share * AT_FIRST[KIND_OF[level]!]!);
/** That a commit makes one kind of test another: by the kinds from and to. */
const CHANCES = [
  [0, 0.00007, 0.001],
  [0.001, 0, 0.0003],
  [0.1, 0.002, 0],
];
/** Of so many commits, one more does not make a change likelier. */
const MOST_COMMITS = 50;

/** Yields some times, for long histories take some milliseconds. */
export function* followTest(steps: readonly Step[]): Generator<undefined, Course> {
  const ways: Way[] = [];
  for (const retried of SHARES_RETRIED) {
    ways.push(followWith(steps, retried));
    yield;
  }
  const best = Math.max(...ways.map(({ logLikelihood }) => logLikelihood));
  const weights = ways.map(({ logLikelihood }) => Math.exp(logLikelihood - best));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (of: (way: Way) => number): number =>
    ways.reduce((sum, way, at) => sum + (weights[at]! / all) * of(way), 0);
  const since = (of: (way: Way) => Entries): Since => {
    const fromStart = mean((way) => of(way).fromStart);
    const at = Float64Array.from(steps, (_, step) => mean((way) => of(way).at[step]!));
    const probability = at.reduce((sum, share) => sum + share, fromStart);
    return probability > 0
      ? { probability, at: at.map((share) => share / probability), fromStart: fromStart / probability }
      : { probability: 0, at, fromStart: 1 };
  };
  return { fine: mean(({ fine }) => fine), broken: since(({ broken }) => broken), flaky: since(({ flaky }) => flaky) };
}

/** Numbers that are smaller yet take computers long to multiply. */
const NEGLIGIBLE = 1e-30;

/** Joint with what the test is now. */
interface Entries {
  readonly at: Float64Array;
  readonly fromStart: number;
}

interface Way {
  readonly logLikelihood: number;
  readonly fine: number;
  readonly broken: Entries;
  readonly flaky: Entries;
}

const followWith = (steps: readonly Step[], retried: number): Way => {
  const logs = logsOf(retried);
  const emissions = steps.map((step) => likelihoodsOf(step, logs));
  const changes = steps.map(({ commits }) => changesOf(commits));
  // What is known after each step; `emissions` are scaled so that these add up to 1.
  const filtered: Float64Array[] = [];
  let logLikelihood = 0;
  for (const [at, { chances, log }] of emissions.entries()) {
    const now = at === 0 ? FIRST.slice() : stepOn(filtered[at - 1]!, changes[at]!);
    let sum = 0;
    for (let level = 0; level < now.length; level++) sum += now[level]! *= chances[level]!;
    for (let level = 0; level < now.length; level++) {
      now[level]! /= sum;
      chances[level]! /= sum;
    }
    filtered.push(now);
    logLikelihood += Math.log(sum) + log;
  }
  const now = filtered.at(-1) ?? FIRST;
  const entriesOf = (allowed: readonly number[], last: number): Entries => {
    const isAllowed = KIND_OF.map((kind) => Number(allowed.includes(kind)));
    const at = new Float64Array(steps.length);
    // How likely what comes after a step is, if the test stays within the kinds that are allowed and ends as asked.
    let after: Float64Array = Float64Array.from(KIND_OF, (kind) => Number(kind === last));
    for (let step = steps.length - 1; step >= 0; step--) {
      const here = after;
      let most = 0;
      for (let level = 0; level < here.length; level++) {
        here[level]! *= isAllowed[level]! * emissions[step]!.chances[level]!;
        most = Math.max(most, here[level]!);
      }
      if (step === 0 || most < NEGLIGIBLE) break;
      const outside = new Float64Array(here.length);
      for (let level = 0; level < outside.length; level++) {
        outside[level] = (1 - isAllowed[level]!) * filtered[step - 1]![level]!;
      }
      at[step] = dot(here, stepOn(outside, changes[step]!));
      after = stepBack(here, changes[step]!);
    }
    return { at, fromStart: dot(after, FIRST) };
  };
  return {
    logLikelihood,
    fine: now.reduce((sum, share, level) => sum + (KIND_OF[level] === FINE ? share : 0), 0),
    broken: entriesOf([BROKEN], BROKEN),
    flaky: entriesOf([FLAKY, BROKEN], FLAKY),
  };
};

const dot = (one: Float64Array, other: Float64Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
};

/** Of each level, up to a factor that is told as its logarithm. */
const likelihoodsOf = ({ passed, flaky, failed }: Step, chances: Logs) => {
  const logs = new Float64Array(LEVELS.length);
  let log = -Infinity;
  for (let level = 0; level < logs.length; level++) {
    const one = passed * chances.passed[level]! + flaky * chances.flaky[level]! + failed * chances.failed[level]!;
    logs[level] = one;
    if (one > log) log = one;
  }
  for (let level = 0; level < logs.length; level++) logs[level] = Math.exp(logs[level]! - log);
  return { chances: logs, log };
};

/** For each level. */
interface Logs {
  readonly passed: readonly number[];
  readonly flaky: readonly number[];
  readonly failed: readonly number[];
}

const logsOf = (retried: number): Logs => {
  const failed = LEVELS.map(({ kind, rate }) => (kind === 'broken' ? rate : rate * (1 - retried)));
  const flaky = LEVELS.map(({ kind, rate }) => (kind === 'broken' ? (1 - rate) / 2 : rate * retried));
  const passed = LEVELS.map((_, level) => 1 - failed[level]! - flaky[level]!);
  return { passed: passed.map(Math.log), flaky: flaky.map(Math.log), failed: failed.map(Math.log) };
};

/** By the kinds from and to, one row after the other. */
type Changes = Float64Array;

const changesOf = memoise((commits: number): Changes => {
  const count = Math.min(Math.max(1, commits), MOST_COMMITS);
  return Float64Array.from(
    CHANCES.flatMap((chances, from) => {
      const any = chances.reduce((sum, chance) => sum + chance, 0);
      const changed = 1 - (1 - any) ** count;
      return chances.map((chance, to) => (from === to ? 1 - changed : (changed * chance) / any));
    }),
  );
});

/** A test that stays of its kind keeps its rate; one that becomes another has any of the rates of that. */
const stepOn = (shares: Float64Array, changes: Changes): Float64Array => {
  const ofKind = [0, 0, 0];
  for (let level = 0; level < shares.length; level++) ofKind[KIND_OF[level]!]! += shares[level]!;
  const next = new Float64Array(shares.length);
  for (let level = 0; level < next.length; level++) {
    const to = KIND_OF[level]!;
    let entering = 0;
    for (let from = 0; from < KINDS; from++) if (from !== to) entering += ofKind[from]! * changes[from * KINDS + to]!;
    next[level] = shares[level]! * changes[to * KINDS + to]! + entering * SHARE_OF[level]!;
  }
  return next;
};

const stepBack = (chances: Float64Array, changes: Changes): Float64Array => {
  const ofKind = [0, 0, 0];
  for (let level = 0; level < chances.length; level++) {
    ofKind[KIND_OF[level]!]! += chances[level]! * SHARE_OF[level]!;
  }
  const before = new Float64Array(chances.length);
  for (let level = 0; level < before.length; level++) {
    const from = KIND_OF[level]!;
    let leaving = 0;
    for (let to = 0; to < KINDS; to++) if (from !== to) leaving += ofKind[to]! * changes[from * KINDS + to]!;
    before[level] = chances[level]! * changes[from * KINDS + from]! + leaving;
  }
  return before;
};

export const SURE = 0.95;
/** One result that is not good may be chance, however rare that is; and rare flakiness comes in pairs now and then. */
const LEAST_RUNS = { broken: 2, flaky: 3 };

/** Whether it can be said that a test is broken, or flaky, now. */
export const isSure = (steps: readonly Step[], course: Course, kind: 'broken' | 'flaky'): boolean =>
  course[kind].probability >= SURE && countBad(steps.slice(likeliestStart(course[kind])), kind) >= LEAST_RUNS[kind];

/** The step with which it most likely began; 0 too when it was so before. */
export const likeliestStart = ({ at, fromStart }: Since): number => {
  let start = 0;
  for (const [step, share] of at.entries()) if (share > (start === 0 ? fromStart : at[start]!)) start = step;
  return start;
};

const countBad = (steps: readonly Step[], kind: 'broken' | 'flaky'): number =>
  steps.reduce((sum, { flaky, failed }) => sum + failed + (kind === 'flaky' ? flaky : 0), 0);

/** The fewest of some alternatives that together have at least a share, the likeliest first. */
export const likeliest = (probabilities: readonly number[], share: number): number[] => {
  const order = [...probabilities.keys()].sort((a, b) => probabilities[b]! - probabilities[a]! || a - b);
  const chosen: number[] = [];
  let sum = 0;
  for (const at of order) {
    if (sum >= share) break;
    chosen.push(at);
    sum += probabilities[at]!;
  }
  return chosen;
};
