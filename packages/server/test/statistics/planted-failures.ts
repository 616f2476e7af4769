import { createRandom, shuffled } from '@assay/testkit';
import { findOutages, massShareOf } from '../../src/features/runs/outages.ts';
import { weights } from '../../src/segments/letters.ts';
import { type Failure, explainFailures } from '../../src/statistics/explain-failures.ts';
import { learnHabits } from '../../src/statistics/flake-events.ts';
import type { Reason } from '../../src/statistics/verdict-terms.ts';
import {
  type JudgedFailure,
  type Judgement,
  type RunEvidence,
  countCauses,
  createJudge,
  createPlaces,
} from '../../src/statistics/verdicts.ts';
import { finish } from './flake-truth.ts';

/** A project, and what is known of it. */
export interface PlantedWorld {
  readonly tests: number;
  readonly flakyShare: number;
  /** How often a try of a flaky test fails at most. */
  readonly mostFlaky: number;
  readonly retries: number;
  /** How often a retry of a flaky test fails because the first try did. */
  readonly stickiness: number;
  readonly baseRuns: number;
  readonly base: 'commit' | 'time' | 'none';
  /** How often a commit breaks something. */
  readonly breaks: number;
  /** How many of the files with tests a change touches that do not break. */
  readonly touched: number;
  readonly areCommitsKnown: boolean;
  readonly outages: number;
  readonly reruns: number;
  /** How often a failure has one of few causes that many tests have. */
  readonly commonCauses: number;
  /** How often the error of an outage looks like one. */
  readonly outagesLookLikeIt: number;
  /** Other branches that run at the time. */
  readonly otherBranches: number;
}

export const USUAL_WORLD: PlantedWorld = {
  tests: 400,
  flakyShare: 0.04,
  mostFlaky: 0.3,
  retries: 1,
  stickiness: 0.3,
  baseRuns: 60,
  base: 'commit',
  breaks: 0.5,
  touched: 0.05,
  areCommitsKnown: true,
  outages: 0.05,
  reruns: 0.3,
  commonCauses: 0.3,
  outagesLookLikeIt: 0.6,
  otherBranches: 2,
};

const FILE_TESTS = 10;
const SHARDS = 4;
const RUN_MS = 600_000;
const COMMON_CAUSES = [1, 2, 3];
const OUTAGE_CAUSE = 4;
const FIRST_OWN_CAUSE = 100;

interface Test {
  readonly file: number;
  readonly shard: number;
  readonly failsTry: number;
  readonly flakeCauses: readonly number[];
  readonly startMs: number;
}

interface Broken {
  readonly by: 'base' | 'yours';
  readonly cause: number;
}
type State = ReadonlyMap<number, Broken>;

interface Ran {
  readonly outcomes: Uint8Array;
  readonly causes: Map<number, number>;
  readonly reasons: Map<number, Reason>;
}

export interface Verdict {
  readonly truth: Reason;
  readonly judgement: Judgement;
  /** Whether far more failed in its run than usual. */
  readonly isMass: boolean;
}

/** A run of a change whose failures have known reasons, and how they are judged. */
export const judgePlanted = (seed: string, world: PlantedWorld): Verdict[] => {
  const random = createRandom(seed);
  let lastCause = FIRST_OWN_CAUSE;
  const around = new Set<number>(COMMON_CAUSES.filter(() => random.chance(0.15)));
  let elsewhere = new Map<number, number>();
  const newCause = (): number => {
    if (random.chance(world.commonCauses)) return random.pick(COMMON_CAUSES);
    if (random.chance(0.05)) around.add(lastCause);
    return lastCause++;
  };
  const makeTest = (_: unknown, at: number): Test => {
    const file = Math.floor(at / FILE_TESTS);
    const isFlaky = random.chance(world.flakyShare);
    return {
      file,
      shard: file % SHARDS,
      failsTry: isFlaky ? 0.005 * (world.mostFlaky / 0.005) ** random.next() : 0,
      flakeCauses: random.chance(0.7) ? [newCause()] : [newCause(), newCause()],
      startMs: random.integer(0, RUN_MS),
    };
  };
  const tests = Array.from({ length: world.tests }, makeTest);

  const breakSome = (state: State, by: Broken['by'], among: readonly number[]): State => {
    const isAll = by === 'yours' && random.chance(0.04);
    const size = isAll ? among.length * (0.3 + 0.7 * random.next()) : Math.min(12, Math.floor(random.next() ** -0.7));
    const first = random.pick(among);
    const near = among.filter((test) => tests[test]!.file === tests[first]!.file);
    const hit = [first, ...shuffled(random, random.chance(0.5) && !isAll ? near : among)].slice(0, size);
    const shared = random.chance(0.6) ? newCause() : null;
    return new Map([...state, ...hit.map((test) => [test, { by, cause: shared ?? newCause() }] as const)]);
  };
  const mendSome = (state: State, chance: number): State => new Map([...state].filter(() => !random.chance(chance)));

  const runTests = (state: State, those: readonly number[]): Ran => {
    const outcomes = new Uint8Array(tests.length + world.tests);
    const ran: Ran = { outcomes, causes: new Map(), reasons: new Map() };
    const isOut = random.chance(world.outages);
    const outShard = random.chance(0.3) ? random.integer(0, SHARDS - 1) : null;
    const outFromMs = random.chance(0.4) ? random.integer(0, RUN_MS) : 0;
    const outShare = 0.4 + 0.6 * random.next();
    const outCause = random.chance(0.5) ? OUTAGE_CAUSE : lastCause++;
    if (isOut && random.chance(world.outagesLookLikeIt)) around.add(outCause);
    if (isOut && outShard === null) {
      for (let branch = 0; branch < world.otherBranches; branch++) {
        if (random.chance(0.5)) elsewhere.set(outCause, (elsewhere.get(outCause) ?? 0) + 1);
      }
    }
    const fail = (test: number, reason: Reason, cause: number): void => {
      outcomes[test] = weights.failed;
      ran.causes.set(test, cause);
      ran.reasons.set(test, reason);
    };
    for (const test of those) {
      const { failsTry, flakeCauses, shard, startMs } = tests[test]!;
      const isHit = isOut && (outShard === null || shard === outShard) && startMs >= outFromMs;
      const broken = state.get(test);
      if (broken) fail(test, broken.by, broken.cause);
      else if (isHit && random.chance(outShare)) fail(test, 'outage', outCause);
      else if (!random.chance(failsTry)) outcomes[test] = weights.passed;
      else {
        let tries = 1;
        while (tries <= world.retries && (random.chance(world.stickiness) || random.chance(failsTry))) tries++;
        const cause = random.pick(flakeCauses);
        if (tries > world.retries) fail(test, 'flake', cause);
        else {
          outcomes[test] = weights.flaky;
          ran.causes.set(test, cause);
        }
      }
    }
    return ran;
  };

  const old = [...tests.keys()];
  const base: (Ran & { commit: string })[] = [];
  const states: State[] = [];
  let state: State = new Map();
  let commit = 0;
  for (let run = 0; run < world.baseRuns; run++) {
    if (run === 0 || random.chance(0.85)) {
      commit++;
      state = mendSome(state, 0.2);
      if (random.chance(0.1)) state = breakSome(state, 'base', old);
    }
    states.push(state);
    base.push({ ...runTests(state, old), commit: `m${commit}` });
  }
  // The branch began some commits before the run that is taken for its base.
  const began = world.base === 'time' ? Math.max(0, states.length - 1 - random.integer(0, 3)) : states.length - 1;
  state = mendSome(states[began] ?? new Map(), 0.05);

  let now = old;
  if (random.chance(0.1)) {
    const renamed = random.pick(old);
    const name = tests.push({ ...tests[renamed]! }) - 1;
    now = [...old.filter((test) => test !== renamed), name];
    state = new Map([...state].map(([test, broken]) => [test === renamed ? name : test, broken]));
  }
  const added: number[] = [];
  if (random.chance(0.3)) {
    for (let count = random.integer(1, 3); count > 0; count--) added.push(tests.push(makeTest(null, tests.length)) - 1);
    now = [...now, ...added];
  }
  const commits = random.integer(1, 4);
  const breaksAt = random.chance(world.breaks) ? random.integer(1, commits) : 0;
  const branch: (Ran & { commit: string })[] = [];
  for (let number = 1; number <= commits; number++) {
    if (number === breaksAt) state = breakSome(state, 'yours', now);
    if (number === 1) {
      for (const test of added) {
        if (random.chance(0.15)) state = new Map([...state, [test, { by: 'yours', cause: newCause() }]]);
      }
    }
    if (number < commits && random.chance(0.5)) branch.push({ ...runTests(state, now), commit: `b${number}` });
  }
  elsewhere = new Map(COMMON_CAUSES.filter(() => random.chance(0.1)).map((cause) => [cause, 1]));
  for (const { by, cause } of state.values()) if (by === 'base' && random.chance(0.6)) elsewhere.set(cause, 1);
  const final = runTests(state, now);
  const elsewhereThen = elsewhere;
  const same: (Ran & { commit: string })[] = [];
  while (random.chance(world.reruns) && same.length < 3) same.push({ ...runTests(state, now), commit: 'b-last' });

  const touchedFiles = new Set<number>();
  for (const { file } of tests) if (random.chance(world.touched / FILE_TESTS)) touchedFiles.add(file);
  for (const [test, { by }] of state) if (by === 'yours' && random.chance(0.3)) touchedFiles.add(tests[test]!.file);
  for (const test of added) touchedFiles.add(tests[test]!.file);

  return judgeRun({
    world,
    tests,
    now,
    base: world.base === 'none' ? [] : base,
    branch,
    same,
    final,
    touchedFiles,
    around,
    elsewhere: elsewhereThen,
  });
};

interface PlantedRun {
  readonly world: PlantedWorld;
  readonly tests: readonly Test[];
  readonly now: readonly number[];
  readonly base: readonly (Ran & { commit: string })[];
  readonly branch: readonly (Ran & { commit: string })[];
  readonly same: readonly (Ran & { commit: string })[];
  readonly final: Ran;
  readonly touchedFiles: ReadonlySet<number>;
  readonly around: ReadonlySet<number>;
  readonly elsewhere: ReadonlyMap<number, number>;
}

const judgeRun = ({
  world,
  tests,
  now,
  base,
  branch,
  same,
  final,
  touchedFiles,
  around,
  elsewhere,
}: PlantedRun): Verdict[] => {
  const countsOf = ({ outcomes }: Ran) => {
    const ran = outcomes.filter((weight) => weight >= weights.passed);
    return {
      total_tests: ran.length,
      skipped_tests: 0,
      failed_tests: ran.filter((weight) => weight === weights.failed).length,
      flaky_tests: ran.filter((weight) => weight === weights.flaky).length,
    };
  };
  const [baseCounts, finalCounts] = [base.map(countsOf), countsOf(final)];
  const others = new Set(
    findOutages([...baseCounts, ...[...branch, ...same].map(countsOf)]).map((run) => JSON.stringify(run)),
  );
  const evidence = (runs: readonly (Ran & { commit: string })[]): RunEvidence[] =>
    runs.map((run) => ({
      run: { commit: run.commit, isOutage: others.has(JSON.stringify(countsOf(run))) },
      outcomes: run.outcomes,
      causes: Int32Array.from(run.outcomes, (_, test) => run.causes.get(test) ?? 0),
    }));
  const past = { base: evidence(base), branch: evidence(branch), commit: evidence(same) };
  const habits = finish(
    learnHabits(
      past.base.map(({ run }) => run),
      past.base.map(({ outcomes }) => Uint8Array.from(now, (test) => outcomes[test]!)),
      now.length,
    ),
  );
  const failed = [...final.reasons.keys()];
  const failures = failed.map((test): Failure => ({
    cause: String(final.causes.get(test)!),
    since: null,
    isKnownFlake: false,
    flakesAlike: 0,
    shard: String(tests[test]!.shard),
    worker: null,
    browser: null,
    environment: null,
    version: null,
    file: String(tests[test]!.file),
    touched: null,
    startMs: tests[test]!.startMs,
  }));
  const counts = (keyOf: (test: number) => number) =>
    new Map([...Map.groupBy(now, keyOf)].map(([key, those]) => [String(key), those.length]));
  const surroundings = {
    ran: now.length,
    at: {
      shard: counts((test) => tests[test]!.shard),
      worker: new Map(),
      browser: new Map(),
      environment: new Map(),
      version: new Map(),
      file: counts((test) => tests[test]!.file),
      touched: new Map(),
    },
    startsMs: Float64Array.from(now, (test) => tests[test]!.startMs).sort(),
    news: [],
  };
  const placeOf = createPlaces(explainFailures(failures, surroundings), failures, surroundings);
  const files = new Set(now.map((test) => tests[test]!.file));
  const massShare = massShareOf(finalCounts, baseCounts);
  const judge = createJudge({
    past,
    isBaseSure: world.base === 'commit',
    habits,
    causes: finish(countCauses(past.base, tests.length)),
    change: world.areCommitsKnown
      ? { commits: 2, isWhole: true, touchedShare: Math.max(1, touchedFiles.size) / files.size }
      : null,
    massShare,
    otherBranches: world.otherBranches,
  });
  const present = new Set(now);
  const gone =
    base.length === 0 ? [] : [...tests.keys()].filter((test) => !present.has(test) && base.at(-1)!.outcomes[test]! > 0);
  return failed.map((test, number) => {
    const cause = final.causes.get(test)!;
    const isNew = base.length > 0 && base.every(({ outcomes }) => outcomes[test] === 0);
    const rivals = gone.filter((other) => tests[other]!.file === tests[test]!.file);
    const newness: JudgedFailure['newness'] = !isNew
      ? null
      : rivals.some((other) => base.at(-1)!.causes.get(other) === cause)
        ? 'renamedBroken'
        : rivals.length > 0
          ? 'renamed'
          : 'new';
    const judgement = judge({
      test,
      retries: world.retries,
      cause,
      alike: failed.filter((other) => other !== test && final.causes.get(other) === cause).length,
      elsewhere: elsewhere.get(cause) ?? 0,
      isAround: around.has(cause),
      isTouched: world.areCommitsKnown && touchedFiles.has(tests[test]!.file),
      place: placeOf(failures[number]!),
      newness,
    });
    return { truth: final.reasons.get(test)!, judgement, isMass: massShare !== null };
  });
};
