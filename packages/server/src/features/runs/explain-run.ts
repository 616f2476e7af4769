import {
  COMPARED_RUNS,
  type ExplainingStatement,
  MOST_EXPLAINED,
  MOST_NAMED_RESULTS,
  type RunExplanation,
  type SharedTrait,
  formatTime,
  resultId,
} from '@assay/contract';
import type { Context } from '../../context.ts';
import { readRuns } from '../../history/read-runs.ts';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import { weightAt, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { placeAt } from '../../segments/row-indices.ts';
import {
  type Explanation,
  type Failure,
  type Place,
  type Places,
  type Statement,
  type Surroundings,
  TOUCHED,
  type Trait,
  explainInSteps,
} from '../../statistics/explain-failures.ts';
import { inTurns, nextTurn } from '../../turns.ts';
import { findBaseline } from './baseline.ts';
import { type EarlierRun, listComparedRuns } from './compare-run.ts';
import { addEarlierRun, startFailureRows } from './failure-rows.ts';
import { findOutages } from './outages.ts';
import type { ShownRun } from './present-run.ts';
import { type Conditions, readConditions } from './run-conditions.ts';
import { presentRunRef } from './run-refs.ts';
import { readChange } from './verdict-change.ts';
import { listWindowRuns } from './window.ts';

const ROWS_PER_PIECE = 5_000;
/** Of more, the order of starts is not looked at: sorting them would hold up everyone else. */
const MOST_STARTS = 100_000;
/** A test that was flaky once may have been unlucky. */
const LEAST_FLAKY_RUNS = 2;

interface NamedFailure extends Failure {
  readonly testId: number;
  readonly testCaseId: number;
  readonly title: string;
}

/** Why a run is red. */
export const explainRun = async (context: Context, run: ShownRun, results: Results): Promise<RunExplanation> => {
  const { queries } = context;
  const baseline = await findBaseline(queries, run);
  const earlier = (await listComparedRuns(queries, run, baseline)).slice(0, COMPARED_RUNS);
  const past = await readPast(context, results, earlier);
  const conditions = await readConditions(queries, run, earlier);
  const before = earlier.find(({ commit_hash }) => commit_hash !== run.commit_hash)?.commit_hash ?? null;
  const { touches } = await readChange(queries, run, run.base_commit ?? (baseline === null ? before : null), NO_FILES);
  const { failures, count, surroundings } = await readFailures(context, run, results, { past, touches, conditions });
  const explanation = await inTurns(explainInSteps(failures, surroundings));
  return {
    failures: count,
    lookedAt: failures.length,
    ran: surroundings.ran,
    comparedRuns: earlier.length,
    farMoreThanUsual: await isOutage(context, run),
    ...present(explanation, failures, earlier, past),
  };
};

const NO_FILES = new Map<string, number>();

interface Past {
  /** By test. */
  readonly since: ReadonlyMap<number, number>;
  readonly knownFlakes: ReadonlyMap<number, KnownFlake>;
}

/** In how many runs it was flaky, and in how many of these with the cause that it fails for now. */
interface KnownFlake {
  readonly runs: number;
  readonly alike: number;
}

const readPast = async ({ segments }: Context, results: Results, earlier: readonly EarlierRun[]): Promise<Past> => {
  const rows = await startFailureRows(results);
  const { ids } = rows.tests;
  const flakyRuns = new Int32Array(ids.length);
  const alike = new Int32Array(ids.length);
  const causes = ids.map((_, test) =>
    rows.weight[test] === weights.failed ? causeAt(results, rows.row[test]!) : null,
  );
  for await (const { index, results: past } of readRuns(segments, earlier, nextTurn)) {
    if (past === null) continue;
    const { weight, row } = await addEarlierRun(rows, index, past);
    for (let test = 0; test < flakyRuns.length; test++) {
      if (weight[test] !== weights.flaky) continue;
      flakyRuns[test]!++;
      const cause = causes[test]!;
      if (cause !== null && causeAt(past, row[test]!) === cause) alike[test]!++;
    }
  }
  const since = new Map<number, number>();
  const knownFlakes = new Map<number, KnownFlake>();
  for (const [test, id] of ids.entries()) {
    if (rows.weight[test] !== weights.failed) continue;
    if (rows.failedRuns[test]! > 0) since.set(id, rows.oldestFailed[test]!);
    else if (flakyRuns[test]! >= LEAST_FLAKY_RUNS) knownFlakes.set(id, { runs: flakyRuns[test]!, alike: alike[test]! });
  }
  return { since, knownFlakes };
};

const causeAt = (results: Results, row: number): string | null => {
  const cause = numberOrNull(results.cause.at(row));
  return cause === null ? null : results.strings.at(cause);
};

interface Known {
  readonly past: Past;
  readonly touches: (file: string) => boolean;
  readonly conditions: Conditions;
}

/** The failures of a run, and what else ran. */
export const readFailures = async (
  { tests }: Context,
  run: ShownRun,
  results: Results,
  { past, touches, conditions }: Known,
) => {
  const failures: NamedFailure[] = [];
  const at = {
    shard: new Map(),
    worker: new Map(),
    browser: new Map(),
    environment: new Map(),
    version: new Map(),
    file: new Map(),
    touched: new Map(),
  } as const;
  const touched = new Map<string, boolean>();
  const isTouched = (file: string): boolean => {
    const known = touched.get(file) ?? touches(file);
    touched.set(file, known);
    return known;
  };
  const startsMs = new Float64Array(results.rows <= MOST_STARTS ? results.rows : 0);
  let [ran, count, started] = [0, 0, 0];
  for (let from = 0; from < results.rows; from += ROWS_PER_PIECE) {
    if (from > 0) await nextTurn();
    const to = Math.min(from + ROWS_PER_PIECE, results.rows);
    const names = await tests.findEach(results.testId.values.subarray(from, to));
    for (let row = from; row < to; row++) {
      const weight = weightAt(results, row);
      if (weight === weights.skipped) continue;
      ran++;
      const places = placesOf(results, row, names[row - from], isTouched, conditions);
      for (const [place, value] of Object.entries(places) as [Place, string | null][]) {
        if (value !== null) at[place].set(value, (at[place].get(value) ?? 0) + 1);
      }
      const startMs = numberOrNull(results.startMs.values[row]!);
      if (startMs !== null && startsMs.length > 0) startsMs[started++] = startMs;
      if (weight !== weights.failed) continue;
      count++;
      if (failures.length === MOST_EXPLAINED) continue;
      const testId = results.testId.values[row]!;
      failures.push({
        ...places,
        startMs,
        cause: causeAt(results, row),
        since: past.since.get(testId) ?? null,
        isKnownFlake: past.knownFlakes.has(testId),
        flakesAlike: past.knownFlakes.get(testId)?.alike ?? 0,
        testId,
        testCaseId: resultId(run.id, placeAt(results, row).index),
        title: names[row - from]?.title ?? 'unknown',
      });
    }
  }
  const surroundings: Surroundings = {
    ran,
    at,
    startsMs: startsMs.subarray(0, started).sort(),
    news: conditions.news,
  };
  return { failures, count, surroundings };
};

const numberOrNull = (number: number): number | null => (Number.isNaN(number) ? null : number);

const placesOf = (
  results: Results,
  row: number,
  test: CataloguedTest | undefined,
  isTouched: (file: string) => boolean,
  { ofShard }: Conditions,
): Places => {
  const { shard } = placeAt(results, row);
  const lane = numberOrNull(results.lane.values[row]!);
  return {
    shard: shard > 0 ? String(shard) : null,
    worker: lane === null ? null : shard > 0 ? `${lane + 1} of shard ${shard}` : String(lane + 1),
    browser: test?.browser ?? null,
    environment: ofShard.get(shard)?.environment ?? null,
    version: ofShard.get(shard)?.version ?? null,
    file: test?.file ?? null,
    touched: test && isTouched(test.file) ? TOUCHED : null,
  };
};

/** Beside those of its branch that came before. */
const isOutage = async ({ queries }: Context, run: ShownRun): Promise<boolean> => {
  const window = { branch: run.branch ?? undefined, sinceMs: undefined, untilMs: run.start_time + 1 };
  const runs = await listWindowRuns(queries, run.project_id, window, COMPARED_RUNS);
  return findOutages(runs).some(({ id }) => id === run.id);
};

const present = (
  { statements, unexplained }: Explanation,
  failures: readonly NamedFailure[],
  earlier: readonly EarlierRun[],
  { knownFlakes }: Past,
): Pick<RunExplanation, 'statements' | 'unexplained'> => {
  const named = (numbers: readonly number[]) =>
    numbers.slice(0, MOST_NAMED_RESULTS).map((number) => {
      const { testCaseId, title } = failures[number]!;
      return { testCaseId, title };
    });
  const flakesOf = ({ traits: [first], failures: those }: Statement): ExplainingStatement['flakes'] => {
    if (first?.kind !== 'flake') return null;
    const known = those.map((number) => knownFlakes.get(failures[number]!.testId)!);
    return {
      runs: Math.max(...known.map(({ runs }) => runs)),
      withThisError: known.filter(({ alike }) => alike > 0).length,
      timesWithThisError: known.reduce((sum, { alike }) => sum + alike, 0),
    };
  };
  return {
    statements: statements.map((statement: Statement): ExplainingStatement => ({
      failures: statement.failures.length,
      ran: statement.ran,
      traits: statement.traits.map((trait) => presentTrait(trait, earlier)),
      flakes: flakesOf(statement),
      results: named(statement.failures),
    })),
    unexplained: { failures: unexplained.length, results: named(unexplained) },
  };
};

const NOTHING = { value: null, before: null, since: null, from: null, to: null };

const presentTrait = (trait: Trait, earlier: readonly EarlierRun[]): SharedTrait => {
  switch (trait.kind) {
    case 'since':
      return { ...NOTHING, kind: 'since', since: presentRunRef(earlier[trait.run]!) };
    case 'flake':
      return { ...NOTHING, kind: 'flake' };
    case 'cause':
      return { ...NOTHING, kind: 'cause', value: trait.cause };
    case 'place':
      return { ...NOTHING, kind: trait.place, value: trait.value };
    case 'news':
      return { ...NOTHING, kind: trait.news.of, value: trait.news.value, before: trait.news.before };
    case 'time': {
      const { fromMs, toMs } = trait.span;
      return { ...NOTHING, kind: 'time', from: formatTime(fromMs), to: toMs === null ? null : formatTime(toMs) };
    }
  }
};
