import { resultId } from '@assay/contract';
import type { Queries } from '../db/database.ts';
import { BlockError } from './block.ts';
import {
  CHUNK_BYTES,
  type CaseBytes,
  type CaseText,
  decodeDetailBytes,
  decodeDetails,
  encodeChunk,
  encodeDetails,
} from './details.ts';
import { type StoredRanges, joinNeighbours } from './row-indices.ts';

/*
 * Every chunk of details belongs to one block of results, is written in the transaction that writes its block, and goes
 * with it. A chunk holds details of neighbouring indices only: chunks of a run never overlap, so the chunk of a result is
 * the last one that begins at or before it.
 */

/** A block whose details are meant. */
export interface BlockKey {
  readonly projectId: number;
  readonly runId: number;
  /** The first index of its results. */
  readonly firstIndex: number;
  readonly ranges: StoredRanges;
}

/** Stores the details of a new block, whose results have neighbouring indices. */
export const insertDetails = async (
  transaction: Queries,
  { projectId, runId, firstIndex }: Omit<BlockKey, 'ranges'>,
  texts: readonly CaseText[],
): Promise<void> => {
  for (const { firstCaseIndex, data } of encodeDetails(texts)) {
    await transaction
      .insertInto('details')
      .values({ project_id: projectId, id: resultId(runId, firstCaseIndex), block_index: firstIndex, data })
      .execute();
  }
};

export const deleteDetails = async (
  transaction: Queries,
  { runId, firstIndex, ranges }: Omit<BlockKey, 'projectId'>,
): Promise<void> => {
  await transaction
    .deleteFrom('details')
    .where('id', '>=', resultId(runId, firstIndex))
    .where('id', '<', resultId(runId, endOf(ranges)))
    .where('block_index', '=', firstIndex)
    .execute();
};

const endOf = (ranges: StoredRanges): number => Math.max(...ranges.map(([index, count]) => index + count));

/** Changes the details of one case, in the chunk that has those of its neighbours too. */
export const changeDetails = async (
  transaction: Queries,
  block: BlockKey,
  caseIndex: number,
  change: (json: string | null) => string,
): Promise<void> => {
  const { runId, firstIndex } = block;
  const chunk = await transaction
    .selectFrom('details')
    .select(['id', 'data'])
    .where('id', '<=', resultId(runId, caseIndex))
    .where('id', '>=', resultId(runId, firstNeighbour(block, caseIndex)))
    .where('block_index', '=', firstIndex)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const texts = chunk ? readTexts(chunk.data) : [];
  const before = texts.find((text) => text.caseIndex === caseIndex);
  const others = texts.filter((text) => text !== before);
  const changed = [...others, { caseIndex, json: change(before?.json ?? null) }];
  if (chunk) await transaction.deleteFrom('details').where('id', '=', chunk.id).execute();
  await insertDetails(
    transaction,
    block,
    changed.sort((a, b) => a.caseIndex - b.caseIndex),
  );
};

/** Changes the details of a block that is left with fewer results, those in `ranges`. */
export const rewriteDetails = async (
  transaction: Queries,
  block: BlockKey,
  ranges: StoredRanges,
  change: (texts: readonly CaseText[]) => readonly CaseText[],
): Promise<void> => {
  const { runId, firstIndex } = block;
  const chunks = await transaction
    .selectFrom('details')
    .select('data')
    .where('id', '>=', resultId(runId, firstIndex))
    .where('id', '<', resultId(runId, endOf(block.ranges)))
    .where('block_index', '=', firstIndex)
    .orderBy('id')
    .execute();
  await deleteDetails(transaction, block);
  const changed = change(chunks.flatMap(({ data }) => readTexts(data)));
  let at = 0;
  for (const [index, count] of joinNeighbours(ranges)) {
    while (at < changed.length && changed[at]!.caseIndex < index) at++;
    const from = at;
    while (at < changed.length && changed[at]!.caseIndex < index + count) at++;
    await insertDetails(transaction, block, changed.slice(from, at));
  }
};

/** Nothing can be kept of a damaged chunk. */
const readTexts = (data: Uint8Array): CaseText[] => {
  try {
    return decodeDetails(data);
  } catch (error) {
    if (error instanceof BlockError) return [];
    throw error;
  }
};

/** Where the indices begin that lead to one without a gap. */
const firstNeighbour = ({ firstIndex, ranges }: BlockKey, caseIndex: number): number => {
  const own = ranges.find(([index, count]) => caseIndex >= index && caseIndex < index + count);
  if (!own) throw new RangeError(`The block from ${firstIndex} on has no result ${caseIndex}`);
  return own[0];
};

/**
 * Moves the details of the blocks that became this one to it, and makes few chunks of many small ones. Never holds more
 * than a chunk that is being filled and the one after it.
 */
export const adoptDetails = async (transaction: Queries, block: BlockKey): Promise<void> => {
  for (const [index, count] of joinNeighbours(block.ranges)) {
    await joinChunks(transaction, block, resultId(block.runId, index), resultId(block.runId, index + count));
  }
};

const joinChunks = async (
  transaction: Queries,
  { projectId, firstIndex }: BlockKey,
  from: number,
  end: number,
): Promise<void> => {
  let ids: number[] = [];
  let texts: CaseBytes[] = [];
  let bytes = 0;
  const write = async (): Promise<void> => {
    const [first, last] = [ids[0], ids.at(-1)];
    if (first === undefined || last === undefined) return;
    if (first === last) {
      await transaction.updateTable('details').set({ block_index: firstIndex }).where('id', '=', first).execute();
    } else {
      await transaction.deleteFrom('details').where('id', '>=', first).where('id', '<=', last).execute();
      await transaction
        .insertInto('details')
        .values({ project_id: projectId, id: first, block_index: firstIndex, data: encodeChunk(texts) })
        .execute();
    }
    ids = [];
    texts = [];
    bytes = 0;
  };
  for (let at = from; ;) {
    const chunk = await transaction
      .selectFrom('details')
      .select(['id', 'data'])
      .where('id', '>=', at)
      .where('id', '<', end)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!chunk) break;
    at = chunk.id + 1;
    const more = decodeDetailBytes(chunk.data);
    const moreBytes = more.reduce((sum, { json }) => sum + json.byteLength, 0);
    if (moreBytes >= CHUNK_BYTES) await write();
    ids.push(chunk.id);
    for (const text of more) texts.push(text);
    bytes += moreBytes;
    if (bytes >= CHUNK_BYTES) await write();
  }
  await write();
};
