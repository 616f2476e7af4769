import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { BlobStore, ByteRange, SizedBlobName } from '../../blobs/store.ts';

/** Reads a content, or a range of it, as it was before it was compressed. */
export const readPlain = async (blobs: BlobStore, name: SizedBlobName, range?: ByteRange): Promise<Readable> => {
  if (name.encoding === 'identity') return blobs.read(name, range);
  const plain = pipeline(await blobs.read(name), createGunzip(), ignore);
  if (!range) return plain;
  return Readable.from(inOrder(plain)(range), { objectMode: false }).once('close', () => plain.destroy());
};

export interface RangeReader {
  /** Must be called with ranges in the order in which they lie in the content. */
  read(range: ByteRange): AsyncIterable<Buffer>;
  close(): void;
}

/** Reads several ranges of a content; a compressed one is inflated once for all of them. */
export const openRanges = async (blobs: BlobStore, name: SizedBlobName): Promise<RangeReader> => {
  if (name.encoding === 'identity') {
    // Fails now, while an answer can still say so.
    (await blobs.read(name, { start: 0, end: 0 })).destroy();
    return {
      async *read(range) {
        yield* await blobs.read(name, range);
      },
      close: () => undefined,
    };
  }
  const plain = await readPlain(blobs, name);
  return { read: inOrder(plain), close: () => void plain.destroy() };
};

const inOrder = (content: AsyncIterable<Buffer>): RangeReader['read'] => {
  const chunks = content[Symbol.asyncIterator]();
  let at = 0;
  let rest: Buffer = Buffer.alloc(0);
  return async function* ({ start, end }) {
    while (at <= end) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done) return;
        rest = next.value;
      }
      const from = Math.min(Math.max(start - at, 0), rest.length);
      const to = Math.min(end + 1 - at, rest.length);
      if (from < to) yield rest.subarray(from, to);
      at += to;
      rest = rest.subarray(to);
    }
  };
};

/** The reader of the returned stream sees its errors. */
const ignore = (): void => undefined;
