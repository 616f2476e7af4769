import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BlockError } from './block.ts';

/*
 * Details are JSON texts, one per case that has any. Neighbouring cases share a compressed chunk: their texts repeat
 * each other, and a chunk is small enough to unpack for a single case.
 */

/** What makes a chunk full. */
export const CHUNK_BYTES = 64 * 1024;
const ENTRY_BYTES = 8;
const MAX_CHUNK_BYTES = 2 ** 31 - 1;

export interface CaseText {
  readonly caseIndex: number;
  readonly json: string;
}

/** A text as it is stored. */
export interface CaseBytes {
  readonly caseIndex: number;
  readonly json: Buffer;
}

export interface DetailsChunk {
  readonly firstCaseIndex: number;
  readonly data: Uint8Array;
}

/** Takes texts in the order of their cases. */
export const encodeDetails = (texts: readonly CaseText[]): DetailsChunk[] => {
  const chunks: DetailsChunk[] = [];
  let pending: CaseBytes[] = [];
  let pendingBytes = 0;
  const flush = () => {
    if (pending.length === 0) return;
    chunks.push({ firstCaseIndex: pending[0]!.caseIndex, data: encodeChunk(pending) });
    pending = [];
    pendingBytes = 0;
  };
  for (const { caseIndex, json } of texts) {
    const bytes = Buffer.from(json, 'utf8');
    pending.push({ caseIndex, json: bytes });
    pendingBytes += bytes.length;
    if (pendingBytes >= CHUNK_BYTES) flush();
  }
  flush();
  return chunks;
};

/** Takes texts in the order of their cases. */
export const encodeChunk = (entries: readonly CaseBytes[]): Uint8Array => {
  const head = Buffer.alloc(4 + entries.length * ENTRY_BYTES);
  head.writeUInt32LE(entries.length, 0);
  entries.forEach(({ caseIndex, json }, index) => {
    head.writeUInt32LE(caseIndex, 4 + index * ENTRY_BYTES);
    head.writeUInt32LE(json.length, 8 + index * ENTRY_BYTES);
  });
  return zstdCompressSync(Buffer.concat([head, ...entries.map(({ json }) => json)]), { params: COMPRESSION });
};

/** Unlike a block, a chunk has no checksum of its own. */
const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

export const decodeDetails = (data: Uint8Array): CaseText[] =>
  decodeDetailBytes(data).map(({ caseIndex, json }) => ({ caseIndex, json: json.toString() }));

const unpack = (data: Uint8Array): Buffer => {
  try {
    return zstdDecompressSync(data, { maxOutputLength: MAX_CHUNK_BYTES });
  } catch (error) {
    throw new BlockError(`Details are damaged: ${(error as Error).message}`);
  }
};

/** Throws a BlockError when they are damaged. */
export const decodeDetailBytes = (data: Uint8Array): CaseBytes[] => {
  const raw = unpack(data);
  const count = raw.readUInt32LE(0);
  const texts = [];
  let at = 4 + count * ENTRY_BYTES;
  for (let index = 0; index < count; index++) {
    const caseIndex = raw.readUInt32LE(4 + index * ENTRY_BYTES);
    const length = raw.readUInt32LE(8 + index * ENTRY_BYTES);
    texts.push({ caseIndex, json: raw.subarray(at, at + length) });
    at += length;
  }
  return texts;
};
