import type { Queries } from '../db/database.ts';
import type { ReadableRun, SegmentStore } from '../segments/store.ts';
import { type Tally, addRun, addSummary, startTally } from '../segments/summary.ts';
import { type Turn, inPieces } from '../turns.ts';
import { readRuns } from './read-runs.ts';
import { coverOf } from './spans.ts';

/** What reading the history of a project takes. */
export interface HistoryReader {
  readonly queries: Queries;
  readonly segments: SegmentStore;
  /** Between pieces of large runs and summaries. */
  readonly turn?: Turn;
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
  await addUnfinalized(reader, project, tally);
  return tally;
};

/** The figures of every test over the runs that are finalized. */
export const tallyFinalized = async (reader: HistoryReader, project: HistoryOf): Promise<Tally> => {
  const { spans, tailStart } = coverOf(project.next_sequence);
  const tally = startTally();
  for (const { level, index } of spans) {
    const summary = await reader.segments.summary(project.id, project.tests_epoch, level, index);
    if (summary) await inPieces(summary.rows, reader.turn, (span) => addSummary(tally, summary, span));
  }
  await addRuns(reader, project, tailStart, tally);
  return tally;
};

/** Adds the finalized runs from a number on. */
export const addRuns = async (reader: HistoryReader, project: HistoryOf, from: number, tally: Tally): Promise<void> =>
  addResults(reader, await listRuns(reader.queries, project.id, from, project.next_sequence), tally);

/** Adds the runs of which more may come. */
const addUnfinalized = async (reader: HistoryReader, project: HistoryOf, tally: Tally): Promise<void> =>
  addResults(reader, await listUnfinalizedRuns(reader.queries, project), tally);

export const addResults = async (
  { segments, turn }: HistoryReader,
  runs: readonly ListedRun[],
  tally: Tally,
): Promise<void> => {
  for await (const { run, results } of readRuns(segments, runs, turn)) {
    if (results === null) continue;
    const tallied = { runId: run.id, startTime: run.start_time };
    await inPieces(results.rows, turn, (span) => addRun(tally, tallied, results, span));
  }
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
