import { type FlakeFactor, type FlakeFactors, MOST_FACTORS } from '@assay/contract';
import type { Context } from '../../context.ts';
import { readRuns } from '../../history/read-runs.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { placeAt, rowAt } from '../../segments/row-indices.ts';
import { type Sighting, findFactors, tabulate } from '../../statistics/flake-factors.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import { getProjectRow } from '../projects/queries.ts';
import { testNotFound } from './get-test.ts';
import { type PastRun, leaveOutages, readPastRuns } from './past-runs.ts';

const KINDS = ['shard', 'worker', 'environment', 'hour', 'before', 'together'] as const;
const HOURS = 4;
/** Of a run with more flaky tests than this, which ones they are says little. */
const MOST_TOGETHER = 200;

/** What a test is flaky with more often than without. */
export const findFlakeFactors = async (
  context: Context,
  id: number,
  branch: string | undefined,
  startLargeRead: (rows: number) => Promise<void>,
): Promise<FlakeFactors> => {
  const { queries, segments } = context;
  const test = await queries
    .selectFrom('tests')
    .select(['project_id', 'file', 'title'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!test) throw testNotFound(id);
  const read = await readPastRuns(context, await getProjectRow(queries, test.project_id), id, branch);
  const past = leaveFailures(leaveOutages(read.runs).runs);
  const flaky = past.filter(({ isFlaky }) => isFlaky).length;
  const nothing = { branch: read.branch, results: past.length, flaky, tried: 0, factors: [] };
  if (flaky === 0 || flaky === past.length) return nothing;
  await startLargeRead(past.reduce((sum, { run }) => sum + run.result_count, 0));
  const browsers = await readBrowsers(context, test, past.at(-1)!);
  const environments = await readEnvironments(context, past);
  const sightings: Sighting[] = [];
  const inBrowsers: Sighting[] = [];
  const byRun = new Map(past.map((each) => [each.run.id, each]));
  for await (const { run, results } of readRuns(
    segments,
    past.map((each) => each.run),
    nextTurn,
  )) {
    const { index, isFlaky, startTime } = byRun.get(run.id)!;
    const row = results === null ? -1 : rowAt(results, index);
    if (results === null || row < 0) continue;
    const around = await lookAround(results, row, browsers);
    const startMs = numberOrNull(results.startMs.at(row)) ?? startTime;
    sightings.push({
      isFlaky,
      with: { ...around.with, environment: listOf(environments.get(run.id)), hour: [hourOf(startMs)] },
    });
    inBrowsers.push(...around.inBrowsers);
  }
  const tables = [
    ...KINDS.flatMap((kind) => tabulate(sightings, kind)),
    ...(browsers.size > 1 ? tabulate(inBrowsers, 'browser') : []),
  ];
  const { tried, believed } = findFactors(tables);
  const told = believed.slice(0, MOST_FACTORS);
  const names = await context.tests.find(told.flatMap(({ found }) => testIdOf(found) ?? []));
  const factors = told.map(({ found, chance }): FlakeFactor => {
    const testId = testIdOf(found);
    const { kind, flakyWith, runsWith, flakyWithout, runsWithout } = found;
    return {
      kind: kind as FlakeFactor['kind'],
      value: testId === null ? found.value : (names.get(testId)?.title ?? 'unknown'),
      testId,
      flakyWith,
      runsWith,
      flakyWithout,
      runsWithout,
      chance: Number(chance.toPrecision(3)),
    };
  });
  return { ...nothing, tried, factors };
};

const testIdOf = ({ kind, value }: { readonly kind: string; readonly value: string }): number | null =>
  kind === 'before' || kind === 'together' ? Number(value) : null;

type Seen = PastRun & { readonly isFlaky: boolean };

/** Passed and flaky results, and failures on commits that another run passed: other failures may be of broken code. */
const leaveFailures = (runs: readonly PastRun[]): Seen[] => {
  const passed = new Set(
    runs.flatMap(({ outcome, commit }) => (outcome === 'failed' || commit === null ? [] : commit)),
  );
  return runs
    .filter(({ outcome, commit }) => outcome !== 'failed' || (commit !== null && passed.has(commit)))
    .map((run) => ({ ...run, isFlaky: run.outcome !== 'passed' }));
};

const TESTS_AT_ONCE = 5_000;

/** The test in each browser, by id, as the latest of the runs has it. */
const readBrowsers = async (
  { segments, tests }: Context,
  { file, title }: { readonly file: string; readonly title: string },
  last: Seen,
): Promise<ReadonlyMap<number, string>> => {
  const browsers = new Map<number, string>();
  const ids = (await segments.results([last.run])).get(last.run.id)?.testId.values ?? new Float64Array();
  for (let from = 0; from < ids.length; from += TESTS_AT_ONCE) {
    if (from > 0) await nextTurn();
    for (const test of await tests.findEach(ids.subarray(from, from + TESTS_AT_ONCE))) {
      if (test?.browser && test.title === title && test.file === file) browsers.set(test.id, test.browser);
    }
  }
  return browsers;
};

const readEnvironments = async (
  { queries }: Context,
  runs: readonly Seen[],
): Promise<ReadonlyMap<number, string | null>> => {
  const rows = await queries
    .selectFrom('runs')
    .select(['id', 'environment'])
    .where(
      'id',
      'in',
      runs.map(({ run }) => run.id),
    )
    .execute();
  return new Map(rows.map(({ id, environment }) => [id, environment]));
};

const numberOrNull = (number: number): number | null => (Number.isNaN(number) ? null : number);
const listOf = (value: string | null | undefined): string[] | undefined =>
  value === null || value === undefined ? undefined : [value];

/** `08:00–12:00 UTC`. */
const hourOf = (timeMs: number): string => {
  const from = Math.floor(new Date(timeMs).getUTCHours() / HOURS) * HOURS;
  const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  return `${clock(from)}–${clock(from + HOURS)} UTC`;
};

/** Where a result ran, after what, and what else was flaky in its run. */
const lookAround = async (results: Results, own: number, browsers: ReadonlyMap<number, string>) => {
  const { shard } = placeAt(results, own);
  const lane = numberOrNull(results.lane.at(own));
  const ownStart = numberOrNull(results.startMs.at(own));
  const ids = results.testId.values;
  const statuses = results.status.values;
  const retries = results.retries.values;
  const lanes = results.lane.values;
  const starts = results.startMs.values;
  const together: string[] = [];
  const inBrowsers: Sighting[] = [];
  let [before, beforeStart] = [-1, -Infinity];
  await inPieces(results.rows, nextTurn, ({ from, to }) => {
    for (let row = from; row < to; row++) {
      const id = ids[row]!;
      const weight = weightOf(statuses[row]!, retries[row]!);
      if (weight === weights.flaky && id !== ids[own]) together.push(String(id));
      const browser = browsers.get(id);
      if (browser !== undefined && (weight === weights.flaky || weight === weights.passed)) {
        inBrowsers.push({ isFlaky: weight === weights.flaky, with: { browser: [browser] } });
      }
      if (lane === null || ownStart === null || lanes[row] !== lane) continue;
      const start = starts[row]!;
      if (start < ownStart && start > beforeStart && placeAt(results, row).shard === shard) {
        [before, beforeStart] = [id, start];
      }
    }
  });
  const shardName = shard > 0 ? String(shard) : null;
  const worker = lane === null ? null : shardName === null ? String(lane + 1) : `${lane + 1} of shard ${shardName}`;
  return {
    inBrowsers,
    with: {
      shard: listOf(shardName),
      worker: listOf(worker),
      before: before === -1 ? undefined : [String(before)],
      together: together.length > MOST_TOGETHER ? undefined : together,
    },
  };
};
