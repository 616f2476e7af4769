import { LONGEST_LISTED_ERROR, type QueriedResult, type QueryReply } from '@assay/contract';
import type { Context } from '../../context.ts';
import { cutText } from '../../cut-text.ts';
import type { Results } from '../../segments/results.ts';
import { type ResultPlace, firstRowFrom, placeAt, rowAt } from '../../segments/row-indices.ts';
import { ROWS_PER_PIECE, nextTurn } from '../../turns.ts';
import { presentCase } from '../cases/present-case.ts';
import type { OwnersOf } from '../owners/codeowners.ts';
import { presentRunRef } from '../runs/run-refs.ts';
import { createBudget } from './budget.ts';
import { explainScan } from './explain.ts';
import { groupResults } from './group-results.ts';
import { planSkipping } from './may-match.ts';
import { findNewFailures } from './new-failures.ts';
import { writePosition } from './position.ts';
import type { Question } from './question.ts';
import { type LookedAt, type RunsOf, type ScanCall, type ScannedRun, readScannedRuns } from './scan-runs.ts';
import { type Selection, planSelection } from './select-results.ts';

/** Rows of one block that the filter finds, of the part of it that is asked for. */
export interface SelectedRows {
  readonly run: ScannedRun;
  readonly results: Results;
  readonly rows: Uint32Array;
}

/** Results that a filter finds. */
export const queryResults = async (
  context: Context,
  call: ScanCall,
  question: Question & { readonly projectId: number },
): Promise<QueryReply> => {
  const { queries, tests, owners } = context;
  const { projectId, filter, figures, order, after } = question;
  const ownersOf = await owners.of(projectId);
  const findNew = (runId: number, results: Results) => findNewFailures(context, runId, results);
  const selection = planSelection(filter, { tests, ownersOf, findNew }, createBudget());
  const lookedAt: LookedAt = { runIds: [], skippedRuns: 0, rows: 0, leftOut: null };
  const isByTime = order.field === 'started';
  const [start, id, shard, index] = isByTime && after ? after.place : [];
  const of: RunsOf = {
    projectId,
    window: question.window,
    isDescending: isByTime ? order.isDescending : true,
    from: start === undefined ? null : { start, id: id! },
  };
  const from = start === undefined ? null : { runId: id!, shard: shard!, index: index! };
  const scan = selectedRows(context, call, of, { selection, mayMatch: planSkipping(filter.tree) }, lookedAt, from);
  const answer = figures
    ? await groupResults({ ...context, ownersOf }, { ...question, figures }, scan, of)
    : isByTime
      ? await listInTime(context, question, scan, ownersOf)
      : await listByDuration(context, question, scan, ownersOf);
  const { leftOut } = lookedAt;
  const goesOn = leftOut !== null && isByTime && !figures;
  const next = goesOn ? writePosition(order.text, { value: null, place: [leftOut.start, leftOut.id, 0, 0] }) : null;
  return {
    ...answer,
    nextCursor: answer.nextCursor ?? next,
    complete: leftOut === null,
    ...(question.explain && { explain: await explainScan(queries, filter, selection, lookedAt) }),
  };
};

interface From extends ResultPlace {
  readonly runId: number;
}

async function* selectedRows(
  context: Context,
  call: ScanCall,
  of: RunsOf,
  { selection, mayMatch }: { readonly selection: Selection; readonly mayMatch: ReturnType<typeof planSkipping> },
  lookedAt: LookedAt,
  from: From | null,
): AsyncGenerator<SelectedRows> {
  let turnAt = 0;
  for await (const { run, results } of readScannedRuns(context, of, mayMatch, call, lookedAt)) {
    const first = run.id === from?.runId ? firstRowFrom(results, from) : 0;
    for (let start = first; start < results.rows; start += ROWS_PER_PIECE) {
      const end = Math.min(start + ROWS_PER_PIECE, results.rows);
      turnAt += end - start;
      if (turnAt > ROWS_PER_PIECE) {
        turnAt = 0;
        await nextTurn();
      }
      const rows = await selection.of(run.id, results, { from: start, to: end });
      if (rows.length > 0) yield { run, results, rows };
    }
  }
}

type Listed = Pick<QueryReply, 'results' | 'nextCursor'>;

/** In the order of runs: ends with the page. */
const listInTime = async (
  context: Context,
  { limit, order }: Question,
  scan: AsyncGenerator<SelectedRows>,
  ownersOf: OwnersOf | null,
): Promise<Listed> => {
  const listed: QueriedResult[] = [];
  for await (const { run, results, rows } of scan) {
    const taken = [...rows.subarray(0, limit - listed.length)];
    listed.push(...(await presentRows(context, run, results, taken, ownersOf)));
    if (listed.length < limit) continue;
    const { shard, index } = placeAt(results, taken.at(-1)!);
    const place = [run.start_time, run.id, shard, index + 1];
    return { results: listed, nextCursor: writePosition(order.text, { value: null, place }) };
  }
  return { results: listed, nextCursor: null };
};

interface Candidate extends ResultPlace {
  readonly value: number | null;
  readonly run: ScannedRun;
}

/** By duration: all of them are looked at, and the first ones are kept. */
const listByDuration = async (
  context: Context,
  { limit, order, after }: Question,
  scan: AsyncGenerator<SelectedRows>,
  ownersOf: OwnersOf | null,
): Promise<Listed> => {
  const sign = order.isDescending ? -1 : 1;
  const placeOf = ({ run, shard, index }: Candidate): readonly number[] => [run.start_time, run.id, shard, index];
  const compare = (value: number | null, place: readonly number[], other: Candidate): number => {
    if (value !== other.value) return value === null ? 1 : other.value === null ? -1 : sign * (value - other.value);
    const [start, id, shard, index] = place as [number, number, number, number];
    const { run } = other;
    return run.start_time - start || run.id - id || shard - other.shard || index - other.index;
  };
  let best: Candidate[] = [];
  const cut = (): void => {
    best = best.sort((a, b) => compare(a.value, placeOf(a), b)).slice(0, limit);
  };
  let worst: Candidate | null = null;
  for await (const { run, results, rows } of scan) {
    for (const row of rows) {
      const durationMs = results.durationMs.at(row);
      const value = durationMs === durationMs ? durationMs : null;
      const candidate = { value, run, ...placeAt(results, row) };
      if (after && compare(after.value, after.place, candidate) >= 0) continue;
      if (worst && compare(value, placeOf(candidate), worst) > 0) continue;
      best.push(candidate);
      if (best.length < 2 * limit + 1_000) continue;
      cut();
      worst = best.at(-1)!;
    }
  }
  const more = best.length > limit || worst !== null;
  cut();
  const listed = await presentCandidates(context, best, ownersOf);
  const last = best.at(-1);
  const nextCursor = more && last ? writePosition(order.text, { value: last.value, place: placeOf(last) }) : null;
  return { results: listed, nextCursor };
};

const presentCandidates = async (
  context: Context,
  candidates: readonly Candidate[],
  ownersOf: OwnersOf | null,
): Promise<QueriedResult[]> => {
  const listed = new Map<Candidate, QueriedResult>();
  for (const [run, ofRun] of Map.groupBy(candidates, (candidate) => candidate.run)) {
    const results = (await context.segments.results([run])).get(run.id);
    if (!results) continue;
    const found = ofRun.flatMap((candidate) => {
      const row = rowAt(results, candidate.index);
      return row < 0 ? [] : [{ candidate, row }];
    });
    const rows = found.map(({ row }) => row);
    const presented = await presentRows(context, run, results, rows, ownersOf);
    for (const [at, { candidate }] of found.entries()) listed.set(candidate, presented[at]!);
  }
  return candidates.flatMap((candidate) => listed.get(candidate) ?? []);
};

const presentRows = async (
  { tests }: Context,
  run: ScannedRun,
  results: Results,
  rows: readonly number[],
  ownersOf: OwnersOf | null,
): Promise<QueriedResult[]> => {
  await results.strings.prepare();
  const named = await tests.findEach(rows.map((row) => results.testId.at(row)));
  return rows.map((row, at) => {
    const presented = presentCase(run.id, row, results, named[at]);
    if (presented.error !== null) presented.error = cutText(presented.error, LONGEST_LISTED_ERROR);
    if (ownersOf) presented.owners = [...ownersOf(presented.filePath)];
    return { ...presented, testRun: presentRunRef(run) };
  });
};
