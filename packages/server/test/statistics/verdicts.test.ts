import { expect, it } from 'vitest';
import { weights } from '../../src/segments/letters.ts';
import { countFlakeEvents, learnHabits, runsOfSameCommit } from '../../src/statistics/flake-events.ts';
import {
  type JudgedFailure,
  type Past,
  type Situation,
  countCauses,
  createJudge,
} from '../../src/statistics/verdicts.ts';
import { finish } from './flake-truth.ts';
import { measureVerdicts } from './verdict-truth.ts';

const { passed, failed, flaky, skipped, notRun } = weights;

const runsOf = (outcomes: readonly number[], commits?: readonly string[]) =>
  outcomes.map((outcome, at) => ({
    run: { commit: commits?.[at] ?? `c${at}`, isOutage: false },
    outcomes: Uint8Array.of(outcome),
    causes: Int32Array.of(outcome >= flaky ? 7 : 0),
  }));

const NO_PAST: Past = { base: [], branch: [], commit: [] };

const situation = ({ past = NO_PAST, ...fields }: Partial<Situation> = {}): Situation => ({
  past,
  causes: finish(countCauses(past.base, 1)),
  isBaseSure: true,
  habits: finish(learnHabits([], [], 100)),
  change: null,
  massShare: null,
  otherBranches: 0,
  ...fields,
});

const failure = (fields: Partial<JudgedFailure> = {}): JudgedFailure => ({
  test: 0,
  retries: 1,
  cause: 1,
  alike: 0,
  elsewhere: 0,
  isAround: false,
  isTouched: false,
  place: null,
  newness: null,
  ...fields,
});

it('what is called newly broken nearly always is, and little is unknown', () => {
  const { all, usual } = measureVerdicts('planted', { tests: 150, baseRuns: 40 }, 60);
  expect(all.precision).toBeGreaterThanOrEqual(0.95);
  expect(usual.precision).toBeGreaterThanOrEqual(0.95);
  // 60 runs are few; `npm run prove -- truth` tries 200 of each kind of project.
  expect(usual.unknown).toBeLessThanOrEqual(0.2);
});

it('a run after which a test passes again on the same commit is flaky, one between others nearly so', () => {
  const count = (outcomes: readonly number[], commits: readonly string[]) => {
    const runs = commits.map((commit) => ({ commit, isOutage: false }));
    return countFlakeEvents(runs, runsOfSameCommit(runs), Uint8Array.from(outcomes));
  };
  expect(count([passed, failed, passed], ['a', 'b', 'b'])).toEqual({ runs: 3, flaky: 1, red: 1, breaks: 0 });
  expect(count([passed, failed, passed], ['a', 'b', 'c'])).toEqual({ runs: 2.25, flaky: 0.25, red: 0.25, breaks: 0 });
  expect(count([passed, failed, failed], ['a', 'b', 'c'])).toEqual({ runs: 1, flaky: 0, red: 0, breaks: 1 });
  expect(count([passed, flaky, skipped, notRun], ['a', 'b', 'c', 'd'])).toMatchObject({ runs: 2, flaky: 1 });
});

it('a failure during an outage says nothing of its test', () => {
  const runs = [
    { commit: 'a', isOutage: false },
    { commit: 'b', isOutage: true },
    { commit: 'c', isOutage: false },
  ];
  const events = countFlakeEvents(runs, runsOfSameCommit(runs), Uint8Array.of(passed, failed, passed));
  expect(events).toEqual({ runs: 2, flaky: 0, red: 0, breaks: 0 });
});

it('what failed in several runs with most others, for the same cause, was broken before and is no outage', () => {
  const passes = runsOf(Array.from({ length: 40 }, () => passed));
  const mass = runsOf([failed, failed, failed, failed], ['a', 'b', 'c', 'd']).map((each) => ({
    ...each,
    run: { ...each.run, isOutage: true },
  }));
  const past = { base: [...passes, ...mass], branch: [], commit: [] };
  const judge = createJudge(situation({ past, massShare: 0.3 }));
  expect(judge(failure({ cause: 7, alike: 30 })).verdict).toBe('base');
  expect(judge(failure({ cause: 8, alike: 30 })).verdict).not.toBe('base');
});

it('nothing is told of a failure whose base is not known', () => {
  expect(createJudge(situation())(failure()).verdict).toBe('unknown');
});

it('more passes at the base speak more for the change, and failures there against it', () => {
  const yours = [1, 5, 40].map((count) => {
    const base = runsOf(Array.from({ length: count }, () => passed));
    return createJudge(situation({ past: { base, branch: [], commit: [] } }))(failure()).odds.yours;
  });
  expect(yours).toEqual(yours.toSorted((a, b) => a - b));
  const base = runsOf([passed, passed, failed, failed]);
  const broken = createJudge(situation({ past: { base, branch: [], commit: [] } }))(failure({ cause: 7 }));
  expect(broken).toMatchObject({ verdict: 'base', terms: expect.arrayContaining([]) as unknown });
});

it('a pass on the same commit clears the change, a failure on it clears chance', () => {
  const base = runsOf(Array.from({ length: 40 }, () => passed));
  const judged = (outcomes: readonly number[]) =>
    createJudge(situation({ past: { base, branch: [], commit: runsOf(outcomes, ['x', 'x']) } }))(failure()).odds;
  expect(judged([passed, passed]).yours).toBeLessThan(judged([]).yours);
  expect(judged([failed, failed]).flake).toBeLessThan(judged([]).flake);
});

it('failures of one shard that several files are in are hardly of code', () => {
  const base = runsOf(Array.from({ length: 40 }, () => passed));
  const judge = createJudge(situation({ past: { base, branch: [], commit: [] } }));
  const [alone, placed] = [failure({ alike: 12 }), failure({ alike: 12, place: 'shard' as const })].map(judge);
  expect(alone!.verdict).toBe('yours');
  expect(placed!.odds.outage).toBeGreaterThan(placed!.odds.yours);
});
