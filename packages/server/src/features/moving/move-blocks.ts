import { createHash } from 'node:crypto';
import type { StoredBlob } from '../../blobs/store.ts';
import type { Queries } from '../../db/database.ts';
import { REFERENCE_BYTES, writeReference } from '../../db/moved-values.ts';
import { dropUnnamed } from '../files/remove-files.ts';
import { nameBlobs } from '../files/store-files.ts';
import { type RunValue, valuesOf } from './run-values.ts';

export interface MoveBlocks {
  readonly runId: number;
  readonly projectName: string;
  /** Of the run when it was packed. */
  readonly version: number;
  /** Its object, which is in the file store; null when it is not worth one. */
  readonly blob: StoredBlob | null;
  /** Whether it has an object already, which this one replaces. */
  readonly isAgain: boolean;
}

/** `changed`: the run is no longer what its object has, or gone; nothing was done. */
export type Moved = 'moved' | 'kept' | 'changed';

/** Puts references to its object where the bytes of a run are, if they are still the same. */
export const moveBlocks = async (
  transaction: Queries,
  { runId, version, blob, isAgain }: MoveBlocks,
): Promise<Moved> => {
  const run = await transaction
    .selectFrom('runs')
    .select(['project_id', 'version', 'sequence', 'moved_version'])
    .where('id', '=', runId)
    .executeTakeFirst();
  // One that is open again is about to change; another replica may have moved it.
  if (!run || run.version !== version || run.sequence < 0 || run.moved_version === version) return 'changed';
  if (blob !== null) {
    const { hash, places } = await packRun(transaction, runId);
    if (hash !== blob.hash) return 'changed';
    for (const place of places) await putReference(transaction, runId, place, blob);
    const bytes = places.reduce((sum, { length }) => sum + length - REFERENCE_BYTES, 0);
    const idOf = await nameBlobs(transaction, [blob]);
    const before = isAgain
      ? await transaction.deleteFrom('moved_runs').where('run_id', '=', runId).returning('blob_id').execute()
      : [];
    await transaction
      .insertInto('moved_runs')
      .values({ project_id: run.project_id, run_id: runId, blob_id: idOf(hash), bytes })
      .execute();
    // The object itself goes with the sweep: somebody may be reading it.
    const replaced = before.map(({ blob_id }) => blob_id);
    await dropUnnamed(transaction, replaced);
  }
  await transaction.updateTable('runs').set({ moved_version: version }).where('id', '=', runId).execute();
  return blob === null ? 'kept' : 'moved';
};

/** Where a value is in the object of its run. */
interface ValuePlace extends Omit<RunValue, 'bytes'> {
  readonly offset: number;
  readonly length: number;
}

/** What the object of a run would be. */
const packRun = async (
  transaction: Queries,
  runId: number,
): Promise<{ readonly hash: string; readonly places: readonly ValuePlace[] }> => {
  const hash = createHash('sha256');
  const places: ValuePlace[] = [];
  let offset = 0;
  for await (const { column, key, bytes } of valuesOf(transaction, runId)) {
    hash.update(bytes);
    places.push({ column, key, offset, length: bytes.byteLength });
    offset += bytes.byteLength;
  }
  return { hash: hash.digest('hex'), places };
};

const putReference = async (
  transaction: Queries,
  runId: number,
  { column, key, offset, length }: ValuePlace,
  { hash, storedBytes: objectBytes }: StoredBlob,
): Promise<void> => {
  const reference = writeReference({ hash, objectBytes, offset, length });
  if (column === 'data') {
    await transaction.updateTable('details').set({ data: reference }).where('id', '=', key).execute();
    return;
  }
  await transaction
    .updateTable('segments')
    .set({ [column]: reference })
    .where('run_id', '=', runId)
    .where('first_index', '=', key)
    .execute();
};
