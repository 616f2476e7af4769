import type { CaseDetails, SubmittedCase } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { BlockError } from '../../segments/block.ts';
import { decodeDetails } from '../../segments/details.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import { encodeResults, mergeResults, withCauses } from '../../segments/merge-results.ts';
import { type Results, decodeResults, statusOf } from '../../segments/results.ts';
import { indexAt, readRanges } from '../../segments/row-indices.ts';
import { findChunk } from '../cases/read-details.ts';
import { factsOfAttempts } from '../ingest/attempt-facts.ts';
import { causeOf } from '../insights/read-errors.ts';

/** A block that lacked causes, as it was and with them. */
export interface BlockWithCauses {
  readonly runId: number;
  readonly firstIndex: number;
  readonly before: Uint8Array;
  readonly results: Uint8Array;
}

export interface CausesFound {
  readonly blocks: readonly BlockWithCauses[];
  /** The first run that was not looked at; null when all were. */
  readonly nextRunId: number | null;
}

/** What is looked at before it is stored, so that no transaction is long. */
const MOST_RUNS = 100;
const MOST_BYTES = 4 * 1024 * 1024;

/** Finds the causes of errors in runs from one on whose blocks lack them, for they were written by an earlier version. */
export const findMissingCauses = async (queries: Queries, fromRunId: number): Promise<CausesFound> => {
  const runs = await queries
    .selectFrom('runs')
    .select('id')
    .where('id', '>=', fromRunId)
    .orderBy('id')
    .limit(MOST_RUNS + 1)
    .execute();
  const blocks: BlockWithCauses[] = [];
  let bytes = 0;
  for (const [at, { id: runId }] of runs.entries()) {
    if (at === MOST_RUNS || bytes >= MOST_BYTES) return { blocks, nextRunId: runId };
    for (const block of await blocksOf(queries, runId)) {
      bytes += block.results.byteLength;
      blocks.push(block);
    }
  }
  return { blocks, nextRunId: null };
};

const blocksOf = async (queries: Queries, runId: number): Promise<BlockWithCauses[]> => {
  const rows = await queries
    .selectFrom('segments')
    .select(['first_index', 'ranges', 'results'])
    .where('run_id', '=', runId)
    .orderBy('first_index')
    .execute();
  const found: BlockWithCauses[] = [];
  for (const { first_index: firstIndex, ranges, results: before } of rows) {
    try {
      const decoded = decodeResults(before);
      const results =
        ranges === null ? decoded : mergeResults([{ shard: 0, ranges: readRanges(ranges), results: decoded }]);
      const causes = await missingCauses(queries, runId, results);
      if (causes.size === 0) continue;
      found.push({ runId, firstIndex, before, results: encodeResults(withCauses(results, causes)) });
    } catch (error) {
      // Damage is told to those who read the run.
      if (!(error instanceof BlockError)) throw error;
    }
  }
  return found;
};

/** By row. */
const missingCauses = async (queries: Queries, runId: number, results: Results): Promise<Map<number, string>> => {
  const causes = new Map<number, string>();
  const attemptsOf = createAttemptsReader(queries, runId);
  const { status, retries, error, cause } = results;
  for (let row = 0; row < results.rows; row++) {
    const isFailed = weightOf(status.values[row]!, 0) === weights.failed;
    if (!isFailed && !(retries.values[row]! > 0)) continue;
    if (!Number.isNaN(cause.values[row]!)) continue;
    const text = error.values[row]!;
    const failedError =
      isFailed && !Number.isNaN(text)
        ? results.strings.at(text)
        : factsOfAttempts({
            status: statusOf(results, status.values[row]!),
            retries: retries.values[row]!,
            attempts: await attemptsOf(indexAt(results, row)),
          } as SubmittedCase).failedError;
    const found = failedError === null ? '' : causeOf(failedError);
    if (found !== '') causes.set(row, found);
  }
  return causes;
};

/** Keeps the chunk of details that was read last: neighbours are asked for in order. */
const createAttemptsReader = (queries: Queries, runId: number) => {
  let texts = new Map<number, string>();
  return async (caseIndex: number): Promise<CaseDetails['attempts']> => {
    if (!texts.has(caseIndex)) {
      const chunk = await findChunk(queries, runId, caseIndex);
      texts = new Map(chunk ? decodeDetails(chunk.data).map((text) => [text.caseIndex, text.json]) : []);
    }
    const json = texts.get(caseIndex);
    return json === undefined ? [] : (JSON.parse(json) as CaseDetails).attempts;
  };
};
