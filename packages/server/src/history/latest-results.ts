import type { Queries } from '../db/database.ts';
import { weightAt, weights } from '../segments/letters.ts';
import { type Result, type Results, resultAt } from '../segments/results.ts';
import { indexAt } from '../segments/row-indices.ts';
import { statusCodes } from '../segments/status-code.ts';
import { type Summary, findTest } from '../segments/summary.ts';
import {
  type HistoryOf,
  type HistoryReader,
  type ListedRun,
  listUnfinalizedRuns,
  listOvertaken,
  listRuns,
  readConsistently,
} from './read-history.ts';
import { type Span, childrenOf, coverOf, firstRunOf, spanSize } from './spans.ts';

export interface Place {
  readonly runId: number;
  readonly row: number;
  /** Of the result in its run: part of its id. */
  readonly index: number;
  readonly startTime: number;
}

export interface PastPlace extends Place {
  readonly result: Result;
}

/** Which results are looked for: a span without any is not opened. */
export interface Wanted {
  inSpan(summary: Summary, row: number): boolean;
  inRun(results: Results, row: number): boolean;
  /** Runs and spans that are opened before the search gives up. */
  readonly mostOpened: number;
}

/** Runs that arrive about in the order of their starts need some dozens; only a history in disorder can come near. */
const MOST_OPENED = 400;

/** Every span that is opened has one, so that none is opened in vain. */
const ANY: Wanted = { inSpan: () => true, inRun: () => true, mostOpened: Infinity };

export const PASSED: Wanted = {
  inSpan: (summary, row) => summary.passed.values[row]! > 0,
  inRun: (results, row) => results.status.values[row] === statusCodes.passed,
  mostOpened: MOST_OPENED,
};

export const FAILED: Wanted = {
  inSpan: (summary, row) => summary.failed.values[row]! > 0,
  inRun: (results, row) => weightAt(results, row) === weights.failed,
  mostOpened: MOST_OPENED,
};

type Candidate = { start: number } & ({ kind: 'span'; span: Span } | { kind: 'run'; run: ListedRun });

/**
 * The latest results of a test, newest first. Follows the summaries from the span where the test last ran, so a test
 * that has not run for long costs no more than one that ran today.
 */
export const latestResults = (
  reader: HistoryReader,
  project: HistoryOf,
  testId: number,
  limit: number,
  wanted: Wanted = ANY,
): Promise<PastPlace[]> =>
  readConsistently(reader.queries, project, (steady) => findLatest({ reader, project: steady, testId, wanted }, limit));

const findLatest = async (search: Search, limit: number): Promise<PastPlace[]> => {
  const { wanted, project } = search;
  // Some runs are few enough to open all; runs that no summary tells of may be opened in vain.
  const mostOpened = project.runs
    ? Infinity
    : project.line
      ? Math.min(wanted.mostOpened, limit + MOST_OPENED)
      : wanted.mostOpened;
  const places: PastPlace[] = [];
  const candidates = await firstCandidates(search);
  for (let opened = 0; opened < mostOpened; opened++) {
    const next = takeLatest(candidates);
    if (next === null || (places.length >= limit && next.start < places[limit - 1]!.startTime)) break;
    if (next.kind === 'span') candidates.push(...(await insideOf(search, next.span)));
    else insert(places, await placesInRun(search, next.run, limit), limit);
  }
  return places;
};

interface Search {
  readonly reader: HistoryReader;
  readonly project: HistoryOf;
  readonly testId: number;
  readonly wanted: Wanted;
}

const firstCandidates = async (search: Search): Promise<Candidate[]> => {
  if (search.project.runs) return search.project.runs.map(runCandidate);
  // At once: over a network each of them is a round trip.
  const [finalized, unfinalized] = await Promise.all([
    finalizedCandidates(search),
    listUnfinalizedRuns(search.reader.queries, search.project),
  ]);
  return [...finalized, ...unfinalized.map(runCandidate)];
};

/** Oldest first. */
const finalizedCandidates = async (search: Search): Promise<Candidate[]> => {
  const { reader, project } = search;
  const isSummarised = project.line?.isSummarised ?? true;
  const { spans, tailStart } = isSummarised ? coverOf(project.next_sequence) : { spans: [], tailStart: 0 };
  const [inSpans, tail] = await Promise.all([
    spanCandidates(search, spans),
    listRuns(reader.queries, project, tailStart, project.next_sequence),
  ]);
  return [...inSpans, ...tail.map(runCandidate)];
};

const insideOf = async (search: Search, span: Span): Promise<Candidate[]> => {
  if (span.level > 1) return spanCandidates(search, childrenOf(span));
  const { reader, project } = search;
  const first = firstRunOf(span);
  return (await listRuns(reader.queries, project, first, first + spanSize(1))).map(runCandidate);
};

const spanCandidates = async (search: Search, spans: readonly Span[]): Promise<Candidate[]> => {
  const { reader, project, testId, wanted } = search;
  const { id, tests_epoch, line } = project;
  const candidates: Candidate[] = [];
  for (const span of spans) {
    const summary: Summary | null = await reader.segments.summary(id, tests_epoch, span, line?.branch);
    if (summary === null && line) {
      candidates.push(...(await insideOf(search, span)));
      continue;
    }
    const row = summary === null ? -1 : findTest(summary, testId);
    if (summary && row >= 0 && wanted.inSpan(summary, row)) {
      candidates.push({ kind: 'span', span, start: summary.lastStart.values[row]! });
    }
  }
  return candidates;
};

const runCandidate = (run: ListedRun): Candidate => ({ kind: 'run', run, start: run.start_time });

const takeLatest = (candidates: Candidate[]): Candidate | null => {
  let latest = -1;
  for (let index = 0; index < candidates.length; index++) {
    if (latest < 0 || candidates[index]!.start > candidates[latest]!.start) latest = index;
  }
  return latest < 0 ? null : candidates.splice(latest, 1)[0]!;
};

/** A run may hold a test many times; its last places are its latest. */
const placesInRun = async (
  { reader: { segments }, testId, wanted }: Search,
  run: ListedRun,
  limit: number,
): Promise<PastPlace[]> => {
  const { id: runId, start_time: startTime } = run;
  const results = (await segments.results([run])).get(runId);
  if (!results) return [];
  const places: PastPlace[] = [];
  const tests = results.testId.values;
  for (let row = tests.lastIndexOf(testId); row >= 0 && places.length < limit;) {
    if (wanted.inRun(results, row)) {
      places.push({ runId, row, index: indexAt(results, row), startTime, result: resultAt(results, row) });
    }
    row = row === 0 ? -1 : tests.lastIndexOf(testId, row - 1);
  }
  return places;
};

/** Those of one run are in their order already, and stay in it. */
const insert = (places: PastPlace[], more: readonly PastPlace[], limit: number): void => {
  places.push(...more);
  places.sort((a, b) => b.startTime - a.startTime || b.runId - a.runId);
  places.length = Math.min(places.length, limit);
};

/** The result of a test that was received first. */
export const firstResult = (reader: HistoryReader, project: HistoryOf, testId: number): Promise<Place | null> =>
  readConsistently(reader.queries, project, (steady) => findFirst(reader, steady, testId));

const findFirst = async (reader: HistoryReader, project: HistoryOf, testId: number): Promise<Place | null> => {
  const { queries } = reader;
  if (project.runs) {
    return firstIn(
      reader,
      project.runs.toSorted((a, b) => a.id - b.id),
      testId,
    );
  }
  const finalized = await firstFinalized(reader, project, testId);
  const sequence = (finalized && (await sequenceOf(queries, finalized.runId))) ?? project.next_sequence - 1;
  const overtaken = await listOvertaken(queries, project, {
    id: finalized?.runId ?? Number.MAX_SAFE_INTEGER,
    sequence,
  });
  return (await firstIn(reader, overtaken, testId)) ?? finalized;
};

const sequenceOf = async (queries: Queries, runId: number): Promise<number | null> => {
  const run = await queries.selectFrom('runs').select('sequence').where('id', '=', runId).executeTakeFirst();
  return run?.sequence ?? null;
};

/** Of the runs that are finalized, the one that was finalized first. */
const firstFinalized = async (reader: HistoryReader, project: HistoryOf, testId: number): Promise<Place | null> => {
  const search: Search = { reader, project, testId, wanted: ANY };
  return firstAmong(search, await finalizedCandidates(search));
};

const firstAmong = async (search: Search, candidates: readonly Candidate[]): Promise<Place | null> => {
  for (const candidate of candidates) {
    const found =
      candidate.kind === 'run'
        ? await firstIn(search.reader, [candidate.run], search.testId)
        : await firstAmong(search, await insideOf(search, candidate.span));
    if (found) return found;
  }
  return null;
};

const firstIn = async (
  { segments }: HistoryReader,
  runs: readonly ListedRun[],
  testId: number,
): Promise<Place | null> => {
  for (const run of runs) {
    const results = (await segments.results([run])).get(run.id);
    const row = results?.testId.values.indexOf(testId) ?? -1;
    if (results && row >= 0) {
      return { runId: run.id, row, index: indexAt(results, row), startTime: run.start_time };
    }
  }
  return null;
};
