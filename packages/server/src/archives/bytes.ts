import { readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { type Gunzip, type InflateRaw, inflateRawSync } from 'node:zlib';
import { refusal } from './refusal.ts';

export const PIECE_BYTES = 64 * 1024;

export type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** An open file; reading it holds up its thread, which has nothing else to do. */
export interface OpenFile {
  readonly descriptor: number;
  readonly sizeBytes: number;
}

export const readBytes = (file: OpenFile, start: number, length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(file.descriptor, bytes, filled, length - filled, start + filled);
    if (read === 0) throw refusal('it is cut off');
    filled += read;
  }
  return bytes;
};

export function* readPieces(file: OpenFile, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; at += PIECE_BYTES) yield readBytes(file, at, Math.min(PIECE_BYTES, end - at));
}

/** Inflates all of the given bytes; neither may they end early nor may any follow. */
export async function* inflate(
  compressed: Iterable<Buffer>,
  { engine, sizeBytes, name }: { engine: InflateRaw | Gunzip; sizeBytes: number; name?: string },
): AsyncGenerator<Buffer> {
  const source = Readable.from(compressed);
  source.on('error', (error) => engine.destroy(error));
  source.pipe(engine);
  try {
    for await (const piece of engine) yield piece as Buffer;
  } catch (error) {
    throw explainInflating(error, name);
  } finally {
    source.destroy();
    engine.destroy();
  }
  // The engine stops at the end of the compressed data and ignores the rest.
  checkAllInflated(engine, sizeBytes, name);
}

/** As `inflate`, for one piece that stays one; a stream for each of thousands of small files would cost far more. */
export const inflatePiece = (compressed: Buffer, name: string): Buffer => {
  try {
    // The types do not know what this option does.
    const { buffer, engine } = inflateRawSync(compressed, { maxOutputLength: PIECE_BYTES, info: true }) as unknown as {
      buffer: Buffer;
      engine: InflateRaw;
    };
    checkAllInflated(engine, compressed.length, name);
    return buffer;
  } catch (error) {
    throw explainInflating(error, name);
  }
};

const checkAllInflated = (engine: InflateRaw | Gunzip, sizeBytes: number, name?: string): void => {
  if (engine.bytesWritten !== sizeBytes) throw refusal('other data follows its compressed data', name);
};

const explainInflating = (error: unknown, name?: string): unknown => {
  switch ((error as { code?: unknown }).code) {
    case 'Z_BUF_ERROR':
      return refusal('its compressed data is cut off', name);
    case 'Z_DATA_ERROR':
    case 'Z_NEED_DICT':
      return refusal('its compressed data is damaged', name);
    case 'ERR_BUFFER_TOO_LARGE':
      return refusal('it has more bytes than it was said to have', name);
    default:
      return error;
  }
};

/** Takes bytes in the portions that a format has. */
export interface ByteReader {
  /** The next bytes without taking them; fewer at the end. */
  peek(length: number): Promise<Buffer>;
  /** Fewer at the end. Only for lengths that are safe to be held in memory. */
  read(length: number): Promise<Buffer>;
  /** For any length; refuses the archive when it ends too early. */
  take(length: number, name: string): AsyncGenerator<Buffer>;
}

export const createByteReader = (pieces: AsyncIterator<Buffer> | Iterator<Buffer>): ByteReader => {
  let held: Buffer = Buffer.alloc(0);

  const hold = async (length: number): Promise<void> => {
    while (held.length < length) {
      const next = await pieces.next();
      if (next.done) return;
      held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
    }
  };
  const takeHeld = (length: number): Buffer => {
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };

  return {
    async peek(length) {
      await hold(length);
      return held.subarray(0, length);
    },
    async read(length) {
      await hold(length);
      return takeHeld(length);
    },
    async *take(length, name) {
      for (let left = length; left > 0;) {
        await hold(1);
        if (held.length === 0) throw refusal('it is cut off', name);
        const piece = takeHeld(Math.min(left, held.length));
        left -= piece.length;
        yield piece;
      }
    },
  };
};
