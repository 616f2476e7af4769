import { MOST_WINDOW_RESULTS, MOST_WINDOW_RUNS, type RunWindow, type WindowQuery, parseTime } from '@assay/contract';
import type { SelectQueryBuilder } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import type { HistoryOf, Line } from '../../history/read-history.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import { findAllOutages, presentOutages } from './partial-outages.ts';
import { RECENT_RUN_COLUMNS, type RecentRun, presentRunRef } from './run-refs.ts';

/** The runs of a project that started in some days, on one branch or on all. */
export interface Window {
  readonly branch: string | undefined;
  /** Milliseconds since 1970; the first is part of the window, the second is not. */
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
}

export const readWindow = ({ branch, since, until }: WindowQuery): Window => ({
  branch,
  sinceMs: readMoment('since', since),
  untilMs: readMoment('until', until),
});

const readMoment = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const time = parseTime(text);
  if (time !== null) return time;
  const issue = { path: `/${name}`, message: 'must be a time in ISO 8601' };
  throw new AppError('invalid_query', `${name} ${issue.message}`, [issue]);
};

const hasDays = ({ sinceMs, untilMs }: Window): boolean => sinceMs !== undefined || untilMs !== undefined;

export const inWindow = <O>(
  query: SelectQueryBuilder<Tables, 'runs', O>,
  { branch, sinceMs, untilMs }: Window,
): SelectQueryBuilder<Tables, 'runs', O> => {
  let narrowed = query;
  if (branch !== undefined) narrowed = narrowed.where('branch', '=', branch);
  if (sinceMs !== undefined) narrowed = narrowed.where('start_time', '>=', sinceMs);
  if (untilMs !== undefined) narrowed = narrowed.where('start_time', '<', untilMs);
  return narrowed;
};

/**
 * The runs that figures are of, newest first: the latest so many, or, where only days are given, as many as figures may
 * look at.
 */
export const listWindowRuns = async (
  queries: Queries,
  projectId: number,
  window: Window,
  count: number | undefined,
  otherwise: number = MOST_WINDOW_RUNS,
): Promise<RecentRun[]> => {
  const runs = await latestIn(queries, projectId, window, mostRuns(window, count, otherwise));
  return withinResults(runs, count);
};

const mostRuns = (window: Window, count: number | undefined, otherwise: number): number =>
  count ?? (hasDays(window) ? MOST_WINDOW_RUNS : otherwise);

const withinResults = (runs: RecentRun[], count: number | undefined): RecentRun[] =>
  count === undefined ? runs.slice(0, countWithin(runs)) : runs;

export const presentWindow = async (
  queries: Queries,
  projectId: number,
  window: Window,
  count: number | undefined,
): Promise<RunWindow> => {
  const most = mostRuns(window, count, MOST_WINDOW_RUNS);
  const latest = await latestIn(queries, projectId, window, most);
  const runs = withinResults(latest, count);
  const [last] = runs;
  const first = runs.at(-1);
  const [allRuns, outages] = await Promise.all([
    latest.length < most ? latest.length : countRuns(queries, projectId, window),
    findAllOutages(queries, projectId, runs),
  ]);
  return {
    runs: runs.length,
    results: resultsIn(runs),
    retriedRuns: runs.filter(({ flaky_tests }) => flaky_tests > 0).length,
    repeatedCommits: repeatedCommits(runs).size,
    outages: await presentOutages(queries, outages),
    firstRun: first ? presentRunRef(first) : null,
    lastRun: last ? presentRunRef(last) : null,
    allRuns,
  };
};

const countRuns = async (queries: Queries, projectId: number, window: Window): Promise<number> => {
  const counted = queries
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .where('project_id', '=', projectId);
  return (await inWindow(counted, window).executeTakeFirstOrThrow()).all;
};

const latestIn = (queries: Queries, projectId: number, window: Window, count: number): Promise<RecentRun[]> =>
  inWindow(queries.selectFrom('runs').select(RECENT_RUN_COLUMNS).where('project_id', '=', projectId), window)
    .orderBy('start_time', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .execute();

/** The commits that several runs are of. */
export const repeatedCommits = (runs: readonly RecentRun[]): ReadonlySet<string> => {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { commit_hash } of runs) {
    if (commit_hash === null) continue;
    if (seen.has(commit_hash)) repeated.add(commit_hash);
    seen.add(commit_hash);
  }
  return repeated;
};

/** At least one run, however large. */
const countWithin = (runs: readonly RecentRun[]): number => {
  let results = 0;
  for (const [at, run] of runs.entries()) {
    results += run.result_count;
    if (results > MOST_WINDOW_RESULTS && at > 0) return at;
  }
  return runs.length;
};

export const resultsIn = (runs: readonly RecentRun[]): number => runs.reduce((sum, run) => sum + run.result_count, 0);

type WholeHistory = Omit<HistoryOf, 'runs' | 'line'>;

/** What history is read of: some days or some runs, a whole branch, or everything. */
export const findHistory = async (
  queries: Queries,
  project: WholeHistory,
  window: Window,
  count: number | undefined,
): Promise<WholeHistory & { readonly line?: Line; readonly runs?: readonly RecentRun[] }> => {
  const { branch } = window;
  if (count !== undefined || hasDays(window)) {
    return { ...project, runs: await listWindowRuns(queries, project.id, window, count) };
  }
  if (branch === undefined) return project;
  return { ...project, line: { branch, isSummarised: branch === (await findDefaultBranch(queries, project.id)) } };
};
