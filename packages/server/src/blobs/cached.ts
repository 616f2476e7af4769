import { LRUCache } from 'lru-cache';
import type { BlobStore } from './store.ts';

const ENTRY_BYTES = 400;

/** Keeps the small contents that were read last in memory. A content never changes, so what is kept is never stale. */
export const cacheSmallBlobs = (blobs: BlobStore, maxBytes: number): BlobStore => {
  const kept = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: ({ length }) => length + ENTRY_BYTES,
  });
  return {
    ...blobs,
    async readAll(name) {
      const key = `${name.hash} ${name.encoding}`;
      const known = kept.get(key);
      if (known) return known;
      const bytes = await blobs.readAll(name);
      kept.set(key, bytes);
      return bytes;
    },
  };
};
