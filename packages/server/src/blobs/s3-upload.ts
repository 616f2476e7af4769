import { open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import type { Budget } from './budget.ts';
import { createPieces } from './pieces.ts';
import { type S3Connection, answerOf } from './s3-client.ts';

const MIB = 1024 * 1024;
/** What is larger is sent in parts. */
const PART_BYTES = 8 * MIB;
const MOST_PARTS = 10_000;
const PARTS_AT_ONCE = 4;
/** What a copy without parts may have. */
const MOST_COPIED_BYTES = 5 * 1024 * MIB;
const COPIED_PART_BYTES = 1024 * MIB;

const pieces = createPieces(PART_BYTES, PARTS_AT_ONCE);

/**
 * Sends a file from memory, a piece at a time, so that each request can be repeated; false if the key was there. Parts have
 * at least five MiB, as all but the last must.
 */
export const uploadFile = async (
  s3: S3Connection,
  budget: Budget,
  { key, file, bytes }: { readonly key: string; readonly file: string; readonly bytes: number },
  partBytes = PART_BYTES,
): Promise<boolean> => {
  const source = await open(file);
  try {
    const at = { Bucket: s3.bucket, Key: key };
    if (bytes <= partBytes) {
      return await budget.with(bytes, () =>
        pieces.with(source, 0, bytes, (Body) =>
          unlessThere((condition) => s3.send(new PutObjectCommand({ ...at, Body, ...condition }))),
        ),
      );
    }
    return await inParts(s3, key, bytes, partBytes, (part, from, length) =>
      budget.with(length, () =>
        pieces.with(source, from, length, async (Body) => {
          return (await s3.send(new UploadPartCommand({ ...part, Body }))).ETag;
        }),
      ),
    );
  } finally {
    await source.close();
  }
};

/** For objects that are too large to be copied by one request. */
export const copyInParts = (
  s3: S3Connection,
  { source, key, bytes }: { readonly source: string; readonly key: string; readonly bytes: number },
  partBytes = COPIED_PART_BYTES,
): Promise<boolean> =>
  inParts(s3, key, bytes, partBytes, async (part, from, length) => {
    const CopySourceRange = `bytes=${from}-${from + length - 1}`;
    const copied = await s3.send(new UploadPartCopyCommand({ ...part, CopySource: source, CopySourceRange }));
    return copied.CopyPartResult?.ETag;
  });

export const needsParts = (bytes: number): boolean => bytes > MOST_COPIED_BYTES;

interface Part {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
  readonly PartNumber: number;
}

const inParts = async (
  s3: S3Connection,
  key: string,
  bytes: number,
  leastPartBytes: number,
  send: (part: Part, from: number, length: number) => Promise<string | undefined>,
): Promise<boolean> => {
  const at = { Bucket: s3.bucket, Key: key };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(at));
  const partBytes = Math.max(leastPartBytes, Math.ceil(bytes / MOST_PARTS));
  const sent: { PartNumber: number; ETag: string | undefined }[] = [];
  let next = 0;
  const sendNext = async (): Promise<void> => {
    while (next * partBytes < bytes) {
      const index = next++;
      const PartNumber = index + 1;
      const from = index * partBytes;
      const ETag = await send({ ...at, UploadId, PartNumber }, from, Math.min(partBytes, bytes - from));
      sent[index] = { PartNumber, ETag };
    }
  };
  let isNew = false;
  try {
    const senders = await Promise.allSettled(Array.from({ length: PARTS_AT_ONCE }, sendNext));
    for (const sender of senders) if (sender.status === 'rejected') throw sender.reason;
    isNew = await unlessThere((condition) =>
      s3
        .send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts: sent }, ...condition }))
        .catch(async (error: unknown) => {
          // The answer to a first attempt may have been lost.
          if (answerOf(error).name !== 'NoSuchUpload') throw error;
          await s3.send(new HeadObjectCommand(at));
        }),
    );
  } finally {
    // Where that fails too, the parts go with the sweep.
    if (!isNew) await s3.send(new AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => undefined);
  }
  return isNew;
};

/** Some servers ignore the condition, some refuse it; what is written twice is the same. */
const unlessThere = async (write: (condition: { IfNoneMatch?: '*' }) => Promise<unknown>): Promise<boolean> => {
  try {
    await write({ IfNoneMatch: '*' });
  } catch (error) {
    const { status } = answerOf(error);
    if (status === 412) return false;
    if (status !== 409 && status !== 501) throw error;
    await write({});
  }
  return true;
};
