import type { FlakeCost, RedForecast } from '@assay/contract';
import { readRuns } from '../../history/read-runs.ts';
import type { TestCatalogue } from '../../history/test-catalogue.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { createChanceFinder } from '../../statistics/chance-failures.ts';
import { type CostedRun, type Share, type Tries, costOfFlakes } from '../../statistics/flake-cost.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import type { RecentRun } from '../runs/run-refs.ts';
import { runsPerWeekOf } from './flake-model.ts';

/** A run in which more failed was not red by chance: the others of its failures are not looked at. */
const MOST_LOOKED_AT = 100;
const MINUTE_MS = 60_000;

/** What failures by chance cost in some runs, the oldest first; outages are left out, given by their ids. */
export const findFlakeCost = async (
  { segments, tests }: { readonly segments: SegmentStore; readonly tests: TestCatalogue },
  runs: readonly RecentRun[],
  outages: ReadonlySet<number>,
): Promise<FlakeCost> => {
  const usual = runs.filter(({ id }) => !outages.has(id));
  const seen = await readFailures(segments, usual);
  const failures = seen.flatMap(({ failed }, run) => failed.map((failure) => ({ run, ...failure })));
  const retried = new Set(seen.flatMap((run) => run.retried.map(({ test }) => test)));
  const byChance = await findByChance(segments, usual, failures, retried);
  const chance = Map.groupBy(
    failures.filter((_, at) => byChance[at]),
    ({ run }) => run,
  );
  const costed = seen.map((run, at) => costOfRun(run, chance.get(at) ?? []));
  const cost = costOfFlakes(costed);
  const names = await tests.find(cost.muted.map(({ test }) => test));
  const failedMs = seen.reduce((sum, run) => sum + run.failedMs, 0);
  const chanceMs = [...chance.values()].flat().reduce((sum, failure) => sum + failure.failedMs, 0);
  return {
    runs: usual.length,
    outages: outages.size,
    runsPerWeek: Number(runsPerWeekOf(runs).toPrecision(3)),
    redRuns: cost.redRuns,
    redByChance: cost.redByChance,
    failedMinutes: minutes(failedMs),
    minutesByChance: minutes(chanceMs + seen.reduce((sum, run) => sum + run.flakyMs, 0)),
    withOneMoreRetry: cost.retried && presentShare(cost.retried),
    tests: cost.muted.flatMap(({ test, redRuns, freedRuns, red }) => {
      const name = names.get(test);
      if (!name) return [];
      const { title, file: filePath, browser } = name;
      return [{ id: test, title, filePath, browser, redRuns, freedRuns, withoutThese: red && presentShare(red) }];
    }),
  };
};

const minutes = (ms: number): number => Math.round(ms / (MINUTE_MS / 10)) / 10;

const presentShare = ({ share, low, high }: Share): RedForecast => ({
  redShare: perCent(share),
  low: perCent(low),
  high: perCent(high),
});

const perCent = (share: number): number => Math.round(share * 1000) / 10;

interface Failed {
  readonly test: number;
  readonly retries: number;
  readonly failedMs: number;
}

/** What failed in a run, or failed at first. */
interface SeenRun {
  readonly failed: Failed[];
  readonly retried: Tries[];
  /** Failures that were not looked at. */
  further: number;
  /** Of attempts that failed: in all, and of results that passed on a retry. */
  failedMs: number;
  flakyMs: number;
}

/** Stands for all tests that were not looked at. */
const FURTHER = 0;

const costOfRun = (run: SeenRun, chance: readonly Failed[]): CostedRun => {
  const byChance = new Set(chance.map(({ test }) => test));
  const others = run.failed.map(({ test }) => test).filter((test) => !byChance.has(test));
  return {
    byChance: [...byChance],
    others: run.further > 0 ? [...others, FURTHER] : others,
    tries: [...run.retried, ...chance.map(({ test, retries }) => ({ test, failed: retries, passed: 0 }))],
  };
};

const readFailures = async (segments: SegmentStore, runs: readonly RecentRun[]): Promise<SeenRun[]> => {
  const seen: SeenRun[] = [];
  for await (const { results } of readRuns(segments, runs, nextTurn)) {
    const run: SeenRun = { failed: [], retried: [], further: 0, failedMs: 0, flakyMs: 0 };
    seen.push(run);
    if (results === null) continue;
    await eachOutcome(results, (row, weight) => {
      if (weight !== weights.failed && weight !== weights.flaky) return;
      const failedMs = failedMsOf(results, row, weight === weights.failed);
      const test = results.testId.values[row]!;
      const retries = results.retries.values[row]!;
      run.failedMs += failedMs;
      if (weight === weights.flaky) {
        run.retried.push({ test, failed: retries - 1, passed: 1 });
        run.flakyMs += failedMs;
      } else if (run.failed.length < MOST_LOOKED_AT) run.failed.push({ test, retries, failedMs });
      else run.further++;
    });
  }
  return seen;
};

/** How long the attempts that failed took; of a result that does not tell its attempts, all of it if it failed. */
const failedMsOf = (results: Results, row: number, isFailed: boolean): number => {
  const failedMs = results.failedMs.at(row);
  if (!Number.isNaN(failedMs)) return failedMs;
  const durationMs = results.durationMs.values[row]!;
  return isFailed && !Number.isNaN(durationMs) ? durationMs : 0;
};

const findByChance = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  failures: readonly { readonly run: number; readonly test: number }[],
  retried: ReadonlySet<number>,
): Promise<boolean[]> => {
  const codeOf = runs.map(({ branch, commit_hash: commit }) => ({ branch, commit }));
  const finder = createChanceFinder(codeOf, failures, retried);
  for await (const { index, results } of readRuns(segments, failures.length > 0 ? runs : [], nextTurn)) {
    if (results === null) continue;
    await eachOutcome(results, (row, weight) => {
      const test = results.testId.values[row]!;
      if (weight >= weights.passed && finder.wants(test)) finder.add(index, test, weight !== weights.failed);
    });
  }
  return finder.find();
};

const eachOutcome = (results: Results, take: (row: number, weight: number) => void): Promise<void> => {
  const statuses = results.status.values;
  const retries = results.retries.values;
  return inPieces(results.rows, nextTurn, ({ from, to }) => {
    for (let row = from; row < to; row++) take(row, weightOf(statuses[row]!, retries[row]!));
  });
};
