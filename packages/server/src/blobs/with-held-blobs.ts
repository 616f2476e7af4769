import type { Queries } from '../db/database.ts';
import type { BlobStore, IncomingFile, StoredBlob } from './store.ts';
import { deleteUnreferenced } from './sweep.ts';

/** Brings contents into the store for some work that names them; what it did not name is gone after it. */
export const withHeldBlobs = async <T>(
  { blobs, queries }: { blobs: BlobStore; queries: Queries },
  files: readonly IncomingFile[],
  work: (blobOf: (hash: string) => StoredBlob) => Promise<T>,
): Promise<T> => {
  const distinct = new Map(files.map((file) => [file.hash, file]));
  const hashes = [...distinct.keys()];
  try {
    const held = await blobs.hold([...distinct.values()]);
    try {
      const byHash = new Map(held.map((blob) => [blob.hash, blob]));
      return await work((hash) => byHash.get(hash)!);
    } finally {
      blobs.release(hashes);
    }
  } finally {
    await deleteUnreferenced(blobs, queries, hashes);
  }
};
