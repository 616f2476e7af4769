import { resultId } from '@assay/contract';
import type { Database, Queries } from '../../db/database.ts';
import { CHUNK_BYTES, type CaseBytes, decodeDetailBytes, encodeChunk } from '../../segments/details.ts';
import { type StoredRanges, layRanges } from '../../segments/row-indices.ts';
import type { SteppedWork } from '../../writer/command.ts';

const BYTES_PER_STEP = 4 * 1024 * 1024;

/**
 * Makes few chunks of the many small ones of a part. A chunk never goes beyond neighbouring results of its part: those
 * of another are looked up between them.
 */
export async function* joinDetails(database: Database, runId: number, ranges: StoredRanges): SteppedWork<void> {
  for (const { index, count } of layRanges(ranges)) {
    const end = resultId(runId, index + count);
    for (let from: number | null = resultId(runId, index); from !== null;) {
      const next: number = from;
      from = await database.transaction((transaction) => joinSome(transaction, next, end));
      yield;
    }
  }
}

/** Never holds more than a chunk that is being filled and the one after it; returns where to go on, or null. */
const joinSome = async (transaction: Queries, from: number, end: number): Promise<number | null> => {
  const filling: { ids: number[]; texts: CaseBytes[]; bytes: number } = { ids: [], texts: [], bytes: 0 };
  const write = async (): Promise<void> => {
    const { ids, texts } = filling;
    if (ids.length > 1) {
      await transaction.deleteFrom('details').where('id', '>=', ids[0]!).where('id', '<=', ids.at(-1)!).execute();
      await transaction
        .insertInto('details')
        .values({ id: ids[0]!, data: encodeChunk(texts) })
        .execute();
    }
    filling.ids = [];
    filling.texts = [];
    filling.bytes = 0;
  };
  let read = 0;
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
    const texts = decodeDetailBytes(chunk.data);
    const bytes = texts.reduce((sum, { json }) => sum + json.byteLength, 0);
    if (bytes >= CHUNK_BYTES) await write();
    filling.ids.push(chunk.id);
    filling.bytes += bytes;
    for (const text of texts) filling.texts.push(text);
    read += bytes;
    if (filling.bytes < CHUNK_BYTES) continue;
    await write();
    if (read >= BYTES_PER_STEP) return at;
  }
  await write();
  return null;
};
