import { closeSync, fstatSync, openSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { isBlobReport } from './blob-report.ts';
import { type OpenFile, PIECE_BYTES, createByteReader, inflate, readBytes, readPieces } from './bytes.ts';
import { type Contents, type UnpackedEntry, createContents } from './contents.ts';
import { BEGINNING_BYTES, looksLengthPrefixed, unpackLengthPrefixed } from './length-prefixed.ts';
import { type ArchiveLimits, createBudget } from './limits.ts';
import { HEAD_BYTES, recogniseFile, recogniseTar } from './recognise.ts';
import { refusal } from './refusal.ts';
import { BLOCK_BYTES } from './tar-header.ts';
import { endsWithZeros, unpackTar } from './tar.ts';
import { unpackZip } from './zip.ts';

export interface UnpackTask {
  readonly file: string;
  /** A folder of the task's own, empty at first. */
  readonly intoDir: string;
  readonly limits: ArchiveLimits;
  /** Leaves a blob report packed: that is what merging takes. */
  readonly keepBlobReport?: boolean | undefined;
}

export type Unpacked =
  | { readonly kind: 'archive'; readonly entries: readonly UnpackedEntry[] }
  /** A single HTML file, left where it is. */
  | { readonly kind: 'html' }
  | { readonly kind: 'blob-report' }
  /** Not an archive at all, left where it is. */
  | { readonly kind: 'other' };

/** Unpacks an archive on this thread. When it fails, what was written so far is left to the caller. */
export const unpackFile = async ({ file, intoDir, limits, keepBlobReport }: UnpackTask): Promise<Unpacked> => {
  const descriptor = openSync(file, 'r');
  try {
    if (keepBlobReport && (await isBlobReport(descriptor, limits.maxEntries))) return { kind: 'blob-report' };
    const open = { descriptor, sizeBytes: fstatSync(descriptor).size };
    const contents = createContents(intoDir, createBudget(limits, open.sizeBytes));
    const kind = await unpackByKind(open, contents);
    if (kind !== 'archive') return { kind };
    if (contents.entries.length === 0) throw refusal('it has no files');
    return { kind, entries: contents.entries };
  } finally {
    closeSync(descriptor);
  }
};

type RecognisedKind = 'archive' | 'html' | 'other';

const unpackByKind = async (file: OpenFile, contents: Contents): Promise<RecognisedKind> => {
  const kind = recogniseFile(readBytes(file, 0, Math.min(HEAD_BYTES, file.sizeBytes)));
  switch (kind) {
    case 'zip':
      await unpackZip(file, contents);
      return 'archive';
    case 'gzip':
      return unpackGzip(file, contents);
    case 'tar':
      await unpackTar(createByteReader(readPieces(file, 0, file.sizeBytes)), contents);
      return 'archive';
    case 'zeros':
      return (await endsWithZeros(createByteReader(readPieces(file, 0, file.sizeBytes)), contents))
        ? 'archive'
        : 'other';
    case 'html':
    case 'other':
      return kind;
  }
};

const unpackGzip = async (file: OpenFile, contents: Contents): Promise<RecognisedKind> => {
  const { sizeBytes } = file;
  const engine = createGunzip({ chunkSize: PIECE_BYTES });
  const pieces = inflate(readPieces(file, 0, sizeBytes), { engine, sizeBytes });
  const reader = createByteReader(pieces);
  try {
    const kind = recogniseTar(await reader.peek(BLOCK_BYTES));
    if (kind === 'tar') await unpackTar(reader, contents);
    else if (kind === 'zeros') return (await endsWithZeros(reader, contents)) ? 'archive' : 'other';
    else if (looksLengthPrefixed(await reader.peek(BEGINNING_BYTES))) await unpackLengthPrefixed(reader, contents);
    else return 'other';
    return 'archive';
  } finally {
    await pieces.return(undefined);
  }
};
