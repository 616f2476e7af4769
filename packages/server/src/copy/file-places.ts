import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBudget } from '../blobs/budget.ts';
import { QUARANTINE, blobPath } from '../blobs/disk.ts';
import { sync } from '../blobs/durable-folders.ts';
import type { S3Location } from '../blobs/s3-location.ts';
import type { SizedBlobName } from '../blobs/store.ts';

/** Where the files of an installation are: its data folder, or a bucket. */
export interface FilePlace {
  has(blob: SizedBlobName): Promise<boolean>;
  /** As it is stored; null when it is not there. */
  read(blob: SizedBlobName): Promise<Readable | null>;
  /** Takes a file that has what is to be stored. */
  put(blob: SizedBlobName, file: string): Promise<void>;
}

export const openFolder = (dataDir: string): FilePlace => {
  const blobs = join(dataDir, 'blobs');
  const find = async (blob: SizedBlobName): Promise<string | null> => {
    for (const path of [blobPath(blobs, blob), blobPath(join(blobs, QUARANTINE), blob)]) {
      const found = await stat(path).catch(() => null);
      if (found?.size === blob.storedBytes) return path;
    }
    return null;
  };
  return {
    has: async (blob) => (await find(blob)) !== null,
    async read(blob) {
      const path = await find(blob);
      return path === null ? null : createReadStream(path);
    },
    async put(blob, file) {
      const target = blobPath(blobs, blob);
      const half = `${target}.new`;
      await mkdir(dirname(target), { recursive: true });
      await pipeline(createReadStream(file), createWriteStream(half));
      await sync(half);
      await rename(half, target);
      await sync(dirname(target));
      await rm(file, { force: true });
    },
  };
};

/** A file is uploaded in parts that together take at most this. */
const UPLOAD_BYTES = 32 * 1024 * 1024;

export const openBucket = async (location: S3Location): Promise<FilePlace> => {
  const { connectToS3, isMissing } = await import('../blobs/s3-client.ts');
  const { openS3Bucket } = await import('../blobs/s3-bucket.ts');
  const { keyOf } = await import('../blobs/s3-names.ts');
  const bucket = openS3Bucket(connectToS3(location), createBudget(UPLOAD_BYTES));
  return {
    async has(blob) {
      const key = keyOf(blob);
      for await (const objects of bucket.list(key)) {
        if (objects.some((object) => object.key === key && object.bytes === blob.storedBytes)) return true;
      }
      return false;
    },
    async read(blob) {
      try {
        return await bucket.open(keyOf(blob), blob.storedBytes);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async put(blob, file) {
      await bucket.put(keyOf(blob), file, blob.storedBytes);
      await rm(file, { force: true });
    },
  };
};
