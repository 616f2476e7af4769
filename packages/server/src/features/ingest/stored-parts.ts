import { endianness } from 'node:os';

/** Some bytes that were seen before, kept among others so that thousands take little room. */
export interface StoredPart {
  readonly chunk: Chunk;
  readonly firstWord: number;
  readonly byteLength: number;
}

interface Chunk {
  readonly bytes: Uint8Array;
  readonly words: Float64Array;
}

const LITTLE_ENDIAN = endianness() === 'LE';
const WORD_BYTES = Float64Array.BYTES_PER_ELEMENT;
const CHUNK_BYTES = 256 * 1024;

/** Stores parts of some bytes, of up to a chunk each. */
export const createPartStore = (): ((source: Buffer, from: number, to: number) => StoredPart) => {
  let chunk: Chunk | null = null;
  let nextWord = 0;
  return (source, from, to) => {
    const byteLength = to - from;
    const words = Math.ceil(byteLength / WORD_BYTES);
    if (chunk === null || nextWord + words > chunk.words.length) {
      chunk = createChunk();
      nextWord = 0;
    }
    source.copy(chunk.bytes, nextWord * WORD_BYTES, from, to);
    const part = { chunk, firstWord: nextWord, byteLength };
    nextWord += words;
    return part;
  };
};

const createChunk = (): Chunk => {
  const buffer = new ArrayBuffer(CHUNK_BYTES);
  return { bytes: new Uint8Array(buffer), words: new Float64Array(buffer) };
};

/**
 * Whether a part is at a place of some UTF-8. Eight bytes are compared at once, as a number: those that are different
 * and still equal as numbers, or equal and yet not, are not in UTF-8 without zeros.
 */
export const isPartAt = (
  source: Uint8Array,
  view: DataView,
  start: number,
  { chunk, firstWord, byteLength }: StoredPart,
): boolean => {
  const end = start + byteLength;
  if (end > source.length) return false;
  const { words, bytes } = chunk;
  let at = start;
  let word = firstWord;
  for (; at + WORD_BYTES <= end; at += WORD_BYTES)
    if (view.getFloat64(at, LITTLE_ENDIAN) !== words[word++]) return false;
  for (let byte = word * WORD_BYTES; at < end; at++) if (source[at] !== bytes[byte++]) return false;
  return true;
};
