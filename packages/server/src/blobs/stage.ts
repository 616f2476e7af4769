import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.ts';
import { countSpent } from '../garbage.ts';
import type { StagedFile } from './store.ts';

/** Fewer and larger writes than a stream makes by itself. */
const WRITE_BUFFER_BYTES = 256 * 1024;

export interface StageOptions {
  readonly file: string;
  readonly maxBytes: number;
  /** What a message calls the content. */
  readonly name: string;
}

/** Writes a content to a file, hashing and counting it on the way. */
export const stage = async (content: Readable, { file, maxBytes, name }: StageOptions): Promise<StagedFile> => {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  content.on('data', (chunk: Uint8Array) => {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) {
      const message = `must not have more than ${maxBytes} bytes`;
      content.destroy(new AppError('body_too_large', `${name} ${message}`, [{ path: `/${name}`, message }]));
      return;
    }
    hash.update(chunk);
    countSpent(chunk.byteLength);
  });
  await pipeline(content, createWriteStream(file, { highWaterMark: WRITE_BUFFER_BYTES }));
  return { file, hash: hash.digest('hex'), sizeBytes };
};
