import { refusal } from './refusal.ts';

export const BLOCK_BYTES = 512;

export interface TarHeader {
  /** As it stands in the header; an extension before it may give another. */
  readonly name: Buffer;
  readonly sizeBytes: number;
  readonly type: string;
}

const CHECKSUM_START = 148;
const CHECKSUM_END = 156;

export const isZeros = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/** Whether a first block is that of a tar archive, though perhaps of a damaged one. */
export const looksLikeTar = (block: Buffer): boolean =>
  block.length === BLOCK_BYTES && (block.toString('latin1', 257, 262) === 'ustar' || hasRightChecksum(block));

export const parseTarHeader = (block: Buffer): TarHeader => {
  if (!hasRightChecksum(block)) throw refusal('a header of the tar archive is damaged');
  const short = untilZero(block.subarray(0, 100));
  // GNU tar, whose mark ends with blanks, keeps times where POSIX has the first part of the name.
  const prefix =
    block.toString('latin1', 257, 263) === 'ustar\0' ? untilZero(block.subarray(345, 500)) : Buffer.alloc(0);
  const name = prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), short]) : short;
  const sizeBytes = parseSize(block.subarray(124, 136));
  if (sizeBytes === null) throw refusal('its size is not a number that a file can have', name.toString());
  return { name, sizeBytes, type: block[156] === 0 ? '0' : String.fromCharCode(block[156]!) };
};

const hasRightChecksum = (block: Buffer): boolean => {
  let sum = 0;
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= CHECKSUM_START && at < CHECKSUM_END ? 0x20 : block[at]!;
  return parseOctal(block.subarray(CHECKSUM_START, CHECKSUM_END)) === sum;
};

export const untilZero = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
};

const parseOctal = (field: Buffer): number | null => {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(field.toString('latin1'));
  return digits ? Number.parseInt(`0${digits[1]!}`, 8) : null;
};

/** In octal digits, or, when the first bit is set, in base 256, where the second bit is the sign. */
const parseSize = (field: Buffer): number | null => {
  if ((field[0]! & 0x80) === 0) return parseOctal(field);
  let size = field[0]! & 0x7f;
  for (const byte of field.subarray(1)) size = size * 256 + byte;
  return Number.isSafeInteger(size) ? size : null;
};
