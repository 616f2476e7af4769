import {
  type CaseDetails,
  type GrowingFigures,
  addToFigures,
  errorCause,
  outcomeOf,
  startFigures,
} from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { PartRow } from '../../db/tables.ts';
import { rewriteDetails } from '../../segments/block-details.ts';
import { BlockError } from '../../segments/block.ts';
import type { CaseText } from '../../segments/details.ts';
import { encodeResults, selectRows, withCauses } from '../../segments/merge-results.ts';
import { encodeRequests } from '../../segments/requests.ts';
import { type Result, type Results, decodeResults, resultAt } from '../../segments/results.ts';
import { type StoredRanges, readRanges, writeRanges } from '../../segments/row-indices.ts';
import { NO_DETAILS } from '../cases/present-case.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { requestsIn } from '../parts/rewrite-part.ts';
import { readAttempts } from '../parts/store-block.ts';

interface Block {
  readonly firstIndex: number;
  readonly ranges: StoredRanges;
  /** The index of each row. */
  readonly indices: readonly number[];
  readonly results: Results;
  readonly requests: Uint8Array | null;
  readonly attempts: ReadonlyMap<number, number>;
}

/** Where an attempt is: most tests have but one, whose result nobody needs. */
interface Attempt {
  readonly index: number;
  readonly number: number;
  readonly results: Results;
  readonly row: number;
}

const resultOf = ({ results, row }: Attempt): Result => resultAt(results, row);

/**
 * Makes one result of the attempts of each test that a part has as results of their own: that of the last attempt. Files
 * name the cases of an unfinished part by number, so this is done when it finishes. Returns the part as it is then.
 */
export const joinAttempts = async (transaction: Queries, part: PartRow, durations: PartDurations): Promise<PartRow> => {
  const blocks = await readBlocks(transaction, part);
  const tests = blocks === null ? [] : groupAttempts(blocks).filter(({ length }) => length > 1);
  if (blocks === null || tests.length === 0) return part;
  const joined = new Map<number, readonly Attempt[]>();
  const removed = new Set<number>();
  const before = startFigures();
  const after = startFigures();
  for (const attempts of tests) {
    const last = attempts.at(-1)!;
    joined.set(last.index, attempts);
    for (const attempt of attempts) {
      if (attempt !== last) removed.add(attempt.index);
      const { status, retries } = resultOf(attempt);
      addToFigures(before, status, retries, null);
    }
    addToFigures(after, resultOf(last).status, retriesOf(attempts), null);
  }
  for (const block of blocks) await rewriteBlock(transaction, part, block, joined, removed);
  await moveTraces(transaction, part, joined);
  await moveAttachments(transaction, part, joined);
  durations.forget(part);
  return transaction
    .updateTable('parts')
    .set({
      result_count: part.result_count - removed.size,
      total_tests: part.total_tests - removed.size,
      ...countsAfter(part, before, after),
    })
    .where('id', '=', part.id)
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Null when one of them is damaged: then all stay as they are. */
const readBlocks = async (transaction: Queries, { id, run_id }: PartRow): Promise<Block[] | null> => {
  const rows = await transaction
    .selectFrom('segments')
    .select(['first_index', 'ranges', 'results', 'requests', 'attempts'])
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .where('attempts', 'is not', null)
    .orderBy('first_index')
    .execute();
  try {
    return rows.map(({ first_index, ranges, results, requests, attempts }) => {
      const stored = readRanges(ranges!);
      return {
        firstIndex: first_index,
        ranges: stored,
        indices: stored.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at)),
        results: decodeResults(results),
        requests,
        attempts: new Map(readAttempts(attempts)),
      };
    });
  } catch (error) {
    if (error instanceof BlockError) return null;
    throw error;
  }
};

/** The attempts of each test in order. The same attempt again is that of another repetition of the test. */
const groupAttempts = (blocks: readonly Block[]): Attempt[][] => {
  const groups: Map<number, Attempt>[] = [];
  const byTest = new Map<number, Map<number, Attempt>>();
  for (const { indices, results, attempts } of blocks) {
    for (const [row, index] of indices.entries()) {
      const number = attempts.get(index);
      if (number === undefined) continue;
      const testId = results.testId.values[row]!;
      let group = byTest.get(testId);
      if (group === undefined || group.has(number)) {
        group = new Map();
        groups.push(group);
        byTest.set(testId, group);
      }
      group.set(number, { index, number, results, row });
    }
  }
  return groups.map((group) => [...group.values()].sort((a, b) => a.number - b.number));
};

const retriesOf = (attempts: readonly Attempt[]): number =>
  Math.max(resultOf(attempts.at(-1)!).retries, attempts.length - 1);

const failedOf = (attempts: readonly Attempt[]): Result[] =>
  attempts.map(resultOf).filter(({ status }) => outcomeOf(status) === 'failed');

const failedMsOf = (attempts: readonly Attempt[]): number | null => {
  const durations = failedOf(attempts).flatMap(({ durationMs }) => durationMs ?? []);
  return durations.length === 0 ? null : durations.reduce((sum, duration) => sum + duration, 0);
};

/** Of the last one that failed. */
const causeOf = (attempts: readonly Attempt[]): string => errorCause(failedOf(attempts).at(-1)?.error ?? '');

const rewriteBlock = async (
  transaction: Queries,
  { project_id: projectId, run_id: runId }: PartRow,
  { firstIndex, ranges, indices, results, requests }: Block,
  joined: ReadonlyMap<number, readonly Attempt[]>,
  removed: ReadonlySet<number>,
): Promise<void> => {
  if (!indices.some((index) => removed.has(index) || joined.has(index))) return;
  const rows = indices.flatMap((index, row) => (removed.has(index) ? [] : [row]));
  const left = rows.map((row) => indices[row]!);
  const block = { projectId, runId, firstIndex, ranges };
  const leftRanges = left.map((index) => [index, 1] as const);
  await rewriteDetails(transaction, block, leftRanges, (texts) => changeTexts(texts, left, joined));
  if (rows.length === 0) {
    await transaction
      .deleteFrom('segments')
      .where('run_id', '=', runId)
      .where('first_index', '=', firstIndex)
      .execute();
    return;
  }
  const selected = selectRows(results, rows);
  const causes = new Map<number, string>();
  for (const [row, index] of left.entries()) {
    const attempts = joined.get(index);
    if (!attempts) continue;
    selected.retries.values[row] = retriesOf(attempts);
    selected.failedMs.values[row] = failedMsOf(attempts) ?? NaN;
    causes.set(row, causeOf(attempts));
  }
  const leftRequests = (requests === null ? [] : requestsIn(requests)).filter(
    ({ caseIndex }) => !removed.has(caseIndex),
  );
  await transaction
    .updateTable('segments')
    .set({
      ranges: writeRanges(leftRanges),
      results: encodeResults(withCauses(selected, causes)),
      requests: leftRequests.length > 0 ? encodeRequests(leftRequests) : null,
      attempts: null,
    })
    .where('run_id', '=', runId)
    .where('first_index', '=', firstIndex)
    .execute();
};

/** The details of the results that are left; what the last attempt says of all of them counts, where it does. */
const changeTexts = (
  texts: readonly CaseText[],
  left: readonly number[],
  joined: ReadonlyMap<number, readonly Attempt[]>,
): CaseText[] => {
  const byIndex = new Map(texts.map(({ caseIndex, json }) => [caseIndex, json]));
  return left.flatMap((caseIndex): CaseText | CaseText[] => {
    const json = byIndex.get(caseIndex);
    const attempts = joined.get(caseIndex);
    if (!attempts) return json === undefined ? [] : { caseIndex, json };
    const details = json === undefined ? NO_DETAILS : (JSON.parse(json) as CaseDetails);
    const told = details.attempts.length > 0 ? details.attempts : attempts.map(recordOf);
    return { caseIndex, json: JSON.stringify({ ...details, attempts: told }) };
  });
};

const recordOf = (attempt: Attempt) => {
  const { status, durationMs, error, startMs } = resultOf(attempt);
  return {
    retry: attempt.number,
    status,
    duration: durationMs,
    ...(error === null ? {} : { error }),
    ...(startMs === null ? {} : { startTime: startMs }),
  };
};

/** Files of all attempts are files of the result that is left. */
const moveTraces = async (
  transaction: Queries,
  { id, run_id }: PartRow,
  joined: ReadonlyMap<number, readonly Attempt[]>,
): Promise<void> => {
  const traces = await transaction
    .selectFrom('traces')
    .select(['id', 'case_index'])
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .execute();
  if (traces.length === 0) return;
  const targets = new Map([...joined].flatMap(([last, attempts]) => attempts.map(({ index }) => [index, last])));
  for (const trace of traces) {
    const target = targets.get(trace.case_index);
    if (target === undefined || target === trace.case_index) continue;
    await transaction.updateTable('traces').set({ case_index: target }).where('id', '=', trace.id).execute();
  }
};

/** The case that an attachment came with tells its attempt, unless the sender did. */
const moveAttachments = async (
  transaction: Queries,
  { id, run_id }: PartRow,
  joined: ReadonlyMap<number, readonly Attempt[]>,
): Promise<void> => {
  const attachments = await transaction
    .selectFrom('attachments')
    .select(['id', 'case_index', 'attempt'])
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .execute();
  if (attachments.length === 0) return;
  const targets = new Map(
    [...joined].flatMap(([last, attempts]) => attempts.map(({ index, number }) => [index, { last, number }])),
  );
  for (const { id: attachment, case_index, attempt } of attachments) {
    const target = targets.get(case_index);
    if (target === undefined) continue;
    const moved = { case_index: target.last, attempt: attempt === 0 ? target.number : attempt };
    await transaction.updateTable('attachments').set(moved).where('id', '=', attachment).execute();
  }
};

const countsAfter = (part: PartRow, before: GrowingFigures, after: GrowingFigures) => ({
  passed_tests: part.passed_tests + after.passed - before.passed,
  failed_tests: part.failed_tests + after.failed - before.failed,
  skipped_tests: part.skipped_tests + after.skipped - before.skipped,
  flaky_tests: part.flaky_tests + after.flaky - before.flaky,
});
