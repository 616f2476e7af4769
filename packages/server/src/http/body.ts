import { randomUUID } from 'node:crypto';
import { type WriteStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';
import { shareOf } from '../memory-share.ts';
import { waitFor } from './stall-timer.ts';

export type ReceivedBody =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly file: string; readonly sizeBytes: number };

export interface BodyOptions {
  readonly maxBytes: number;
  /** Of all bodies that wait to be stored, in memory and in files. */
  readonly maxWaitingBytes: number;
  readonly stagingDir: string;
  readonly stallMs: number;
  /** What a message calls it. */
  readonly name?: string;
}

/** Nothing is unpacked here, so that what is counted is what comes. */
export const isCompressed = ({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): boolean =>
  !/^(?:identity)?$/i.test(encoding);

const IN_MEMORY_BYTES = 1024 * 1024;
/** Limit for all bodies that are being received or wait to be stored; beyond it they are spooled to files. */
const ALL_IN_MEMORY_BYTES = shareOf(16 * 1024 * 1024);
const RETRY_AFTER_SECONDS = 5;

let inMemoryBytes = 0;
let waitingBytes = 0;

/** What a body counts for until it is discarded. */
interface Share {
  memoryBytes: number;
  bytes: number;
}

const shares = new WeakMap<ReceivedBody, Share>();

const releaseMemory = (share: Share, bytes: number): void => {
  const held = Math.min(bytes, share.memoryBytes);
  share.memoryBytes -= held;
  inMemoryBytes -= held;
};

const releaseShare = (share: Share): void => {
  releaseMemory(share, share.memoryBytes);
  waitingBytes -= share.bytes;
  share.bytes = 0;
};

/**
 * Reads a body up to a limit on the bytes received. It spools a large body to a file, and any body when many are being
 * received or wait to be stored, so that memory stays flat however many clients send at once. The caller must discard
 * the body.
 */
export const receiveBody = (
  stream: Readable,
  { maxBytes, maxWaitingBytes, stagingDir, stallMs, name = 'The body' }: BodyOptions,
): Promise<ReceivedBody> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const share: Share = { memoryBytes: 0, bytes: 0 };
    let size = 0;
    let file: WriteStream | null = null;

    const finish = (): void => {
      stallTimer.end();
      stream.off('data', take).off('end', end).off('error', fail).off('close', cutOff);
    };
    const fail = (error: Error): void => {
      finish();
      releaseShare(share);
      // Closing the connection on a client that sends would lose it the answer; `boundUnread` bounds what is left.
      stream.resume();
      if (file) void removeSpool(file).finally(() => reject(error));
      else reject(error);
    };
    const cutOff = (): void => fail(new AppError('invalid_request', 'The request was cut off'));
    const stallTimer = waitFor(stream, stallMs, fail);
    const take = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      share.bytes += chunk.byteLength;
      waitingBytes += chunk.byteLength;
      stallTimer.took(chunk.byteLength);
      if (size > maxBytes) fail(new AppError('body_too_large', `${name} must not have more than ${maxBytes} bytes`));
      else if (waitingBytes > maxWaitingBytes && waitingBytes > size) fail(tooBusy());
      else {
        share.memoryBytes += chunk.byteLength;
        inMemoryBytes += chunk.byteLength;
        if (file) spool(file, chunk);
        else {
          chunks.push(chunk);
          if (size > IN_MEMORY_BYTES || inMemoryBytes > ALL_IN_MEMORY_BYTES) {
            file = createWriteStream(join(stagingDir, randomUUID())).on('error', fail);
            for (const earlier of chunks.splice(0)) spool(file, earlier);
          }
        }
      }
    };
    // A chunk is in memory until it is written, which takes a while when very many clients send at once.
    const spool = (target: WriteStream, chunk: Uint8Array): void => {
      const { byteLength } = chunk;
      const written = (error?: Error | null): void => {
        if (error) return;
        free(chunk);
        releaseMemory(share, byteLength);
      };
      if (target.write(chunk, written) || stream.isPaused()) return;
      stream.pause();
      target.once('drain', () => stream.resume());
    };
    const hand = (body: ReceivedBody): void => {
      shares.set(body, share);
      resolve(body);
    };
    const end = (): void => {
      finish();
      const spooled = file;
      if (!spooled) hand({ bytes: joined(chunks, new Uint8Array(size)) });
      // A disk that is full may say so only at the end.
      else
        spooled.end((error?: Error | null) => {
          if (error) fail(error);
          else hand({ file: spooled.path as string, sizeBytes: size });
        });
    };
    stream.on('data', take).on('end', end).on('error', fail).on('close', cutOff);
  });

const removeSpool = async (file: WriteStream): Promise<void> => {
  file.removeAllListeners('error').on('error', noop).destroy();
  if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve));
  await rm(file.path, { force: true });
};

const noop = (): void => undefined;

const tooBusy = (): AppError =>
  new AppError(
    'unavailable',
    'Too many submissions wait to be stored; try again shortly',
    undefined,
    RETRY_AFTER_SECONDS,
  );

/** Call this once a body is stored or abandoned: it no longer counts towards the limits, and its file is deleted. */
export const discardBody = async (body: ReceivedBody | null | undefined): Promise<void> => {
  const share = body && shares.get(body);
  if (share) releaseShare(share);
  if (body && 'file' in body) await rm(body.file, { force: true });
};

/** Counts bodies that come from files of our own among those that wait, while they are stored. */
export const whileWaiting = async <T>(
  bodies: readonly { readonly sizeBytes: number }[],
  maxWaitingBytes: number,
  store: () => Promise<T>,
): Promise<T> => {
  const bytes = bodies.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (waitingBytes > 0 && waitingBytes + bytes > maxWaitingBytes) throw tooBusy();
  waitingBytes += bytes;
  try {
    return await store();
  } finally {
    waitingBytes -= bytes;
  }
};

const joined = (chunks: readonly Uint8Array[], bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
    free(chunk);
  }
  return bytes;
};

/**
 * Frees the memory of a chunk immediately. It would otherwise wait for a major collection, which this much external
 * memory triggers several times a second.
 */
const free = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
};
