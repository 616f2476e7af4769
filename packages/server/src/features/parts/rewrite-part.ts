import { resultId } from '@assay/contract';
import { sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import { storedLength } from '../../db/moved-values.ts';
import type { PartRow } from '../../db/tables.ts';
import { adoptDetails } from '../../segments/block-details.ts';
import { BlockError } from '../../segments/block.ts';
import { encodeResults, mergeResults } from '../../segments/merge-results.ts';
import { type RequestRow, decodeRequests, encodeRequests, requestAt } from '../../segments/requests.ts';
import { decodeResults } from '../../segments/results.ts';
import { readRanges, writeRanges } from '../../segments/row-indices.ts';
import type { SteppedWork } from '../../writer/command.ts';
import { readAttempts, writeAttempts } from './store-block.ts';

/** What may be written as one block, as it is stored now: what is decoded at once stays small. */
const MOST_RESULT_BYTES = 8 * 1024 * 1024;
const MOST_REQUEST_BYTES = 1024 * 1024;
const MOST_DETAIL_BYTES = 1024 * 1024;

type PartKey = Pick<PartRow, 'id' | 'run_id' | 'project_id'>;

/**
 * Compacts the many small blocks of a part into one, or into a few if they are large, each with its requests and details.
 * Results keep their ids. Each step is complete in itself, so the work may stop after any of them.
 */
export async function* rewritePart(database: Database, part: PartKey): SteppedWork<void> {
  const groups = groupBlocks(await listBlocks(database.queries, part)).filter(({ length }) => length > 1);
  for (const group of groups) {
    await database.transaction((transaction) => joinBlocks(transaction, part, group)).catch(unlessDamaged);
    yield;
  }
}

/** Blocks with a damaged one among them stay as they are. */
const unlessDamaged = (error: unknown): void => {
  if (!(error instanceof BlockError)) throw error;
};

interface BlockSize {
  readonly first_index: number;
  readonly resultBytes: number;
  readonly requestBytes: number;
  readonly detailBytes: number;
}

const listBlocks = async (queries: Queries, { id, run_id }: PartKey): Promise<BlockSize[]> => {
  const details = await queries
    .selectFrom('details')
    .select(['block_index', sql<number>`sum(${storedLength(queries, 'data')})`.as('bytes')])
    .where('id', '>=', resultId(run_id, 0))
    .where('id', '<', resultId(run_id + 1, 0))
    .groupBy('block_index')
    .execute();
  const detailBytes = new Map(details.map(({ block_index, bytes }) => [block_index, bytes]));
  const blocks = await queries
    .selectFrom('segments')
    .select([
      'first_index',
      storedLength(queries, 'results').as('resultBytes'),
      sql<number>`coalesce(${storedLength(queries, 'requests')}, 0)`.as('requestBytes'),
    ])
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .orderBy('first_index')
    .execute();
  return blocks.map((block) => ({ ...block, detailBytes: detailBytes.get(block.first_index) ?? 0 }));
};

/** The first indices of blocks that become one. */
export const groupBlocks = (blocks: readonly BlockSize[]): number[][] => {
  const groups: number[][] = [];
  let resultBytes = Infinity;
  let requestBytes = Infinity;
  let detailBytes = Infinity;
  for (const block of blocks) {
    resultBytes += block.resultBytes;
    requestBytes += block.requestBytes;
    detailBytes += block.detailBytes;
    const isSmall =
      resultBytes <= MOST_RESULT_BYTES && requestBytes <= MOST_REQUEST_BYTES && detailBytes <= MOST_DETAIL_BYTES;
    if (isSmall) groups.at(-1)!.push(block.first_index);
    else {
      groups.push([block.first_index]);
      ({ resultBytes, requestBytes, detailBytes } = block);
    }
  }
  return groups;
};

const joinBlocks = async (
  transaction: Queries,
  { id, run_id, project_id }: PartKey,
  firstIndices: readonly number[],
): Promise<void> => {
  const [first, last] = [firstIndices[0]!, firstIndices.at(-1)!];
  const blocks = await transaction
    .deleteFrom('segments')
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .where('first_index', '>=', first)
    .where('first_index', '<=', last)
    .returningAll()
    .execute();
  // None are left of a part that was replaced meanwhile.
  if (blocks.length === 0) return;
  const placed = blocks
    .sort((a, b) => a.first_index - b.first_index)
    .map(({ ranges, results }) => ({ shard: 0, ranges: readRanges(ranges!), results: decodeResults(results) }));
  const ranges = placed.flatMap((block) => block.ranges);
  const requests = blocks.flatMap((block) => (block.requests === null ? [] : requestsIn(block.requests)));
  await transaction
    .insertInto('segments')
    .values({
      project_id,
      run_id,
      first_index: first,
      part_id: id,
      ranges: writeRanges(ranges),
      results: encodeResults(mergeResults(placed)),
      requests: requests.length > 0 ? encodeRequests(requests) : null,
      attempts: writeAttempts(blocks.flatMap(({ attempts }) => readAttempts(attempts))),
    })
    .execute();
  await adoptDetails(transaction, { projectId: project_id, runId: run_id, firstIndex: first, ranges });
};

export const requestsIn = (block: Uint8Array): RequestRow[] => {
  const requests = decodeRequests(block);
  return Array.from({ length: requests.rows }, (_, row) => requestAt(requests, row));
};
