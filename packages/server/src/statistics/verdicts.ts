import { weights } from '../segments/letters.ts';
import type { Explanation, Failure, Surroundings, TimeSpan, Trait } from './explain-failures.ts';
import { type FlakeEvents, type Habits, type PastRun, countFlakeEvents, runsOfSameCommit } from './flake-events.ts';
import { estimate, meanOf, repeatOf } from './flake-rates.ts';
import {
  type Bits,
  type Known,
  REASONS,
  type Reason,
  type Term,
  alikeTerm,
  aroundTerm,
  baseTerm,
  branchTerm,
  causeTerm,
  commitTerm,
  elsewhereTerm,
  filesTerm,
  outageTerm,
  priorTerm,
  rateTerm,
  retriesTerm,
} from './verdict-terms.ts';

/**
 * Why a test failed, as odds: its change broke it, it was broken at the base, it is flaky, or something around it broke.
 * Each piece of evidence adds so many bits to the odds of some of these. See docs/statistics.md.
 */

export interface Judgement {
  readonly verdict: Reason | 'unknown';
  /** Shares of 1. */
  readonly odds: Bits;
  readonly terms: readonly Term[];
}

/** What a run says of the tests of the run whose failures are judged. */
export interface RunEvidence {
  readonly run: PastRun;
  /** By test, as weights. */
  readonly outcomes: Uint8Array;
  /** By test, of those that failed or were flaky: a number for the cause, from 1; else 0. */
  readonly causes: Int32Array;
}

/** The runs that failures are judged by, each list from the oldest to the newest. */
export interface Past {
  /** Of the base and before it. */
  readonly base: readonly RunEvidence[];
  /** Of the branch of the run, after its base. */
  readonly branch: readonly RunEvidence[];
  /** Of its own commit. */
  readonly commit: readonly RunEvidence[];
}

export interface Change {
  readonly commits: number;
  /** False where there may be more files than are known. */
  readonly isWhole: boolean;
  /** The share of the files with tests that it touched. */
  readonly touchedShare: number;
}

export interface Situation {
  readonly past: Past;
  /** Whether the newest run of the base is of the very commit that the change began with. */
  readonly isBaseSure: boolean;
  readonly habits: Habits;
  readonly causes: SeenCauses;
  /** Null where commits or their files are not known. */
  readonly change: Change | null;
  /** The share of tests that failed, where that is far more than usual. */
  readonly massShare: number | null;
  /** Other branches that ran within hours of the run. */
  readonly otherBranches: number;
}

/** Where failures are that belong together. */
export type Cluster = 'shard' | 'worker' | 'time';

export interface JudgedFailure {
  readonly test: number;
  readonly retries: number;
  /** 0 where it is not known. */
  readonly cause: number;
  /** Other failures of the run with its cause. */
  readonly alike: number;
  /** Other branches on which its cause was seen within hours of the run. */
  readonly elsewhere: number;
  /** Whether its error is of something around the tests. */
  readonly isAround: boolean;
  readonly isTouched: boolean;
  readonly place: Cluster | null;
  /** Of a test that no run before had: whether another one of the base is gone that it may have been, and failed like it. */
  readonly newness: 'new' | 'renamed' | 'renamedBroken' | null;
}

/** How likely a reason has to be before it is told. */
const SURE = 0.9;

/** Prepares what is the same for all failures of a run. */
export const createJudge = (situation: Situation): ((failure: JudgedFailure) => Judgement) => {
  const { past, habits, causes, change, massShare, isBaseSure } = situation;
  const lines = { base: prepareLine(past.base), branch: prepareLine(past.branch), commit: prepareLine(past.commit) };
  const knowledge = createKnowledge(habits);
  return (failure) => {
    const { cause, alike, retries, newness } = failure;
    const base = lines.base.of(failure.test);
    const branch = lines.branch.of(failure.test);
    const commit = lines.commit.of(failure.test);
    const counts = [base, branch, commit].map(({ events }) => events);
    const known = knowledge(counts, retries);
    const atBase = baseTerm({ runs: lines.base.runs, history: base, known, newness, isBaseSure, habits, cause });
    const terms: Term[] = [
      priorTerm(habits, known),
      atBase.term,
      ...branchTerm({ runs: lines.branch.runs, history: branch, known, habits, broken: atBase.broken, cause }),
      ...commitTerm({ runs: lines.commit.runs, history: commit, known }),
      rateTerm(known),
      ...retriesTerm(retries, habits),
      ...causeTerm(cause, { base, branch, commit }, causes),
      ...alikeTerm(cause, alike, causes),
      ...elsewhereTerm(cause, { branches: failure.elsewhere, of: situation.otherBranches }, causes),
      ...aroundTerm(cause, failure.isAround, massShare !== null),
      // A change that breaks most of a run does so by more than the files of some tests.
      ...(massShare === null || change?.commits === 0 ? filesTerm(failure.isTouched, change) : []),
      outageTerm(failure.place, massShare, habits),
    ];
    const odds = oddsOf(terms);
    return { verdict: verdictOf(odds, atBase.term), odds, terms };
  };
};

export interface TestHistory {
  readonly outcomes: Uint8Array;
  /** 0 where there is none. */
  readonly causes: Int32Array;
  /** The same without outages. */
  readonly usualCauses: Int32Array;
  readonly events: FlakeEvents;
}

const prepareLine = (line: readonly RunEvidence[]) => {
  const runs = line.map(({ run }) => run);
  const sameCommit = runsOfSameCommit(runs);
  return {
    runs,
    of(test: number): TestHistory {
      const outcomes = new Uint8Array(line.length);
      const causes = new Int32Array(line.length);
      const usualCauses = new Int32Array(line.length);
      for (let at = 0; at < line.length; at++) {
        const evidence = line[at]!;
        outcomes[at] = evidence.outcomes[test]!;
        if (outcomes[at]! < weights.flaky) continue;
        causes[at] = evidence.causes[test]!;
        if (!evidence.run.isOutage) usualCauses[at] = causes[at]!;
      }
      return { outcomes, causes, usualCauses, events: countFlakeEvents(runs, sameCommit, outcomes) };
    },
  };
};

/** Causes that were seen at the base and before. */
export interface SeenCauses {
  /** In how many tests, outages left out. */
  readonly tests: ReadonlyMap<number, number>;
  readonly all: number;
  readonly inOutages: ReadonlySet<number>;
}

const TESTS_PER_STEP = 100;

/** Yields now and then. */
export function* countCauses(base: readonly RunEvidence[], tests: number): Generator<undefined, SeenCauses> {
  const counts = new Map<number, number>();
  const inOutages = new Set<number>();
  let all = 0;
  for (let test = 0; test < tests; test++) {
    if (test % TESTS_PER_STEP === TESTS_PER_STEP - 1) yield;
    const ofTest = new Set<number>();
    for (const { run, causes } of base) {
      const cause = causes[test]!;
      if (cause === 0) continue;
      if (run.isOutage) inOutages.add(cause);
      else ofTest.add(cause);
    }
    all += ofTest.size;
    for (const cause of ofTest) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return { tests: counts, all, inOutages };
}

/** No test is thought to be flaky less often. */
const LEAST_RATE = 0.0001;

const createKnowledge = ({ rates, redShare }: Habits): ((counts: readonly FlakeEvents[], retries: number) => Known) => {
  const usualRate = Math.max(LEAST_RATE, meanOf(rates));
  const estimates = new Map<string, { readonly rate: number; readonly again: number }>();
  return (counts, retries) => {
    const flaky = counts.reduce((sum, events) => sum + events.flaky, 0);
    const runs = counts.reduce((sum, events) => sum + events.runs, 0);
    const key = `${flaky} of ${runs}`;
    let estimated = estimates.get(key);
    if (!estimated) {
      const spread = estimate(rates, runs, flaky);
      const rate = Math.max(LEAST_RATE, meanOf(spread));
      estimates.set(key, (estimated = { rate, again: Math.max(rate, repeatOf(spread)) }));
    }
    const { rate, again } = estimated;
    const stays = retries > 0 ? redShare : 1;
    return { flaky, runs, rate, usualRate, redRate: rate * stays, redAgain: again * stays };
  };
};

const oddsOf = (terms: readonly Term[]): Bits => {
  const sums = REASONS.map((reason) => terms.reduce((sum, { bits }) => sum + bits[reason], 0));
  const most = Math.max(...sums);
  const shares = sums.map((sum) => 2 ** (sum - most));
  const all = shares.reduce((sum, share) => sum + share, 0);
  const [yours, base, flake, outage] = shares.map((share) => share / all);
  return { yours: yours!, base: base!, flake: flake!, outage: outage! };
};

/** Nothing is called new, or old, of which the base is not known. */
const verdictOf = (odds: Bits, { outcome }: Extract<Term, { kind: 'base' }>): Judgement['verdict'] => {
  const likely = REASONS.find((reason) => odds[reason] >= SURE);
  const isBaseKnown = outcome !== 'unknown' && outcome !== 'notRun' && outcome !== 'skipped';
  if (!likely || ((likely === 'yours' || likely === 'base') && !isBaseKnown)) return 'unknown';
  return likely;
};

/** Bits by which failures of so many files have to be in one place, which tests of one file are anyway. */
const LEAST_PLACED = 8;

/**
 * Where the failures are that are explained together with one, if code does not choose that place. The explanation may be
 * of some of the failures only.
 */
export const createPlaces = (
  { statements }: Explanation,
  failures: readonly Failure[],
  { ran, at, startsMs }: Surroundings,
): ((failure: Failure) => Cluster | null) => {
  const ranThere = (trait: Trait): number => {
    if (trait.kind === 'place' && clusterOf(trait)) return at[trait.place].get(trait.value)!;
    return trait.kind === 'time'
      ? startsMs.reduce((sum, startMs) => sum + (isWithin(trait.span, startMs) ? 1 : 0), 0)
      : ran;
  };
  const clusters = statements.flatMap(({ traits, failures: told }) => {
    const lead = traits[0]!;
    if (lead.kind === 'since' || lead.kind === 'flake') return [];
    const files = new Set(told.map((failure) => failures[failure]!.file)).size;
    const there = traits.find((trait) => files * Math.log2(ran / ranThere(trait)) >= LEAST_PLACED);
    const place = there && clusterOf(there);
    return place ? [{ place, isOf: (failure: Failure) => hasTrait(failure, lead) && hasTrait(failure, there) }] : [];
  });
  return (failure) => clusters.find(({ isOf }) => isOf(failure))?.place ?? null;
};

const isWithin = ({ fromMs, toMs }: TimeSpan, startMs: number): boolean =>
  startMs >= fromMs && startMs <= (toMs ?? Infinity);

const hasTrait = (failure: Failure, trait: Trait): boolean => {
  switch (trait.kind) {
    case 'since':
      return failure.since === trait.run;
    case 'flake':
      return failure.isKnownFlake;
    case 'cause':
      return failure.cause === trait.cause;
    case 'place':
      return failure[trait.place] === trait.value;
    case 'news':
      return true;
    case 'time':
      return failure.startMs !== null && isWithin(trait.span, failure.startMs);
  }
};

const clusterOf = (trait: Trait): Cluster | null => {
  if (trait.kind === 'time') return 'time';
  return trait.kind === 'place' && (trait.place === 'shard' || trait.place === 'worker') ? trait.place : null;
};
