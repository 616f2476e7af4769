import { crc32 } from 'node:zlib';
import { readVarint, writeVarint } from './varint.ts';

/** Another number makes all outlines anew. */
export const OUTLINE_FORMAT = 1;
/** Outlines are stored together, by the numbers of their runs: many small rows take longer to read than few large ones. */
export const RUNS_PER_PACK = 16;
const CHECKSUM_BYTES = 4;

/** The outline of a run as it was at a version; what has changed since has another. */
export interface PackedOutline {
  readonly runId: number;
  readonly version: number;
  readonly bytes: Uint8Array;
}

export const packOutlines = (outlines: readonly PackedOutline[]): Uint8Array => {
  const head: number[] = [];
  writeVarint(head, outlines.length);
  for (const { runId, version, bytes } of outlines) {
    for (const number of [runId, version, bytes.length]) writeVarint(head, number);
  }
  const length = outlines.reduce((sum, { bytes }) => sum + bytes.length, head.length);
  const pack = Buffer.alloc(length + CHECKSUM_BYTES);
  pack.set(head);
  let at = head.length;
  for (const { bytes } of outlines) {
    pack.set(bytes, at);
    at += bytes.length;
  }
  pack.writeUInt32LE(crc32(pack.subarray(0, length)), length);
  return pack;
};

/** By run; none when the pack is damaged, for then the runs themselves are read. */
export const unpackOutlines = (pack: Uint8Array): Map<number, PackedOutline> => {
  const outlines = new Map<number, PackedOutline>();
  const end = pack.length - CHECKSUM_BYTES;
  if (end < 1) return outlines;
  const checksum = new DataView(pack.buffer, pack.byteOffset + end).getUint32(0, true);
  if (crc32(pack.subarray(0, end)) !== checksum) return outlines;
  const place = { at: 0 };
  const count = readVarint(pack, place);
  const entries = Array.from({ length: count }, () => ({
    runId: readVarint(pack, place),
    version: readVarint(pack, place),
    length: readVarint(pack, place),
  }));
  let at = place.at;
  for (const { runId, version, length } of entries) {
    outlines.set(runId, { runId, version, bytes: pack.subarray(at, (at += length)) });
  }
  return outlines;
};
