import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { AppError } from '../errors.ts';
import type { Budget } from './budget.ts';
import { type S3Connection, answerOf, isMissing } from './s3-client.ts';
import { copyInParts, needsParts, uploadFile } from './s3-upload.ts';
import { type ByteRange, WrongSizeError } from './store.ts';

const PAUSE_MS = 200;
/** What servers answer that do not know a request, or not its checksum. */
const CANNOT = new Set([400, 405, 501]);

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  readonly changedAt: number;
}

/** The part of a bucket below the prefix; keys are without it. */
export interface S3Bucket {
  /** False if the key was there. */
  put(key: string, file: string, bytes: number): Promise<boolean>;
  /** False when there is nothing to copy. */
  copy(from: string, to: string, bytes: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** As many as a page of a list has, by one request where the server can. */
  deleteAll(keys: readonly string[]): Promise<void>;
  /** Refuses an object that has another size. A connection that is lost on the way is made again. */
  open(key: string, bytes: number, range?: ByteRange): Promise<Readable>;
  /** Whether there is an object of this size. */
  has(key: string, bytes: number): Promise<boolean>;
  list(prefix: string, keysPerPage?: number): AsyncGenerator<ListedObject[]>;
  abandonUploads(before: number): Promise<number>;
}

export const openS3Bucket = (s3: S3Connection, budget: Budget, partBytes?: number): S3Bucket => {
  const { send, bucket: Bucket, prefix } = s3;
  const at = (key: string): { Bucket: string; Key: string } => ({ Bucket, Key: prefix + key });
  const get = async (key: string, bytes: number, range?: ByteRange): Promise<Readable> => {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const { Body, ContentLength, ContentRange } = await send(new GetObjectCommand({ ...at(key), Range }));
    const found = range ? Number(ContentRange?.split('/')[1]) : ContentLength;
    if (found === bytes) return Body as Readable;
    (Body as Readable).destroy();
    throw new WrongSizeError(`The object ${key} has ${found} bytes instead of ${bytes}`);
  };

  const deleteOne = async (key: string): Promise<void> => {
    await send(new DeleteObjectCommand(at(key)));
  };
  const deleteMany = async (keys: readonly string[]): Promise<void> => {
    const Objects = keys.map((key) => ({ Key: prefix + key }));
    const { Errors = [] } = await send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const [first] = Errors;
    if (first) throw new AppError('unavailable', `The file store does not delete ${first.Key}: ${first.Code}`);
  };

  return {
    put: (key, file, bytes) => uploadFile(s3, budget, { key: prefix + key, file, bytes }, partBytes),
    async copy(from, to, bytes) {
      const source = [Bucket, ...(prefix + from).split('/')].map(encodeURIComponent).join('/');
      try {
        if (needsParts(bytes)) await copyInParts(s3, { source, key: prefix + to, bytes });
        else await send(new CopyObjectCommand({ ...at(to), CopySource: source }));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    delete: deleteOne,
    async deleteAll(keys) {
      if (keys.length > 1) {
        try {
          return await deleteMany(keys);
        } catch (error) {
          if (!CANNOT.has(answerOf(error).status ?? 0)) throw error;
        }
      }
      for (const key of keys) await deleteOne(key);
    },
    async open(key, bytes, range) {
      const end = range?.end ?? bytes - 1;
      let body = await get(key, bytes, range);
      const read = async function* (): AsyncGenerator<Buffer> {
        let next = range?.start ?? 0;
        for (let failures = 0; ;) {
          try {
            for await (const chunk of body as AsyncIterable<Buffer>) {
              next += chunk.length;
              failures = 0;
              yield chunk;
            }
            if (next > end) return;
            throw new Error(`The object ${key} ended early`);
          } catch (error) {
            if (++failures >= s3.attempts) throw error;
          }
          await pause(PAUSE_MS * failures * Math.random());
          body = await get(key, bytes, { start: next, end });
        }
      };
      // Also when nobody began to read.
      return Readable.from(read(), { objectMode: false }).once('close', () => body.destroy());
    },
    async has(key, bytes) {
      try {
        return (await send(new HeadObjectCommand(at(key)))).ContentLength === bytes;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    async *list(below, keysPerPage) {
      for (let token: string | undefined; ;) {
        const { Contents = [], NextContinuationToken } = await send(
          new ListObjectsV2Command({ Bucket, Prefix: prefix + below, MaxKeys: keysPerPage, ContinuationToken: token }),
        );
        yield Contents.map(({ Key = '', Size = 0, LastModified }) => ({
          key: Key.slice(prefix.length),
          bytes: Size,
          changedAt: LastModified?.getTime() ?? 0,
        }));
        token = NextContinuationToken;
        if (token === undefined) return;
      }
    },
    async abandonUploads(before) {
      let count = 0;
      for (let marker: { KeyMarker?: string; UploadIdMarker?: string } = {}; ;) {
        const page = await send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...marker })).catch(
          (error: unknown) => {
            // Servers that cannot list them remove them by themselves.
            if (answerOf(error).status === 501) return null;
            throw error;
          },
        );
        for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
          if (!Initiated || Initiated.getTime() >= before) continue;
          await send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
          count++;
        }
        if (!page?.IsTruncated) return count;
        marker = {
          ...(page.NextKeyMarker && { KeyMarker: page.NextKeyMarker }),
          ...(page.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
        };
      }
    },
  };
};
