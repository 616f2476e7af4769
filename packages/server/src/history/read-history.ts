import type { Queries } from '../db/database.ts';
import type { SegmentStore } from '../segments/store.ts';
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

/** The figures of every test of a project over all its runs. */
export const tallyProject = async (reader: HistoryReader, project: HistoryOf): Promise<Tally> => {
  const { spans, tailStart } = coverOf(project.next_sequence);
  const tally = startTally();
  for (const { level, index } of spans) {
    const summary = await reader.segments.summary(project.id, project.tests_epoch, level, index);
    if (summary) addSummary(tally, summary);
  }
  await addRuns(reader, project, tailStart, tally);
  return tally;
};

/** Adds the runs from a number on. */
export const addRuns = async (
  { queries, segments }: HistoryReader,
  project: HistoryOf,
  from: number,
  tally: Tally,
): Promise<void> => {
  const runs = await listRuns(queries, project.id, from, project.next_sequence);
  const results = await segments.results(runs.map((run) => run.id));
  for (const { id, start_time } of runs) {
    const found = results.get(id);
    if (found) addRun(tally, { runId: id, startTime: start_time }, found);
  }
};

/** The runs with these numbers, in the order in which they were received. */
export const listRuns = (queries: Queries, projectId: number, from: number, to: number) =>
  queries
    .selectFrom('runs')
    .select(['id', 'start_time'])
    .where('project_id', '=', projectId)
    .where('sequence', '>=', from)
    .where('sequence', '<', to)
    .orderBy('sequence')
    .execute();
