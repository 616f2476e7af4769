import type { ByteReader } from './bytes.ts';
import type { Contents } from './contents.ts';
import { refusal } from './refusal.ts';
import { type TarExtension, extendBy, isExtension } from './tar-extension.ts';
import { BLOCK_BYTES, type TarHeader, isZeros, parseTarHeader } from './tar-header.ts';

/** An extension is held in memory: a long name, or attributes that only the file system of its maker knows. */
const MAX_EXTENSION_BYTES = 256 * 1024;

const REFUSED_TYPES: Readonly<Record<string, string>> = {
  '1': 'it is a hard link',
  '2': 'it is a symbolic link',
  '3': 'it is a device',
  '4': 'it is a device',
  '6': 'it is a named pipe',
  S: 'it is a sparse file',
};

/** By hand, for the usual library waits for ever on some sizes and cannot tell an end from a cut. */
export const unpackTar = async (reader: ByteReader, contents: Contents): Promise<void> => {
  let extension: TarExtension | null = null;
  for (;;) {
    const block = await reader.read(BLOCK_BYTES);
    contents.budget.spendOverhead(block.length);
    if (block.length < BLOCK_BYTES) throw refusal('the tar archive is cut off');
    if (isZeros(block)) break;
    const header = parseTarHeader(block);
    if (isExtension(header)) {
      extension ??= {};
      extendBy(extension, header, await readExtension(header, reader, contents));
    } else {
      await unpackEntry({ ...header, ...extension }, reader, contents);
      extension = null;
    }
  }
  if (extension) throw refusal('the tar archive is cut off');
  if (!(await endsWithZeros(reader, contents))) throw refusal('other data follows the end of the tar archive');
};

const unpackEntry = async (header: TarHeader, reader: ByteReader, contents: Contents): Promise<void> => {
  const name = decodeName(header.name);
  const refused = REFUSED_TYPES[header.type];
  if (refused) throw refusal(refused, name);
  if (!'057'.includes(header.type)) throw refusal('it is neither a file nor a folder', name);
  if (header.type === '5' || name.endsWith('/')) {
    if (header.sizeBytes > 0) throw refusal('it is a folder with a content', name);
    contents.announce(name, 'folder');
    return;
  }
  const path = contents.announce(name, 'file');
  await contents.store(path, header.sizeBytes, reader.take(header.sizeBytes, path));
  await skipPadding(header, reader, contents);
};

const readExtension = async (header: TarHeader, reader: ByteReader, contents: Contents): Promise<Buffer> => {
  if (header.sizeBytes > MAX_EXTENSION_BYTES)
    throw refusal(`a header is longer than ${MAX_EXTENSION_BYTES} bytes`, header.name.toString());
  const bytes = await reader.read(header.sizeBytes);
  contents.budget.spendOverhead(bytes.length);
  if (bytes.length < header.sizeBytes) throw refusal('the tar archive is cut off');
  await skipPadding(header, reader, contents);
  return bytes;
};

const skipPadding = async ({ sizeBytes }: TarHeader, reader: ByteReader, contents: Contents): Promise<void> => {
  const length = (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;
  const padding = await reader.read(length);
  contents.budget.spendOverhead(padding.length);
  if (padding.length < length) throw refusal('the tar archive is cut off');
};

const decodeName = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal('its path is not valid UTF-8', bytes.toString());
  }
};

/** Reads to the end, where tape blocks are filled up with zeros. */
export const endsWithZeros = async (reader: ByteReader, contents: Contents): Promise<boolean> => {
  for (;;) {
    const bytes = await reader.read(BLOCK_BYTES);
    if (bytes.length === 0) return true;
    contents.budget.spendOverhead(bytes.length);
    if (!isZeros(bytes)) return false;
  }
};
