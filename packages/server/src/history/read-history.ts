import type { Queries } from '../db/database.ts';
import type { Results } from '../segments/results.ts';
import type { ReadableRun, SegmentStore } from '../segments/store.ts';
import { type Tally, addRun, addSummary, startTally } from '../segments/summary.ts';
import { coverOf } from './spans.ts';

/** What reading the history of a project takes. */
export interface HistoryReader {
  readonly queries: Queries;
  readonly segments: SegmentStore;
}

export interface HistoryOf {
  readonly id: number;
  readonly next_sequence: number;
  readonly tests_epoch: number;
}

/** Runs leave their places seldom, and hardly ever several times while one request reads. */
const MOST_READS = 10;

/**
 * Reads history again when a run has left its place in it meanwhile: what was read may have it twice or not at all.
 */
export const readConsistently = async <T>(
  queries: Queries,
  project: HistoryOf,
  read: (project: HistoryOf) => Promise<T>,
): Promise<T> => {
  let known = project;
  for (let reads = 1; ; reads++) {
    const value = await read(known);
    const now = await queries
      .selectFrom('projects')
      .select(['id', 'next_sequence', 'tests_epoch'])
      .where('id', '=', project.id)
      .executeTakeFirst();
    if (!now || now.tests_epoch === known.tests_epoch || reads === MOST_READS) return value;
    known = now;
  }
};

/** The figures of every test of a project over all its runs. */
export const tallyProject = async (reader: HistoryReader, project: HistoryOf): Promise<Tally> => {
  const tally = await tallyFinalized(reader, project);
  addResults(tally, await readUnfinalized(reader, project));
  return tally;
};

/** The figures of every test over the runs that are finalized. */
export const tallyFinalized = async (reader: HistoryReader, project: HistoryOf): Promise<Tally> => {
  const { spans, tailStart } = coverOf(project.next_sequence);
  const tally = startTally();
  for (const { level, index } of spans) {
    const summary = await reader.segments.summary(project.id, project.tests_epoch, level, index);
    if (summary) addSummary(tally, summary);
  }
  await addRuns(reader, project, tailStart, tally);
  return tally;
};

/** Adds the finalized runs from a number on. */
export const addRuns = async (
  { queries, segments }: HistoryReader,
  project: HistoryOf,
  from: number,
  tally: Tally,
): Promise<void> => {
  const runs = await listRuns(queries, project.id, from, project.next_sequence);
  const results = await segments.results(runs);
  addResults(
    tally,
    runs.map((run) => ({ run, results: results.get(run.id) })),
  );
};

export interface RunWithResults {
  readonly run: ListedRun;
  /** Of a run that was deleted meanwhile there are none. */
  readonly results: Results | undefined;
}

export const addResults = (tally: Tally, runs: readonly RunWithResults[]): void => {
  for (const { run, results } of runs) {
    if (results) addRun(tally, { runId: run.id, startTime: run.start_time }, results);
  }
};

/** The runs of which more may come, with their results. */
export const readUnfinalized = async (
  { queries, segments }: HistoryReader,
  project: HistoryOf,
): Promise<RunWithResults[]> => {
  const runs = await listUnfinalizedRuns(queries, project);
  const results = await segments.results(runs);
  return runs.map((run) => ({ run, results: results.get(run.id) }));
};

export interface ListedRun extends ReadableRun {
  readonly start_time: number;
}

const LISTED_COLUMNS = ['id', 'start_time', 'version', 'result_count'] as const;

/** The finalized runs with these numbers, in the order in which they were finalized. */
export const listRuns = (queries: Queries, projectId: number, from: number, to: number): Promise<ListedRun[]> =>
  queries
    .selectFrom('runs')
    .select(LISTED_COLUMNS)
    .where('project_id', '=', projectId)
    .where('sequence', '>=', from)
    .where('sequence', '<', to)
    .orderBy('sequence')
    .execute();

/**
 * The runs of which more may come: they have no number yet, and are in no summary. Those that have been finalized since
 * the project was read are among them, for they are not among the others.
 */
export const listUnfinalizedRuns = (queries: Queries, { id, next_sequence }: HistoryOf): Promise<ListedRun[]> =>
  queries
    .selectFrom('runs')
    .select(LISTED_COLUMNS)
    .where('project_id', '=', id)
    .where(({ or, eb }) => or([eb('sequence', '<', 0), eb('sequence', '>=', next_sequence)]))
    .orderBy('id')
    .execute();

/** The runs that were received before one but were finalized after it, or not yet, oldest first. */
export const listOvertaken = async (
  queries: Queries,
  projectId: number,
  { id, sequence }: { readonly id: number; readonly sequence: number },
): Promise<ListedRun[]> =>
  queries
    .selectFrom('runs')
    .select(LISTED_COLUMNS)
    .where('project_id', '=', projectId)
    .where('id', '<', id)
    .where(({ or, eb }) => or([eb('sequence', '<', 0), eb('sequence', '>', sequence)]))
    .orderBy('id')
    .execute();
