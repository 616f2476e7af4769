import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform, pipeline } from 'node:stream';
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { crcShifted } from './crc-shift.ts';

/*
 * A gzip into which something can be put without compressing the rest again: a page of 5 MB is shown in two thirds of the
 * time, one of 0.5 MB no sooner. The parts before and after the seam are deflated on their own and refer to nothing in
 * each other. The extra field of the header, with which any reader of gzip copes, says where the seam is: "As", 12, then,
 * 32 bits each, the offset of the seam in the gzip, the bytes of the content before it and their CRC-32.
 */

const HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 16, 0, 0x41, 0x73, 12, 0]);
const TRAILER_BYTES = 8;

/** As much of the start of a gzip as tells whether it has a seam. */
export const SEAM_HEADER_BYTES = HEADER.length + 12;

export interface Seam {
  readonly storedOffset: number;
  readonly offset: number;
  readonly crcBefore: number;
}

export interface Insertion {
  readonly plain: Buffer;
  /** From `deflatePiece`, or several of these. */
  readonly deflated: Buffer;
}

/** Deflates a piece that others may follow. */
export const deflatePiece = (plain: Uint8Array, level?: number): Buffer =>
  deflateRawSync(plain, { level, finishFlush: constants.Z_SYNC_FLUSH });

/** The gzip of a file, with a seam at an offset near its start. */
export async function* seamedGzip(file: string, offset: number): AsyncGenerator<Buffer> {
  const before = await readStart(file, offset);
  const deflated = deflatePiece(before);
  let crc = crc32(before);
  const header = Buffer.alloc(SEAM_HEADER_BYTES);
  header.set(HEADER);
  [SEAM_HEADER_BYTES + deflated.length, offset, crc].forEach((value, index) =>
    header.writeUInt32LE(value, HEADER.length + 4 * index),
  );
  yield header;
  yield deflated;
  let sizeBytes = offset;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      crc = crc32(chunk, crc);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  yield* pipeline(createReadStream(file, { start: offset }), meter, createDeflateRaw(), ignore);
  yield trailerOf(crc, sizeBytes);
}

export const findSeam = (start: Buffer): Seam | null =>
  start.length >= SEAM_HEADER_BYTES && start.subarray(0, HEADER.length).equals(HEADER)
    ? {
        storedOffset: start.readUInt32LE(HEADER.length),
        offset: start.readUInt32LE(HEADER.length + 4),
        crcBefore: start.readUInt32LE(HEADER.length + 8),
      }
    : null;

/** The gzip of a content of `sizeBytes` with something put in at its seam. */
export async function* insertAtSeam(
  gzip: AsyncIterable<Buffer>,
  { storedOffset, offset, crcBefore }: Seam,
  { plain, deflated }: Insertion,
  sizeBytes: number,
): AsyncGenerator<Buffer> {
  let before = storedOffset;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of gzip) {
    if (chunk.length < before) {
      before -= chunk.length;
      yield chunk;
      continue;
    }
    if (before > 0) {
      yield chunk.subarray(0, before);
      yield deflated;
    }
    const rest = chunk.subarray(before);
    before = 0;
    // What may be the trailer waits until it is clear that nothing follows.
    if (rest.length < TRAILER_BYTES) held = Buffer.concat([held, rest]);
    else {
      yield held;
      held = rest;
    }
    yield held.subarray(0, -TRAILER_BYTES);
    held = held.subarray(-TRAILER_BYTES);
  }
  const change = crcBefore ^ crc32(plain, crcBefore);
  const crc = held.readUInt32LE(0) ^ crcShifted(change, sizeBytes - offset);
  yield trailerOf(crc >>> 0, sizeBytes + plain.length);
}

const trailerOf = (crc: number, sizeBytes: number): Buffer => {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(sizeBytes % 2 ** 32, 4);
  return trailer;
};

export const readStart = async (file: string, bytes: number): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** Whoever reads the result sees its error. */
const ignore = (): void => undefined;
