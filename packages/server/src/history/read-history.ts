import type { Queries } from '../db/database.ts';
import type { ReadableRun, SegmentStore } from '../segments/store.ts';
import { type Tally, addRun, addSummary, startTally } from '../segments/summary.ts';
import { type Turn, inPieces } from '../turns.ts';
import { readRuns } from './read-runs.ts';
import { type Span, childrenOf, coverOf, firstRunOf, spanSize } from './spans.ts';

/** What reading the history of a project takes. */
export interface HistoryReader {
  readonly queries: Queries;
  readonly segments: SegmentStore;
  /** Between pieces of large runs and summaries. */
  readonly turn?: Turn;
  /** Learns of a span of 16 runs that has no summary of a branch which should have one. */
  readonly onMissingSummary?: (projectId: number, span: Span, branch: string) => void;
}

export interface HistoryOf {
  readonly id: number;
  readonly next_sequence: number;
  readonly tests_epoch: number;
  /** The runs of one branch; without it all runs. */
  readonly line?: Line;
  /** These runs and no others. */
  readonly runs?: readonly ListedRun[];
}

export interface Line {
  readonly branch: string;
  /** Only of the default branch are summaries kept; those of any other branch would be more than its runs. */
  readonly isSummarised: boolean;
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
    known = { ...project, ...now };
  }
};

/** The figures of every test of a project over all its runs. */
export const tallyProject = async (reader: HistoryReader, project: HistoryOf): Promise<Tally> => {
  const tally = await tallyFinalized(reader, project);
  await addUnfinalized(reader, project, tally);
  return tally;
};

/** The figures of every test over some runs. */
export const tallyRuns = async (reader: HistoryReader, runs: readonly ListedRun[]): Promise<Tally> => {
  const tally = startTally();
  await addResults(reader, runs, tally);
  return tally;
};

/** The figures of every test over the runs that are finalized. */
export const tallyFinalized = async (reader: HistoryReader, project: HistoryOf): Promise<Tally> => {
  const tally = startTally();
  if (project.line?.isSummarised === false) {
    await addRuns(reader, project, 0, tally);
    return tally;
  }
  const { spans, tailStart } = coverOf(project.next_sequence);
  for (const span of spans) await addSpan(reader, project, span, tally);
  await addRuns(reader, project, tailStart, tally);
  return tally;
};

/** By its summary; a span without one has no runs, or is older than the default branch and read from what is in it. */
const addSpan = async (reader: HistoryReader, project: HistoryOf, span: Span, tally: Tally): Promise<void> => {
  const { segments, turn, queries, onMissingSummary } = reader;
  const { id, tests_epoch, line } = project;
  const summary = await segments.summary(id, tests_epoch, span, line?.branch);
  if (summary) await inPieces(summary.rows, turn, (rows) => addSummary(tally, summary, rows));
  else if (line && span.level > 1) for (const child of childrenOf(span)) await addSpan(reader, project, child, tally);
  else if (line) {
    const first = firstRunOf(span);
    const runs = await listRuns(queries, project, first, first + spanSize(1));
    if (runs.length > 0) onMissingSummary?.(id, span, line.branch);
    await addResults(reader, runs, tally);
  }
};

/** Adds the finalized runs from a number on. */
export const addRuns = async (reader: HistoryReader, project: HistoryOf, from: number, tally: Tally): Promise<void> =>
  addResults(reader, await listRuns(reader.queries, project, from, project.next_sequence), tally);

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

const listLine = (queries: Queries, projectId: number, line: Line | undefined) =>
  queries
    .selectFrom('runs')
    .select(LISTED_COLUMNS)
    .where('project_id', '=', projectId)
    .$if(line !== undefined, (query) => query.where('branch', '=', line!.branch));

/** The finalized runs with these numbers, in the order in which they were finalized. */
export const listRuns = (
  queries: Queries,
  { id, line }: Pick<HistoryOf, 'id' | 'line'>,
  from: number,
  to: number,
): Promise<ListedRun[]> =>
  listLine(queries, id, line).where('sequence', '>=', from).where('sequence', '<', to).orderBy('sequence').execute();

/**
 * The runs of which more may come: they have no number yet, and are in no summary. Those that have been finalized since
 * the project was read are among them, for they are not among the others.
 */
export const listUnfinalizedRuns = (queries: Queries, { id, next_sequence, line }: HistoryOf): Promise<ListedRun[]> =>
  listLine(queries, id, line)
    .where(({ or, eb }) => or([eb('sequence', '<', 0), eb('sequence', '>=', next_sequence)]))
    .orderBy('id')
    .execute();

/** The runs that were received before one but were finalized after it, or not yet, oldest first. */
export const listOvertaken = async (
  queries: Queries,
  project: HistoryOf,
  { id, sequence }: { readonly id: number; readonly sequence: number },
): Promise<ListedRun[]> =>
  listLine(queries, project.id, project.line)
    .where('id', '<', id)
    .where(({ or, eb }) => or([eb('sequence', '<', 0), eb('sequence', '>', sequence)]))
    .orderBy('id')
    .execute();
