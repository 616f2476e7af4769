import type { Queries } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { BlobStore, Removed } from './store.ts';

const HASHES_PER_QUERY = 500;
const REMOVED_AT_ONCE = 16;
const DAY_MS = 24 * 60 * 60 * 1000;
export const QUARANTINE_MS = 7 * DAY_MS;
const LONGEST_UPLOAD_MS = DAY_MS;

/** Deletes the given blobs that are neither referenced nor held. While the store is away, that is left to the sweep. */
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
    const left = some.filter((hash) => !named.has(hash)).values();
    const removeNext = async (): Promise<void> => {
      for (const hash of left) {
        // Checked again under the lock, when no upload can add it.
        const freed = await blobs.remove(hash, async () => (await namedOf(queries, [hash])).has(hash));
        if (freed > 0) count++;
        freedBytes += freed;
      }
    };
    const removers = await Promise.allSettled(Array.from({ length: REMOVED_AT_ONCE }, removeNext));
    for (const remover of removers) if (remover.status === 'rejected' && !isAway(remover.reason)) throw remover.reason;
  }
  return { count, freedBytes };
};

const isAway = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable';

export interface Swept {
  readonly quarantined: number;
  readonly restored: number;
  readonly removed: Removed;
  /** Uploads into the store that a crash cut off. */
  readonly abandoned: number;
}

/**
 * Puts contents that no transaction names into quarantine, and removes those that have been there for days. A crash or
 * a failed upload leaves such contents, but so does a database that is older than they are: once the newer one is back,
 * it names them again.
 */
export const sweepBlobs = async (blobs: BlobStore, queries: Queries, now: number): Promise<Swept> => {
  let [quarantined, restored] = [0, 0];
  const isNamed = async (hash: string): Promise<boolean> => (await namedOf(queries, [hash])).has(hash);
  for await (const { hash, named } of withNamed(queries, blobs.list())) {
    if (!named && (await blobs.quarantine(hash, () => isNamed(hash)))) quarantined++;
  }
  for await (const { hash, named } of withNamed(queries, blobs.listQuarantined())) {
    if (named && (await blobs.restore(hash))) restored++;
  }
  const removed = await blobs.purge(now - QUARANTINE_MS, (hashes) => namedOf(queries, hashes));
  const abandoned = await blobs.abandonUploads(now - LONGEST_UPLOAD_MS);
  return { quarantined, restored, removed, abandoned };
};

async function* withNamed(
  queries: Queries,
  listed: AsyncGenerator<string[]>,
): AsyncGenerator<{ hash: string; named: boolean }> {
  for await (const hashes of listed) {
    const named = await namedOf(queries, hashes);
    for (const hash of hashes) yield { hash, named: named.has(hash) };
  }
}

const namedOf = async (queries: Queries, hashes: readonly string[]): Promise<Set<string>> => {
  const named = new Set<string>();
  for (let start = 0; start < hashes.length; start += HASHES_PER_QUERY) {
    const some = hashes.slice(start, start + HASHES_PER_QUERY);
    const rows = await queries
      .selectFrom('blobs')
      .select('hash')
      .where(
        'hash',
        'in',
        some.map((hash) => Buffer.from(hash, 'hex')),
      )
      .execute();
    for (const { hash } of rows) named.add(Buffer.from(hash).toString('hex'));
  }
  return named;
};
