import { createByteCache } from '../byte-cache.ts';
import type { BlobStore } from './store.ts';

/** Keeps the small contents that were read last in memory. A content never changes, so what is kept is never stale. */
export const cacheSmallBlobs = (blobs: BlobStore, maxBytes: number): BlobStore => {
  const kept = createByteCache<string, Buffer>(maxBytes);
  return {
    ...blobs,
    async readAll(name) {
      const key = `${name.hash} ${name.encoding}`;
      const known = kept.get(key);
      if (known) return known;
      const bytes = await blobs.readAll(name);
      kept.set(key, bytes, bytes.length);
      return bytes;
    },
  };
};
