import { resultId } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { PartRow } from '../../db/tables.ts';
import { decodeDetails, encodeDetails } from '../../segments/details.ts';
import { encodeResults, mergeResults } from '../../segments/merge-results.ts';
import { type RequestRow, decodeRequests, encodeRequests, requestAt } from '../../segments/requests.ts';
import { decodeResults } from '../../segments/results.ts';
import { type StoredRanges, layRanges, readRanges, writeRanges } from '../../segments/row-indices.ts';

/** Writes the many small blocks of a part as one. Its results keep their ids. */
export const rewritePart = async (
  transaction: Queries,
  { id, run_id }: Pick<PartRow, 'id' | 'run_id'>,
): Promise<void> => {
  const ofPart = () => transaction.selectFrom('segments').where('run_id', '=', run_id).where('part_id', '=', id);
  const { count } = await ofPart()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count < 2) return;
  const blocks = await ofPart().selectAll().orderBy('first_index').execute();
  const placed = blocks.map(({ ranges, results }) => ({
    ranges: readRanges(ranges!),
    results: decodeResults(results),
  }));
  const ranges = placed.flatMap((block) => block.ranges);
  const requests = blocks.flatMap((block) => (block.requests === null ? [] : rowsOf(block.requests)));
  await transaction.deleteFrom('segments').where('run_id', '=', run_id).where('part_id', '=', id).execute();
  await transaction
    .insertInto('segments')
    .values({
      run_id,
      first_index: blocks[0]!.first_index,
      part_id: id,
      ranges: writeRanges(ranges),
      results: encodeResults(mergeResults(placed)),
      requests: requests.length > 0 ? encodeRequests(requests) : null,
    })
    .execute();
  await rewriteDetails(transaction, run_id, ranges);
};

const rowsOf = (block: Uint8Array): RequestRow[] => {
  const requests = decodeRequests(block);
  return Array.from({ length: requests.rows }, (_, row) => requestAt(requests, row));
};

/** A chunk never goes beyond neighbouring results of its part: those of another are looked up between them. */
const rewriteDetails = async (transaction: Queries, runId: number, ranges: StoredRanges): Promise<void> => {
  for (const { index, count } of layRanges(ranges)) {
    const first = resultId(runId, index);
    const end = resultId(runId, index + count);
    const chunks = await transaction
      .selectFrom('details')
      .select('data')
      .where('id', '>=', first)
      .where('id', '<', end)
      .orderBy('id')
      .execute();
    if (chunks.length < 2) continue;
    await transaction.deleteFrom('details').where('id', '>=', first).where('id', '<', end).execute();
    for (const { firstCaseIndex, data } of encodeDetails(chunks.flatMap((chunk) => decodeDetails(chunk.data)))) {
      await transaction
        .insertInto('details')
        .values({ id: resultId(runId, firstCaseIndex), data })
        .execute();
    }
  }
};
