import { sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import type { PartRow } from '../../db/tables.ts';
import { encodeResults, mergeResults } from '../../segments/merge-results.ts';
import { type RequestRow, decodeRequests, encodeRequests, requestAt } from '../../segments/requests.ts';
import { decodeResults } from '../../segments/results.ts';
import { readRanges, writeRanges } from '../../segments/row-indices.ts';
import type { SteppedWork } from '../../writer/command.ts';
import { joinDetails } from './join-details.ts';
import { rangesOf } from './part-rows.ts';

/** What may be written as one block, as it is stored now: what is decoded at once stays small. */
const MOST_RESULT_BYTES = 8 * 1024 * 1024;
const MOST_REQUEST_BYTES = 1024 * 1024;

type PartKey = Pick<PartRow, 'id' | 'run_id'>;

/**
 * Writes the many small blocks of a part as one, or as few when they hold much. Its results keep their ids. Each step
 * is whole in itself, so that it may be stopped after any; blocks come last, for many of them say that there is work.
 */
export async function* rewritePart(database: Database, part: PartKey): SteppedWork<void> {
  const groups = groupBlocks(await listBlocks(database.queries, part)).filter(({ length }) => length > 1);
  if (groups.length === 0) return;
  yield* joinDetails(database, part.run_id, await rangesOf(database.queries, part));
  for (const group of groups) {
    await database.transaction((transaction) => joinBlocks(transaction, part, group));
    yield;
  }
}

interface BlockSize {
  readonly first_index: number;
  readonly resultBytes: number;
  readonly requestBytes: number;
}

const listBlocks = (queries: Queries, { id, run_id }: PartKey): Promise<BlockSize[]> =>
  queries
    .selectFrom('segments')
    .select([
      'first_index',
      sql<number>`length(results)`.as('resultBytes'),
      sql<number>`coalesce(length(requests), 0)`.as('requestBytes'),
    ])
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .orderBy('first_index')
    .execute();

/** The first indices of blocks that become one. */
export const groupBlocks = (blocks: readonly BlockSize[]): number[][] => {
  const groups: number[][] = [];
  let resultBytes = Infinity;
  let requestBytes = Infinity;
  for (const block of blocks) {
    resultBytes += block.resultBytes;
    requestBytes += block.requestBytes;
    if (resultBytes <= MOST_RESULT_BYTES && requestBytes <= MOST_REQUEST_BYTES) groups.at(-1)!.push(block.first_index);
    else {
      groups.push([block.first_index]);
      ({ resultBytes, requestBytes } = block);
    }
  }
  return groups;
};

const joinBlocks = async (
  transaction: Queries,
  { id, run_id }: PartKey,
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
    .map(({ ranges, results }) => ({ ranges: readRanges(ranges!), results: decodeResults(results) }));
  const requests = blocks.flatMap((block) => (block.requests === null ? [] : rowsOf(block.requests)));
  await transaction
    .insertInto('segments')
    .values({
      run_id,
      first_index: first,
      part_id: id,
      ranges: writeRanges(placed.flatMap(({ ranges }) => ranges)),
      results: encodeResults(mergeResults(placed)),
      requests: requests.length > 0 ? encodeRequests(requests) : null,
    })
    .execute();
};

const rowsOf = (block: Uint8Array): RequestRow[] => {
  const requests = decodeRequests(block);
  return Array.from({ length: requests.rows }, (_, row) => requestAt(requests, row));
};
