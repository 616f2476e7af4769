import { weights } from '../segments/letters.ts';
import type { Habits, PastRun } from './flake-events.ts';
import type { Change, Cluster, JudgedFailure, SeenCauses, TestHistory } from './verdicts.ts';

export const REASONS = ['yours', 'base', 'flake', 'outage'] as const;
export type Reason = (typeof REASONS)[number];
export type Bits = Readonly<Record<Reason, number>>;

export type BaseOutcome = 'passed' | 'flaky' | 'failed' | 'skipped' | 'notRun' | 'new' | 'renamed' | 'unknown';

/** What speaks for and against the reasons, in bits. */
export type Term = { readonly bits: Bits } & (
  | { readonly kind: 'prior' }
  /** What the test did at the base, and in how many runs in a row. */
  | { readonly kind: 'base'; readonly outcome: BaseOutcome; readonly count: number }
  /** Failures among so many earlier runs of the branch. */
  | { readonly kind: 'branch'; readonly count: number; readonly of: number }
  /** The same among other runs of the commit. */
  | { readonly kind: 'commit'; readonly count: number; readonly of: number }
  | { readonly kind: 'retries'; readonly count: number }
  /** How often the test was flaky, and the rate that is estimated from it. */
  | { readonly kind: 'rate'; readonly count: number; readonly of: number; readonly rate: number }
  /** How often the test had the cause before, of the times that it had any. */
  | { readonly kind: 'cause'; readonly outcome: CauseOutcome; readonly count: number; readonly of: number }
  /** Other failures of the run with this cause. */
  | { readonly kind: 'alike'; readonly count: number }
  /** Whether so many commits touched the file of the test. */
  | { readonly kind: 'files'; readonly outcome: 'touched' | 'untouched'; readonly count: number }
  | { readonly kind: 'outage'; readonly outcome: 'many' | Cluster | 'none' }
  /** The error is one of connections, disks, memory or browsers that crash. */
  | { readonly kind: 'around'; readonly outcome: 'around' | 'other' }
  /** Other branches on which the cause was seen at the time, of those that ran. */
  | { readonly kind: 'elsewhere'; readonly count: number; readonly of: number }
);

/** Where a cause was seen before: at the last failure of the test at the base, in the test, in other tests, nowhere. */
type CauseOutcome = 'atBase' | 'before' | 'elsewhere' | 'new';

/** What is known of how flaky a test is. */
export interface Known {
  readonly flaky: number;
  readonly runs: number;
  readonly rate: number;
  /** Of the tests of the project. */
  readonly usualRate: number;
  /** How often it fails for no reason, retries and all. */
  readonly redRate: number;
  /** How often it fails in another run, if it failed in one for no reason. */
  readonly redAgain: number;
}

/** One piece of evidence alone is never trusted further than this. */
const MOST_BITS = 12;

const inBits = (factors: Partial<Bits>): Bits => {
  const bits = (factor = 1): number => Math.min(MOST_BITS, Math.max(-MOST_BITS, Math.log2(factor)));
  return {
    yours: bits(factors.yours),
    base: bits(factors.base),
    flake: bits(factors.flake),
    outage: bits(factors.outage),
  };
};

const BROKEN_AT_BASE = 0.01;
const IN_OUTAGE = 0.001;

export const priorTerm = ({ breakRate }: Habits, { usualRate }: Known): Term => ({
  kind: 'prior',
  bits: inBits({
    yours: breakRate,
    base: BROKEN_AT_BASE / (1 - BROKEN_AT_BASE),
    flake: usualRate,
    outage: IN_OUTAGE,
  }),
});

const BROKEN_PASSES = 0.02;
const BROKEN_IS_FLAKY = 0.01;
/** How often a sound test fails in a run in which far more fails than usual. */
const FAILS_IN_OUTAGE = 0.3;

const hasRun = (outcome: number): boolean => outcome >= weights.passed;

/** How likely an outcome is of a broken test, and of a sound one; null where it says nothing. */
const likelihoodOf = (run: PastRun, outcome: number, { rate, redRate }: Known) => {
  if (outcome === weights.failed) {
    const sound = run.isOutage ? Math.max(redRate, FAILS_IN_OUTAGE) : redRate;
    return { broken: 1 - BROKEN_PASSES - BROKEN_IS_FLAKY, sound };
  }
  if (outcome === weights.flaky) return { broken: BROKEN_IS_FLAKY, sound: rate };
  return outcome === weights.passed ? { broken: BROKEN_PASSES, sound: 1 - rate } : null;
};

/** Of another failure than the one that is judged, nobody knows what it was. */
const isOtherFailure = ({ outcomes, causes }: TestHistory, at: number, cause: number): boolean =>
  outcomes[at] === weights.failed && causes[at] !== 0 && cause !== 0 && causes[at] !== cause;

const isOtherCommit = (run: PastRun, before: PastRun | undefined): boolean =>
  before !== undefined && (run.commit === null || run.commit !== before.commit);

/** How often a broken test is mended from one commit to the next. */
const MENDED = 0.15;
const BROKEN_AT_START = 0.02;
/** Chance that a test is broken of which nothing is known. */
const BROKEN_UNSEEN = 0.3;
/** Tests are skipped because they are broken, among other reasons. */
const BROKEN_WHEN_SKIPPED = 0.2;
const BROKEN_WHEN_NEW = { renamedBroken: 0.9, renamed: 0.05, new: 0.0001 };
const NEW_TEST_FAILS = 0.05;
/** Commits that may lie between a run and the base that it is taken for. */
const UNSURE_COMMITS = 3;

interface AtBase {
  readonly runs: readonly PastRun[];
  readonly history: TestHistory;
  readonly known: Known;
  readonly newness: JudgedFailure['newness'];
  readonly isBaseSure: boolean;
  readonly habits: Habits;
  readonly cause: number;
}

/** Follows whether the test was broken, run by run, up to the base. */
export const baseTerm = (at: AtBase): { term: Extract<Term, { kind: 'base' }>; broken: number } => {
  const { breakRate } = at.habits;
  const last = lastOutcome(at);
  const broken =
    at.newness !== null ? BROKEN_WHEN_NEW[at.newness] : last.count === 0 ? BROKEN_UNSEEN : brokenAtBase(at);
  const bits = inBits({
    base: (broken * (1 - BROKEN_AT_BASE)) / ((1 - broken) * BROKEN_AT_BASE),
    yours: at.newness === 'new' ? NEW_TEST_FAILS / breakRate : 1,
  });
  return { term: { kind: 'base', ...last, bits }, broken };
};

const brokenAtBase = ({ runs, history, known, isBaseSure, habits: { breakRate }, cause }: AtBase): number => {
  const { outcomes } = history;
  let broken = BROKEN_AT_START;
  const passCommit = (): number => (broken = broken * (1 - MENDED) + (1 - broken) * breakRate);
  for (const [at, run] of runs.entries()) {
    const outcome = outcomes[at]!;
    if (isOtherCommit(run, runs[at - 1])) passCommit();
    if (outcome === weights.skipped && outcomes[at - 1] !== weights.skipped) {
      broken += (1 - broken) * BROKEN_WHEN_SKIPPED;
    }
    const likelihood = likelihoodOf(run, outcome, known);
    if (!likelihood || (run.isOutage && isOtherFailure(history, at, cause))) continue;
    const asBroken = broken * likelihood.broken;
    broken = asBroken / (asBroken + (1 - broken) * likelihood.sound);
  }
  if (!isBaseSure) for (let commit = 0; commit < UNSURE_COMMITS; commit++) passCommit();
  return broken;
};

/** The last thing that happened to a test at the base, and how often in a row. */
const lastOutcome = ({ runs, history: { outcomes }, newness }: AtBase): { outcome: BaseOutcome; count: number } => {
  if (newness !== null) return { outcome: newness === 'new' ? 'new' : 'renamed', count: 0 };
  if (runs.length === 0) return { outcome: 'unknown', count: 0 };
  const last = outcomes.findLast(hasRun);
  if (last === undefined) return { outcome: outcomes.at(-1) === weights.skipped ? 'skipped' : 'notRun', count: 0 };
  const ran = outcomes.filter(hasRun);
  const other = ran.findLastIndex((outcome) => outcome !== last);
  const outcome = last === weights.failed ? 'failed' : last === weights.flaky ? 'flaky' : 'passed';
  return { outcome, count: ran.length - 1 - other };
};

const countFailed = (outcomes: Uint8Array): number =>
  outcomes.reduce((sum, outcome) => (outcome === weights.failed ? sum + 1 : sum), 0);
const countRan = (outcomes: Uint8Array): number =>
  outcomes.reduce((sum, outcome) => (hasRun(outcome) ? sum + 1 : sum), 0);

interface OnBranch {
  readonly runs: readonly PastRun[];
  readonly history: TestHistory;
  readonly known: Known;
  readonly habits: Habits;
  /** How likely the test was broken at the base. */
  readonly broken: number;
  readonly cause: number;
}

/** Goes on from the base along the branch, where the change may break the test, and what was broken may be mended. */
export const branchTerm = ({ runs, history, known, habits: { breakRate }, broken, cause }: OnBranch): Term[] => {
  const { outcomes } = history;
  const of = countRan(outcomes);
  if (of === 0) return [];
  const atBase = { sound: 1 - broken, base: broken, yours: 0 };
  const passCommit = ({ sound, base, yours }: typeof atBase): typeof atBase => ({
    sound: sound * (1 - breakRate) + (base + yours) * MENDED,
    base: base * (1 - MENDED),
    yours: yours * (1 - MENDED) + sound * breakRate,
  });
  let now = atBase;
  for (const [at, run] of runs.entries()) {
    if (at === 0 || isOtherCommit(run, runs[at - 1])) now = passCommit(now);
    const likelihood = likelihoodOf(run, outcomes[at]!, known);
    if (!likelihood || isOtherFailure(history, at, cause)) continue;
    const [sound, base, yours] = [
      now.sound * likelihood.sound,
      now.base * likelihood.broken,
      now.yours * likelihood.broken,
    ];
    const all = sound + base + yours;
    now = { sound: sound / all, base: base / all, yours: yours / all };
  }
  now = passCommit(now);
  const without = passCommit(atBase);
  const gain = (reason: 'base' | 'yours'): number => now[reason] / now.sound / (without[reason] / without.sound);
  const bits = inBits({ base: gain('base'), yours: gain('yours') });
  return [{ kind: 'branch', count: countFailed(outcomes), of, bits }];
};

const OUTAGE_GOES_ON = 0.5;

interface OnCommit {
  readonly runs: readonly PastRun[];
  readonly history: TestHistory;
  readonly known: Known;
}

/** Between runs of one commit the code did not change. */
export const commitTerm = ({ runs, history: { outcomes }, known }: OnCommit): Term[] => {
  const of = countRan(outcomes);
  if (of === 0) return [];
  let [broken, flake, outage] = [1, 1, 1];
  for (const [at, run] of runs.entries()) {
    const likelihood = likelihoodOf(run, outcomes[at]!, known);
    if (!likelihood) continue;
    const hasFailed = outcomes[at] === weights.failed;
    broken *= hasFailed ? likelihood.broken : BROKEN_PASSES;
    if (hasFailed) {
      flake *= run.isOutage ? likelihood.sound : known.redAgain;
      outage *= OUTAGE_GOES_ON;
    }
  }
  const bits = inBits({ yours: broken, base: broken, flake, outage });
  return [{ kind: 'commit', count: countFailed(outcomes), of, bits }];
};

export const rateTerm = ({ flaky, runs, rate, usualRate }: Known): Term => ({
  kind: 'rate',
  count: flaky,
  of: runs,
  rate,
  bits: inBits({ flake: rate / usualRate }),
});

/** How often a flaky test fails on a further retry, once it failed on the first. */
const FAILS_YET_AGAIN = 0.6;

export const retriesTerm = (retries: number, { redShare }: Habits): Term[] =>
  retries === 0
    ? []
    : [{ kind: 'retries', count: retries, bits: inBits({ flake: redShare * FAILS_YET_AGAIN ** (retries - 1) }) }];

/** How likely a cause is that no test had before: of what is broken anew, and of what is flaky. */
const NEW_CAUSE = { broken: 0.7, flake: 0.2 };
/** What is broken goes on to fail for the same cause. */
const SAME_CAUSE = 0.9;
/** How likely it is that an outage has a cause that one before had. */
const OUTAGE_CAUSE = 0.5;

export const causeTerm = (
  cause: number,
  histories: Readonly<Record<'base' | 'branch' | 'commit', TestHistory>>,
  causes: SeenCauses,
): Term[] => {
  if (cause === 0) return [];
  let [count, of] = [0, 0];
  for (const history of Object.values(histories)) {
    for (const seen of history.usualCauses) {
      if (seen !== 0) of++;
      if (seen === cause) count++;
    }
  }
  const tests = causes.tests.get(cause) ?? 0;
  const isKnown = tests > 0 || causes.inOutages.has(cause);
  const seenShare = (tests + 1) / (causes.all + 2);
  const broken = isKnown ? (1 - NEW_CAUSE.broken) * seenShare : NEW_CAUSE.broken;
  const anyFlake = isKnown ? (1 - NEW_CAUSE.flake) * seenShare : NEW_CAUSE.flake;
  const goesOn = (last: number | undefined): number =>
    last === undefined ? broken : last === cause ? SAME_CAUSE : (1 - SAME_CAUSE) * broken;
  const atBase = lastFailed(histories.base);
  const bits = inBits({
    yours: hasCause(histories.commit, cause) || hasCause(histories.branch, cause) ? SAME_CAUSE : broken,
    base: goesOn(atBase),
    flake: (count + anyFlake) / (of + 1),
    outage: causes.inOutages.has(cause) ? OUTAGE_CAUSE : (1 - OUTAGE_CAUSE) * broken,
  });
  const outcome = atBase === cause ? 'atBase' : count > 0 ? 'before' : tests > 0 ? 'elsewhere' : 'new';
  return [{ kind: 'cause', outcome, count, of, bits }];
};

const hasCause = ({ outcomes, causes }: TestHistory, cause: number): boolean =>
  causes.some((seen, at) => seen === cause && outcomes[at] === weights.failed);

/** The cause of the last failure. */
const lastFailed = ({ outcomes, causes }: TestHistory): number | undefined =>
  causes.findLast((seen, at) => seen !== 0 && outcomes[at] === weights.failed);

/** A cause that so many tests had before may well come to two of them at once. */
const COMMON_CAUSE_TESTS = 3;

export const alikeTerm = (cause: number, alike: number, { tests }: SeenCauses): Term[] => {
  if (cause === 0) return [];
  const isCommon = (tests.get(cause) ?? 0) >= COMMON_CAUSE_TESTS;
  const bits =
    alike > 0
      ? inBits({ yours: 0.5, base: 0.4, flake: isCommon ? 0.3 : 0.05, outage: 0.95 })
      : inBits({ yours: 0.5, base: 0.6, flake: isCommon ? 0.7 : 0.95, outage: 0.05 });
  return [{ kind: 'alike', count: alike, bits }];
};

/** How often an error is of something around the tests, by the reason of the failure. */
const AROUND = { yours: 0.05, base: 0.05, flake: 0.15, outage: 0.6 };
/** A service that its change keeps from starting looks like one that is down. */
const AROUND_WHEN_ALL_BREAKS = 0.3;

export const aroundTerm = (cause: number, isAround: boolean, isMass: boolean): Term[] => {
  if (cause === 0) return [];
  const { base, flake, outage } = AROUND;
  const yours = isMass ? AROUND_WHEN_ALL_BREAKS : AROUND.yours;
  const bits = inBits({ ...AROUND, yours });
  const others = inBits({ yours: 1 - yours, base: 1 - base, flake: 1 - flake, outage: 1 - outage });
  return [{ kind: 'around', outcome: isAround ? 'around' : 'other', bits: isAround ? bits : others }];
};

/** How often a cause is seen on another branch that runs within hours. */
const ELSEWHERE = { yours: 0.01, base: 0.7, flake: 0.03, commonFlake: 0.2, outage: 0.5 };
/** And on one more, given the first. */
const ON_ONE_MORE = 0.2;

export const elsewhereTerm = (
  cause: number,
  { branches, of }: { readonly branches: number; readonly of: number },
  { tests }: SeenCauses,
): Term[] => {
  if (cause === 0 || of === 0) return [];
  const isCommon = (tests.get(cause) ?? 0) >= COMMON_CAUSE_TESTS;
  const { yours, base, outage } = ELSEWHERE;
  const flake = isCommon ? ELSEWHERE.commonFlake : ELSEWHERE.flake;
  const bits =
    branches > 0
      ? inBits({ yours: (isCommon ? flake : yours) * ON_ONE_MORE ** Math.min(2, branches - 1), base, flake, outage })
      : inBits({ yours: 1 - yours, base: 1 - base, flake: 1 - flake, outage: 1 - outage });
  return [{ kind: 'elsewhere', count: branches, of, bits }];
};

const TOUCHES_ITS_TESTS = 0.3;
const NOTHING_CHANGED = 2 ** -10;

export const filesTerm = (isTouched: boolean, change: Change | null): Term[] => {
  if (!change || (!isTouched && !change.isWhole)) return [];
  const { commits, touchedShare } = change;
  const outcome = isTouched ? 'touched' : 'untouched';
  const touched = (TOUCHES_ITS_TESTS + (1 - TOUCHES_ITS_TESTS) * touchedShare) / touchedShare;
  const yours = commits === 0 ? NOTHING_CHANGED : isTouched ? touched : 1 - TOUCHES_ITS_TESTS;
  return [{ kind: 'files', outcome, count: commits, bits: inBits({ yours }) }];
};

/** Chance that most of a run breaks, by its change or by something around it; and that a part of it does. */
const ALL_BREAKS = 0.01;
const PLACE_BREAKS = 0.003;
const CODE_IN_A_PLACE = 2 ** -8;
const FLAKES_IN_A_PLACE = 2 ** -3;
const FEW_FAILURES = 2 ** -8;

export const outageTerm = (place: Cluster | null, massShare: number | null, { breakRate }: Habits): Term => {
  const outage = Math.max(
    massShare === null ? IN_OUTAGE * FEW_FAILURES : ALL_BREAKS * massShare,
    place === null ? 0 : PLACE_BREAKS,
  );
  const byMass = massShare === null ? 1 : Math.max(breakRate, ALL_BREAKS * massShare) / breakRate;
  const bits = inBits({
    outage: outage / IN_OUTAGE,
    yours: byMass * (place === null ? 1 : CODE_IN_A_PLACE),
    flake: place === null ? 1 : FLAKES_IN_A_PLACE,
  });
  return { kind: 'outage', outcome: place ?? (massShare === null ? 'none' : 'many'), bits };
};
