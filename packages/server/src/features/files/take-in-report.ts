import { join } from 'node:path';
import type { Unpacker } from '../../archives/unpacker.ts';
import type { IncomingFile, StagedFile } from '../../blobs/store.ts';
import type { Config } from '../../config.ts';
import { contentTypeOf, isCompressible, isPage } from './content-type.ts';
import { findScriptPlace, isByteText } from './html-start.ts';

/** Shards send several: `blob`, `blob-2`, … */
const BLOB_TYPE = /^blob(?:[_-]|$)/;

/** A file of a report, in staging. */
export interface ReportFile {
  readonly path: string;
  readonly staged: StagedFile;
  readonly compressible: boolean;
  readonly findSeam?: IncomingFile['findSeam'];
}

export interface ArrivedReport {
  readonly type: string;
  readonly fileName: string | null;
  readonly staged: StagedFile;
}

/** The files that an uploaded report consists of. Contents that it has several times are one file in staging. */
export const unpackReport = async (
  { type, fileName, staged }: ArrivedReport,
  { unpacker, config, stagingDir }: { unpacker: Unpacker; config: Config; stagingDir: string },
): Promise<ReportFile[]> => {
  const alone = (path: string): ReportFile[] => [{ path, staged, ...storageOf(path) }];
  const unpacked = await unpacker.unpack({
    file: staged.file,
    intoDir: join(stagingDir, `report-${type}`),
    limits: config.archiveLimits,
    keepBlobReport: BLOB_TYPE.test(type),
  });
  switch (unpacked.kind) {
    case 'archive':
      return unpacked.entries.map(({ path, file, hash, sizeBytes }) => ({
        path,
        staged: { file, hash, sizeBytes },
        ...storageOf(path),
      }));
    case 'blob-report':
      return alone('report.zip');
    case 'html':
      return alone('index.html');
    case 'other':
      return alone(safeName(fileName) ?? 'report.bin');
  }
};

/** How to store a file of a report, by its path. A page gets a seam where a script is inserted when it is served. */
export const storageOf = (path: string): Pick<IncomingFile, 'compressible' | 'findSeam'> => ({
  compressible: isCompressible(path),
  findSeam: isPage(contentTypeOf(path)) ? findScriptSeam : undefined,
});

const findScriptSeam = (start: Uint8Array, isWhole: boolean): number | null =>
  isByteText(start) ? findScriptPlace(start, isWhole) : null;

const safeName = (fileName: string | null): string | null => {
  const name =
    fileName
      ?.replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '')
      .slice(-100) ?? '';
  return name === '' ? null : name;
};
