import { crc32, createInflateRaw } from 'node:zlib';
import yauzl from 'yauzl';
import { type OpenFile, PIECE_BYTES, type Pieces, inflate, inflatePiece, readBytes, readPieces } from './bytes.ts';
import type { Contents } from './contents.ts';
import { refusal } from './refusal.ts';
import { STORED, type ZipEntry, readZipDirectory } from './zip-directory.ts';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const SIZES_FOLLOW_FLAG = 0x8;
const ZIP64_FIELD = 0x0001;

export const unpackZip = async (file: OpenFile, contents: Contents): Promise<void> => {
  const { files, offset } = await readZipDirectory(file, contents);
  for (const [index, entry] of files.entries()) {
    const limit = files[index + 1]?.offset ?? offset;
    const start = checkLocalHeader(file, entry, limit);
    const end = start + entry.compressedBytes;
    // One piece of compressed data in many entries is how the best zip bombs are made.
    if (end > limit) throw refusal('its data overlaps other data of the archive', entry.path);
    const sum = { crc32: 0 };
    await contents.store(entry.path, entry.sizeBytes, summed(openEntry(file, entry, start, end), sum));
    if (sum.crc32 !== entry.crc32) throw refusal('its checksum is not that of its content', entry.path);
  }
};

const openEntry = (file: OpenFile, entry: ZipEntry, start: number, end: number): Pieces => {
  if (entry.method === STORED) return readPieces(file, start, end);
  if (Math.max(entry.compressedBytes, entry.sizeBytes) <= PIECE_BYTES)
    return [inflatePiece(readBytes(file, start, entry.compressedBytes), entry.path)];
  return inflate(readPieces(file, start, end), {
    engine: createInflateRaw({ chunkSize: PIECE_BYTES }),
    sizeBytes: entry.compressedBytes,
    name: entry.path,
  });
};

async function* summed(pieces: Pieces, sum: { crc32: number }): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    sum.crc32 = crc32(piece, sum.crc32);
    yield piece;
  }
}

/** The header beside the data must say what the central directory says; returns where the data starts. */
const checkLocalHeader = (file: OpenFile, entry: ZipEntry, limit: number): number => {
  if (entry.offset + LOCAL_HEADER_BYTES > limit)
    throw refusal('its data overlaps other data of the archive', entry.path);
  const header = readBytes(file, entry.offset, LOCAL_HEADER_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw refusal('its local header is damaged', entry.path);
  const nameStart = entry.offset + LOCAL_HEADER_BYTES;
  const nameBytes = header.readUInt16LE(26);
  const start = nameStart + nameBytes + header.readUInt16LE(28);
  if (start > limit) throw refusal('its data overlaps other data of the archive', entry.path);
  const name = readBytes(file, nameStart, nameBytes);
  if (!name.equals(entry.rawName)) throw refusal('its local header has another name', entry.path);
  if (header.readUInt16LE(8) !== entry.method) throw refusal('its local header has another method', entry.path);
  const extra = readBytes(file, nameStart + nameBytes, start - nameStart - nameBytes);
  if (!hasSameFigures(header, extra, entry)) throw refusal('its local header has another size or checksum', entry.path);
  return start;
};

const hasSameFigures = (header: Buffer, extra: Buffer, entry: ZipEntry): boolean => {
  const sum = header.readUInt32LE(14);
  const { sizeBytes, compressedBytes } = localSizes(header, extra);
  const same = sum === entry.crc32 && sizeBytes === entry.sizeBytes && compressedBytes === entry.compressedBytes;
  // A writer that does not know them yet leaves them empty and writes them behind the data.
  const follow = (header.readUInt16LE(6) & SIZES_FOLLOW_FLAG) !== 0;
  return same || (follow && sum === 0 && [0, 0xffffffff].includes(header.readUInt32LE(18)));
};

const localSizes = (header: Buffer, extra: Buffer): { sizeBytes: number; compressedBytes: number } => {
  const compressedBytes = header.readUInt32LE(18);
  const sizeBytes = header.readUInt32LE(22);
  const field = parseExtraFields(extra).find(({ id }) => id === ZIP64_FIELD)?.data;
  // In a local header the field has both sizes or is not there.
  if (!field || field.length < 16) return { sizeBytes, compressedBytes };
  return {
    sizeBytes: sizeBytes === 0xffffffff ? Number(field.readBigUInt64LE(0)) : sizeBytes,
    compressedBytes: compressedBytes === 0xffffffff ? Number(field.readBigUInt64LE(8)) : compressedBytes,
  };
};

const parseExtraFields = (extra: Buffer): yauzl.ExtraField[] => {
  try {
    return yauzl.parseExtraFields(extra);
  } catch {
    // Some writers pad local headers with bytes that are no fields.
    return [];
  }
};
