import type { Queries } from '../db/database.ts';
import type { BlobStore, IncomingFile, StoredBlob } from './store.ts';
import { deleteUnreferenced } from './sweep.ts';

/**
 * Adds blobs to the store and holds them during some work that references them. Afterwards it deletes the added blobs
 * that the work did not reference; blobs that existed before stay.
 */
export const withHeldBlobs = async <T>(
  { blobs, queries }: { blobs: BlobStore; queries: Queries },
  files: readonly IncomingFile[],
  work: (blobOf: (hash: string) => StoredBlob) => Promise<T>,
): Promise<T> => {
  const distinct = new Map(files.map((file) => [file.hash, file]));
  const unwanted = new Set<string>();
  try {
    const held = await blobs.hold([...distinct.values()], (hash) => unwanted.add(hash));
    try {
      const byHash = new Map(held.map((blob) => [blob.hash, blob]));
      return await work((hash) => byHash.get(hash)!);
    } finally {
      for (const hash of blobs.release([...distinct.keys()])) unwanted.add(hash);
    }
  } finally {
    await deleteUnreferenced(blobs, queries, [...unwanted]);
  }
};
