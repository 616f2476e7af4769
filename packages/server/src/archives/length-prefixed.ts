import { isUtf8 } from 'node:buffer';
import type { ByteReader } from './bytes.ts';
import type { Contents } from './contents.ts';
import { refusal } from './refusal.ts';

/*
 * The archive of older reporters, inside gzip: for each file the length of its path, the path, the length of its
 * content, the content. Lengths are 32-bit numbers, the lowest byte first.
 */

const LENGTH_BYTES = 4;
const MAX_PATH_BYTES = 1024;

/** How much of the beginning tells whether something is such an archive. */
export const BEGINNING_BYTES = LENGTH_BYTES + MAX_PATH_BYTES;

/** There is no mark to know it by: it must begin with a length that a path can have, and with such a path. */
export const looksLengthPrefixed = (beginning: Buffer): boolean => {
  if (beginning.length < LENGTH_BYTES) return beginning.length === 0;
  const length = beginning.readUInt32LE(0);
  return length > 0 && length <= MAX_PATH_BYTES && isUtf8(beginning.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
};

export const unpackLengthPrefixed = async (reader: ByteReader, contents: Contents): Promise<void> => {
  while ((await reader.peek(1)).length > 0) {
    const name = await readName(reader);
    contents.budget.spendOverhead(2 * LENGTH_BYTES + name.length);
    const path = contents.announce(name, 'file');
    const sizeBytes = await readLength(reader);
    await contents.store(path, sizeBytes, reader.take(sizeBytes, path));
  }
};

const readName = async (reader: ByteReader): Promise<string> => {
  const length = await readLength(reader);
  if (length > MAX_PATH_BYTES) throw refusal(`a path is longer than ${MAX_PATH_BYTES} bytes`);
  const bytes = await reader.read(length);
  if (bytes.length < length) throw refusal('it is cut off', bytes.toString());
  if (!isUtf8(bytes)) throw refusal('its path is not valid UTF-8', bytes.toString());
  return bytes.toString();
};

const readLength = async (reader: ByteReader): Promise<number> => {
  const bytes = await reader.read(LENGTH_BYTES);
  if (bytes.length < LENGTH_BYTES) throw refusal('it is cut off');
  return bytes.readUInt32LE(0);
};
