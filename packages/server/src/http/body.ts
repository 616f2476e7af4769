import { randomUUID } from 'node:crypto';
import { type WriteStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';
import { waitFor } from './stall-timer.ts';

export type ReceivedBody =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly file: string; readonly sizeBytes: number };

export interface BodyOptions {
  readonly maxBytes: number;
  readonly stagingDir: string;
  readonly stallMs: number;
  /** What a message calls it. */
  readonly name?: string;
}

/** Nothing is unpacked here, so that what is counted is what comes. */
export const isCompressed = ({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): boolean =>
  !/^(?:identity)?$/i.test(encoding);

const IN_MEMORY_BYTES = 1024 * 1024;
const ALL_IN_MEMORY_BYTES = 64 * 1024 * 1024;

let inMemoryBytes = 0;

/**
 * Reads a body up to a limit on the bytes that really come. A large one goes to a file, and so does any when many are
 * on their way, so that memory stays flat however many clients send at once.
 */
export const receiveBody = (
  stream: Readable,
  { maxBytes, stagingDir, stallMs, name = 'The body' }: BodyOptions,
): Promise<ReceivedBody> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    let held = 0;
    let file: WriteStream | null = null;

    const release = (): void => {
      inMemoryBytes -= held;
      held = 0;
    };
    const finish = (): void => {
      stallTimer.end();
      stream.off('data', take).off('end', end).off('error', fail).off('close', cutOff);
      release();
    };
    const fail = (error: Error): void => {
      finish();
      // What is left is read and dropped: closing the connection on a client that sends would lose it the answer.
      stream.resume();
      if (file) void removeSpool(file).finally(() => reject(error));
      else reject(error);
    };
    const cutOff = (): void => fail(new AppError('invalid_request', 'The request was cut off'));
    const stallTimer = waitFor(stream, stallMs, fail);
    const take = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      stallTimer.took(chunk.byteLength);
      if (size > maxBytes) fail(new AppError('body_too_large', `${name} must not have more than ${maxBytes} bytes`));
      else if (file) spool(file, chunk);
      else {
        chunks.push(chunk);
        held += chunk.byteLength;
        inMemoryBytes += chunk.byteLength;
        if (size > IN_MEMORY_BYTES || inMemoryBytes > ALL_IN_MEMORY_BYTES) {
          file = createWriteStream(join(stagingDir, randomUUID())).on('error', fail);
          for (const earlier of chunks.splice(0)) spool(file, earlier);
          release();
        }
      }
    };
    const spool = (target: WriteStream, chunk: Uint8Array): void => {
      if (target.write(chunk) || stream.isPaused()) return;
      stream.pause();
      target.once('drain', () => stream.resume());
    };
    const end = (): void => {
      finish();
      const spooled = file;
      if (spooled) {
        // A disk that is full may say so only now.
        spooled.end((error?: Error | null) =>
          error ? fail(error) : resolve({ file: spooled.path as string, sizeBytes: size }),
        );
      } else resolve({ bytes: joined(chunks, new Uint8Array(size)) });
    };
    stream.on('data', take).on('end', end).on('error', fail).on('close', cutOff);
  });

const removeSpool = async (file: WriteStream): Promise<void> => {
  file.removeAllListeners('error').on('error', noop).destroy();
  if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve));
  await rm(file.path, { force: true });
};

const noop = (): void => undefined;

/** Removes what is left of a body that nobody took. */
export const discardBody = async (body: ReceivedBody | null | undefined): Promise<void> => {
  if (body && 'file' in body) await rm(body.file, { force: true });
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
 * Gives the memory of a chunk back at once. It would wait for a collection of the whole heap, which so much memory
 * outside of the heap brings about several times a second.
 */
const free = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
};
