import yauzl from 'yauzl';
import { AppError } from '../errors.ts';
import { type OpenFile, readBytes } from './bytes.ts';
import type { Contents } from './contents.ts';
import { refusal } from './refusal.ts';

export interface ZipEntry {
  readonly path: string;
  readonly rawName: Buffer;
  readonly method: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** Of its local header. */
  readonly offset: number;
}

export interface ZipDirectory {
  /** Files only, in the order in which they lie in the archive. */
  readonly files: readonly ZipEntry[];
  /** Where the contents end. */
  readonly offset: number;
}

export const STORED = 0;
const DEFLATED = 8;

const ENCRYPTED_FLAGS = 0x2041;
const FILE_TYPE_MASK = 0xf000;
const SYMBOLIC_LINK = 0xa000;
const FOLDER = 0x4000;
const REGULAR_FILE = 0x8000;

/** Reads and checks the central directory, which alone says what a zip holds. */
export const readZipDirectory = async (file: OpenFile, contents: Contents): Promise<ZipDirectory> => {
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(new BoundedReader(file), file.sizeBytes, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    const offset = cursorOf(zip);
    const files: ZipEntry[] = [];
    for await (const entry of zip.eachEntry()) {
      const checked = checkEntry(entry, contents);
      if (checked) files.push(checked);
    }
    if (cursorOf(zip) !== findDirectoryEnd(zip, offset, file))
      throw refusal('the list of files in the zip archive is damaged');
    return { files: files.sort((a, b) => a.offset - b.offset), offset };
  } catch (error) {
    if (error instanceof AppError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw refusal(`the zip archive cannot be read, ${(error as Error).message}`);
  }
};

/** Nobody but yauzl asks for positions, and some of them come from the archive as they are. */
class BoundedReader extends yauzl.RandomAccessReader {
  readonly #file: OpenFile;

  constructor(file: OpenFile) {
    super();
    this.#file = file;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    let failure: Error | null = null;
    try {
      if (position + length > this.#file.sizeBytes) throw refusal('the zip archive is cut off');
      readBytes(this.#file, position, length).copy(target, offset);
    } catch (error) {
      failure = error as Error;
    }
    process.nextTick(callback, failure);
  }
}

/** The types call it a boolean. */
const cursorOf = (zip: yauzl.ZipFile): number => Number(zip.readEntryCursor);

const checkEntry = (entry: yauzl.Entry, contents: Contents): ZipEntry | null => {
  const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  const kind = name.endsWith('/') ? 'folder' : 'file';
  const path = contents.announce(name, kind);
  const fileType = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  if (fileType === SYMBOLIC_LINK) throw refusal('it is a symbolic link', name);
  if (fileType !== 0 && fileType !== (kind === 'folder' ? FOLDER : REGULAR_FILE))
    throw refusal('it is neither a file nor a folder', name);
  if ((entry.generalPurposeBitFlag & ENCRYPTED_FLAGS) !== 0) throw refusal('it is encrypted', name);
  if (kind === 'folder') {
    if (entry.uncompressedSize > 0) throw refusal('it is a folder with a content', name);
    return null;
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw refusal(`its compression method ${entry.compressionMethod} is not supported`, name);
  return {
    path,
    // A copy, for the original keeps the comment and the extra fields alive.
    rawName: Buffer.from(entry.fileNameRaw),
    method: entry.compressionMethod,
    crc32: entry.crc32,
    compressedBytes: entry.compressedSize,
    sizeBytes: entry.uncompressedSize,
    offset: entry.relativeOffsetOfLocalHeader,
  };
};

const END_BYTES = 22;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;

/**
 * The list must reach exactly to the record behind it: more entries than are counted would be hidden ones. Where an
 * archive has that record twice, in 32 and in 64 bits, both must agree.
 */
const findDirectoryEnd = (zip: yauzl.ZipFile, offset: number, file: OpenFile): number => {
  const endOffset = file.sizeBytes - END_BYTES - zip.comment.length;
  const end = readBytes(file, endOffset, END_BYTES);
  const locatorOffset = endOffset - ZIP64_LOCATOR_BYTES;
  if (locatorOffset < 0) return endOffset;
  const locator = readBytes(file, locatorOffset, ZIP64_LOCATOR_BYTES);
  if (locator.readUInt32LE(0) !== ZIP64_LOCATOR_SIGNATURE) return endOffset;
  const saysElse =
    ![zip.entryCount, 0xffff].includes(end.readUInt16LE(10)) || ![offset, 0xffffffff].includes(end.readUInt32LE(16));
  if (saysElse) throw refusal('the zip archive has two lists of files');
  return Number(locator.readBigUInt64LE(8));
};
