import type { SizedBlobName } from '../../blobs/store.ts';
import type { Database } from '../../db/database.ts';
import type { BlobEncoding } from '../../db/tables.ts';
import type { FileName } from './paths.ts';

export interface FoundFile extends SizedBlobName {
  readonly sizeBytes: number;
}

interface BlobColumns {
  readonly hash: Uint8Array;
  readonly encoding: BlobEncoding;
  readonly size: number;
  readonly stored_size: number;
}

/** Looks files up by what their paths name. */
export const createFileFinder = ({ prepare, queries }: Database): ((name: FileName) => Promise<FoundFile | null>) => {
  const findInReport = prepare((database) =>
    database
      .selectFrom('report_files')
      .innerJoin('blobs', 'blobs.id', 'report_files.blob_id')
      .select(['blobs.hash', 'blobs.encoding', 'blobs.size', 'blobs.stored_size'])
      .where('report_files.report_id', '=', 0)
      .where('report_files.path', '=', ''),
  );
  const findTrace = prepare((database) =>
    database
      .selectFrom('traces')
      .innerJoin('blobs', 'blobs.id', 'traces.blob_id')
      .select(['blobs.hash', 'blobs.encoding', 'blobs.size', 'blobs.stored_size'])
      .where('traces.id', '=', 0),
  );
  return async (name) => {
    const [row]: BlobColumns[] =
      name.kind === 'report'
        ? await findInReport(queries, [name.reportId, name.path])
        : await findTrace(queries, [name.traceId]);
    if (!row) return null;
    return {
      hash: Buffer.from(row.hash).toString('hex'),
      encoding: row.encoding,
      sizeBytes: row.size,
      storedBytes: row.stored_size,
    };
  };
};
