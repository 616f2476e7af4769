import { resultId } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { REFERENCE_BYTES } from '../../db/moved-values.ts';

const CHUNKS_PER_QUERY = 8;

/** A value of a run that may be in the file store. */
export interface RunValue {
  readonly column: 'results' | 'requests' | 'data';
  /** The first index of the block, or the id of the chunk. */
  readonly key: number;
  readonly bytes: Uint8Array;
}

/**
 * The bytes of a run in the order of its object, one or a few at a time: what is read together is together, so that one
 * request reads it.
 */
export async function* valuesOf(queries: Queries, runId: number): AsyncGenerator<RunValue> {
  const blocks = await queries
    .selectFrom('segments')
    .select('first_index')
    .where('run_id', '=', runId)
    .orderBy('first_index')
    .execute();
  for (const column of ['results', 'requests'] as const) {
    for (const { first_index: key } of blocks) {
      const row = await queries
        .selectFrom('segments')
        .select(column)
        .where('run_id', '=', runId)
        .where('first_index', '=', key)
        .executeTakeFirst();
      const bytes = (row as Partial<Record<typeof column, Uint8Array | null>> | undefined)?.[column];
      if (bytes && bytes.byteLength > REFERENCE_BYTES) yield { column, key, bytes };
    }
  }
  for (let after = resultId(runId, 0) - 1; ;) {
    const chunks = await queries
      .selectFrom('details')
      .select(['id', 'data'])
      .where('id', '>', after)
      .where('id', '<', resultId(runId + 1, 0))
      .orderBy('id')
      .limit(CHUNKS_PER_QUERY)
      .execute();
    if (chunks.length === 0) return;
    for (const { id: key, data: bytes } of chunks) {
      if (bytes.byteLength > REFERENCE_BYTES) yield { column: 'data', key, bytes };
    }
    after = chunks.at(-1)!.id;
  }
}
