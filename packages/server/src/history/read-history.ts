import type { Queries } from '../db/database.ts';
import type { Results } from '../segments/results.ts';
import type { SegmentStore } from '../segments/store.ts';
import { type Summary, type Tally, addRun, addSummary, findTest, startTally } from '../segments/summary.ts';
import { type Span, childrenOf, coverOf, firstRunOf, spanSize } from './spans.ts';

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

export interface PastPlace {
  readonly runId: number;
  readonly row: number;
  readonly startTime: number;
  readonly results: Results;
}

type Candidate = { start: number } & ({ kind: 'span'; span: Span } | { kind: 'run'; runId: number });

/**
 * The latest results of a test, newest first. Follows the summaries from the span where the test last ran, so a test
 * that has not run for long costs no more than one that ran today.
 */
export const latestResults = async (
  reader: HistoryReader,
  project: HistoryOf,
  testId: number,
  limit: number,
): Promise<PastPlace[]> => {
  const places: PastPlace[] = [];
  const candidates = await firstCandidates(reader, project, testId);
  for (;;) {
    const next = takeLatest(candidates);
    if (next === null || (places.length >= limit && next.start < places[limit - 1]!.startTime)) break;
    if (next.kind === 'span') candidates.push(...(await insideOf(reader, project, testId, next.span)));
    else insert(places, await placesInRun(reader, testId, next.runId, next.start, limit));
  }
  return places.slice(0, limit);
};

const firstCandidates = async (reader: HistoryReader, project: HistoryOf, testId: number): Promise<Candidate[]> => {
  const { spans, tailStart } = coverOf(project.next_sequence);
  const tail = await listRuns(reader.queries, project.id, tailStart, project.next_sequence);
  return [...tail.map(runCandidate), ...(await spanCandidates(reader, project, testId, spans))];
};

const insideOf = async (
  reader: HistoryReader,
  project: HistoryOf,
  testId: number,
  span: Span,
): Promise<Candidate[]> => {
  if (span.level > 1) return spanCandidates(reader, project, testId, childrenOf(span));
  const first = firstRunOf(span);
  return (await listRuns(reader.queries, project.id, first, first + spanSize(1))).map(runCandidate);
};

const spanCandidates = async (
  { segments }: HistoryReader,
  project: HistoryOf,
  testId: number,
  spans: readonly Span[],
): Promise<Candidate[]> => {
  const candidates: Candidate[] = [];
  for (const span of spans) {
    const summary: Summary | null = await segments.summary(project.id, project.tests_epoch, span.level, span.index);
    const row = summary === null ? -1 : findTest(summary, testId);
    if (summary && row >= 0) candidates.push({ kind: 'span', span, start: summary.lastStart.values[row]! });
  }
  return candidates;
};

const runCandidate = ({ id, start_time }: { id: number; start_time: number }): Candidate => ({
  kind: 'run',
  runId: id,
  start: start_time,
});

const takeLatest = (candidates: Candidate[]): Candidate | null => {
  let latest = -1;
  for (let index = 0; index < candidates.length; index++) {
    if (latest < 0 || candidates[index]!.start > candidates[latest]!.start) latest = index;
  }
  return latest < 0 ? null : candidates.splice(latest, 1)[0]!;
};

/** A run may hold a test many times; its last places are its latest. */
const placesInRun = async (
  { segments }: HistoryReader,
  testId: number,
  runId: number,
  startTime: number,
  limit: number,
): Promise<PastPlace[]> => {
  const results = (await segments.results([runId])).get(runId);
  if (!results) return [];
  const places: PastPlace[] = [];
  const tests = results.testId.values;
  for (let row = tests.lastIndexOf(testId); row >= 0 && places.length < limit;) {
    places.push({ runId, row, startTime, results });
    row = row === 0 ? -1 : tests.lastIndexOf(testId, row - 1);
  }
  return places;
};

const insert = (places: PastPlace[], more: readonly PastPlace[]): void => {
  places.push(...more);
  places.sort((a, b) => b.startTime - a.startTime || b.runId - a.runId || b.row - a.row);
};

const listRuns = (queries: Queries, projectId: number, from: number, to: number) =>
  queries
    .selectFrom('runs')
    .select(['id', 'start_time'])
    .where('project_id', '=', projectId)
    .where('sequence', '>=', from)
    .where('sequence', '<', to)
    .orderBy('sequence')
    .execute();
