import type { Queries } from '../db/database.ts';
import type { BlobStore } from './store.ts';

const HASHES_PER_QUERY = 500;

export interface Removed {
  readonly count: number;
  readonly freedBytes: number;
}

/** Removes those of some contents that no transaction names and nobody holds. */
export const deleteUnreferenced = async (
  blobs: BlobStore,
  queries: Queries,
  hashes: readonly string[],
): Promise<Removed> => {
  let count = 0;
  let freedBytes = 0;
  const unnamed = [...new Set(hashes)];
  for (let start = 0; start < unnamed.length; start += HASHES_PER_QUERY) {
    const some = unnamed.slice(start, start + HASHES_PER_QUERY);
    const named = await namedOf(queries, some);
    for (const hash of some) {
      if (named.has(hash)) continue;
      // Asked again when nobody can bring it in meanwhile.
      const freed = await blobs.remove(hash, async () => (await namedOf(queries, [hash])).has(hash));
      if (freed > 0) count++;
      freedBytes += freed;
    }
  }
  return { count, freedBytes };
};

/** Removes everything that a crash, or an upload that failed, left behind. */
export const sweepBlobs = async (blobs: BlobStore, queries: Queries): Promise<Removed> => {
  let count = 0;
  let freedBytes = 0;
  for await (const hashes of blobs.list()) {
    const removed = await deleteUnreferenced(blobs, queries, hashes);
    count += removed.count;
    freedBytes += removed.freedBytes;
  }
  return { count, freedBytes };
};

const namedOf = async (queries: Queries, hashes: readonly string[]): Promise<Set<string>> => {
  const rows = await queries
    .selectFrom('blobs')
    .select('hash')
    .where(
      'hash',
      'in',
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    )
    .execute();
  return new Set(rows.map(({ hash }) => Buffer.from(hash).toString('hex')));
};
