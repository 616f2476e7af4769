import { COMPARED_RUNS } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import { readRuns } from '../../history/read-runs.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import type { TestRows } from '../../segments/test-rows.ts';
import type { RunEvidence } from '../../statistics/verdicts.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import { findBaseline } from './baseline.ts';
import { listRunsBefore } from './neighbours.ts';
import { findOutages, massShareOf } from './outages.ts';
import type { ShownRun } from './present-run.ts';
import { RECENT_RUN_COLUMNS, type RecentRun } from './run-refs.ts';

type PastRunRow = RecentRun & Pick<RunRow, 'environment' | 'filtered'>;

/** The runs that failures are judged by, each list from the oldest to the newest. */
export interface PastRuns {
  readonly base: readonly PastRunRow[];
  readonly baseBy: 'commit' | 'previous' | 'time' | null;
  /** The commit that the change began with. */
  readonly from: string | null;
  readonly branch: readonly PastRunRow[];
  readonly commit: readonly PastRunRow[];
  /** Of other branches, some hours before. */
  readonly elsewhere: readonly PastRunRow[];
}

const MOST_BRANCH_RUNS = 30;
const MOST_COMMIT_RUNS = 10;
const MOST_OTHER_RUNS = 10;
const HOUR_MS = 3_600_000;
const AT_THE_TIME_MS = 6 * HOUR_MS;
/** A commit is run again within this time. */
const RUN_AGAIN_MS = 30 * 24 * HOUR_MS;

export const listPastRuns = async (queries: Queries, run: ShownRun): Promise<PastRuns> => {
  const defaultBranch = await findDefaultBranch(queries, run.project_id);
  const isOnDefault = run.branch === null || run.branch === defaultBranch;
  const [baseline, before] = await Promise.all([
    findBaseline(queries, run),
    listRunsBefore(queries, run, isOnDefault ? COMPARED_RUNS : MOST_BRANCH_RUNS, run.branch),
  ]);
  const isSameCommit = ({ commit_hash }: { readonly commit_hash: string | null }): boolean =>
    run.commit_hash !== null && commit_hash === run.commit_hash;
  const line = before.filter((each) => !isSameCommit(each));
  const baseRuns = isOnDefault ? line : (baseline?.runs ?? []);
  const found = await readPastRuns(
    queries,
    [...baseRuns, ...line].map(({ id }) => id),
  );
  const rowsOf = (runs: readonly { readonly id: number }[]): PastRunRow[] =>
    inEnvironment(
      runs.flatMap(({ id }) => found.get(id) ?? []),
      run.environment,
    ).toReversed();
  const base = rowsOf(baseRuns);
  const [commit, elsewhere] = await Promise.all([
    listRunsOfCommit(queries, run, new Set(base.map(({ id }) => id))),
    isOnDefault ? [] : listRunsElsewhere(queries, run),
  ]);
  const last = base.at(-1);
  const isOnBase = baseline?.by === 'commit' && last?.commit_hash === run.base_commit;
  return {
    base,
    baseBy: !last ? null : isOnDefault ? 'previous' : isOnBase ? 'commit' : 'time',
    from: isOnDefault ? (last?.commit_hash ?? null) : run.base_commit,
    branch: isOnDefault ? [] : rowsOf(line),
    commit,
    elsewhere,
  };
};

/** Runs of the same environment where there are any: what fails in one may pass in another. */
const inEnvironment = (runs: readonly PastRunRow[], environment: string | null): readonly PastRunRow[] => {
  const those = runs.filter((run) => run.environment === environment);
  return those.length > 0 ? those : runs;
};

const PAST_COLUMNS = [...RECENT_RUN_COLUMNS, 'environment', 'filtered'] as const;

const readPastRuns = async (queries: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, PastRunRow>> => {
  const rows = await queries
    .selectFrom('runs')
    .select(PAST_COLUMNS)
    .where('id', 'in', [...new Set(ids)])
    .where('status', '!=', 'running')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};

const listRunsOfCommit = async (
  queries: Queries,
  { id, project_id, commit_hash, environment, start_time }: ShownRun,
  others: ReadonlySet<number>,
): Promise<PastRunRow[]> => {
  if (commit_hash === null) return [];
  const rows = await queries
    .selectFrom('runs')
    .select(PAST_COLUMNS)
    .where('project_id', '=', project_id)
    .where('start_time', '>=', start_time - RUN_AGAIN_MS)
    .where('start_time', '<=', start_time + RUN_AGAIN_MS)
    .where('commit_hash', '=', commit_hash)
    .where('environment', 'is not distinct from', environment)
    .where('status', '!=', 'running')
    .where('id', '!=', id)
    .orderBy('start_time', 'desc')
    .limit(MOST_COMMIT_RUNS)
    .execute();
  return rows.filter((row) => !others.has(row.id)).toReversed();
};

const listRunsElsewhere = async (
  queries: Queries,
  { project_id, branch, start_time, commit_hash }: ShownRun,
): Promise<PastRunRow[]> => {
  const rows = await queries
    .selectFrom('runs')
    .select(PAST_COLUMNS)
    .where('project_id', '=', project_id)
    .where('start_time', '>=', start_time - AT_THE_TIME_MS)
    .where('start_time', '<', start_time)
    .where('branch', 'is not', null)
    .where('branch', '!=', branch)
    .where('status', '!=', 'running')
    .orderBy('start_time', 'desc')
    .limit(MOST_OTHER_RUNS)
    .execute();
  return rows.filter((row) => commit_hash === null || row.commit_hash !== commit_hash);
};

/** A number for each cause, from 1. */
export interface CauseNumbers {
  of(cause: string): number;
}

export const numberCauses = (): CauseNumbers => {
  const numbers = new Map<string, number>();
  return {
    of(cause) {
      const number = numbers.get(cause) ?? numbers.size + 1;
      numbers.set(cause, number);
      return number;
    },
  };
};

export interface ReadPast {
  readonly base: readonly RunEvidence[];
  readonly branch: readonly RunEvidence[];
  readonly commit: readonly RunEvidence[];
  /** By cause: the other branches that had it. */
  readonly elsewhere: ReadonlyMap<number, ReadonlySet<string>>;
  readonly otherBranches: number;
  /** The tests of the newest run of the base that the run does not have, with what they failed of there, else 0. */
  readonly gone: ReadonlyMap<number, number>;
}

/** `own` are the commits of the change: a run of one of them is not elsewhere. */
export const readPast = async (
  { segments }: Context,
  past: PastRuns,
  tests: TestRows,
  causes: CauseNumbers,
  own: ReadonlySet<string>,
): Promise<ReadPast> => {
  const gone = new Map<number, number>();
  const outages = new Set(findOutages(past.base).map(({ id }) => id));
  const isOutage = (run: PastRunRow): boolean => outages.has(run.id) || massShareOf(run, past.base) !== null;
  const readLine = async (runs: readonly PastRunRow[], isOut: (run: PastRunRow) => boolean): Promise<RunEvidence[]> => {
    const line: RunEvidence[] = [];
    for await (const { run, results } of readRuns(segments, runs, nextTurn)) {
      if (results === null) continue;
      const isBase = run === past.base.at(-1);
      const { outcomes, causesOf } = await readRun(results, tests, causes, isBase ? gone : null);
      line.push({ run: { commit: run.commit_hash, isOutage: isOut(run) }, outcomes, causes: causesOf });
    }
    return line;
  };
  const base = await readLine(past.base, ({ id }) => outages.has(id));
  const branch = await readLine(past.branch, isOutage);
  const commit = await readLine(past.commit, isOutage);
  const others = past.elsewhere.filter(({ commit_hash }) => commit_hash === null || !own.has(commit_hash));
  const elsewhere = new Map<number, Set<string>>();
  for await (const { run, results } of readRuns(segments, others, nextTurn)) {
    if (results === null) continue;
    const { causesOf } = await readRun(results, tests, causes, null);
    for (const cause of new Set(causesOf)) {
      if (cause === 0) continue;
      elsewhere.set(cause, (elsewhere.get(cause) ?? new Set()).add(run.branch!));
    }
  }
  const otherBranches = new Set(others.map((run) => run.branch)).size;
  return { base, branch, commit, elsewhere, otherBranches, gone };
};

const readRun = async (results: Results, tests: TestRows, causes: CauseNumbers, gone: Map<number, number> | null) => {
  const outcomes = new Uint8Array(tests.ids.length);
  const causesOf = new Int32Array(tests.ids.length);
  const ids = results.testId.values;
  const statuses = results.status.values;
  const retries = results.retries.values;
  await results.strings.prepare();
  const causeAt = (row: number): number => {
    const text = results.cause.at(row);
    return Number.isNaN(text) ? 0 : causes.of(results.strings.at(text));
  };
  let test = -1;
  await inPieces(results.rows, nextTurn, ({ from, to }) => {
    for (let row = from; row < to; row++) {
      const id = ids[row]!;
      const expected = test + 1;
      test = tests.ids[expected] === id ? expected : (tests.rowOf.get(id) ?? -1);
      const weight = weightOf(statuses[row]!, retries[row]!);
      if (test === -1) gone?.set(id, weight === weights.failed ? causeAt(row) : 0);
      else if (weight >= outcomes[test]!) {
        outcomes[test] = weight;
        if (weight >= weights.flaky) causesOf[test] = causeAt(row);
      }
    }
  });
  return { outcomes, causesOf };
};
