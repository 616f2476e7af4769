import type { SizedBlobName } from '../../blobs/store.ts';
import type { Database } from '../../db/database.ts';
import type { BlobEncoding } from '../../db/tables.ts';
import type { ReportFileName, TraceName } from './paths.ts';

export interface FoundFile extends SizedBlobName {
  readonly sizeBytes: number;
}

export interface FoundAttachment extends FoundFile {
  readonly contentType: string;
}

interface BlobColumns {
  readonly hash: Uint8Array;
  readonly encoding: BlobEncoding;
  readonly size: number;
  readonly stored_size: number;
}

export interface FileFinder {
  find(name: ReportFileName | TraceName): Promise<FoundFile | null>;
  findAttachment(id: number): Promise<FoundAttachment | null>;
}

/** Looks files up by what their paths name. */
export const createFileFinder = ({ prepare, queries }: Database): FileFinder => {
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
  const findAttachment = prepare((database) =>
    database
      .selectFrom('attachments')
      .innerJoin('blobs', 'blobs.id', 'attachments.blob_id')
      .select(['blobs.hash', 'blobs.encoding', 'blobs.size', 'blobs.stored_size', 'attachments.content_type'])
      .where('attachments.id', '=', 0),
  );
  return {
    async find(name) {
      const [row]: BlobColumns[] =
        name.kind === 'report'
          ? await findInReport(queries, [name.reportId, name.path])
          : await findTrace(queries, [name.traceId]);
      return row ? fileOf(row) : null;
    },
    async findAttachment(id) {
      const [row] = await findAttachment(queries, [id]);
      return row ? { ...fileOf(row), contentType: row.content_type } : null;
    },
  };
};

const fileOf = ({ hash, encoding, size, stored_size }: BlobColumns): FoundFile => ({
  hash: Buffer.from(hash).toString('hex'),
  encoding,
  sizeBytes: size,
  storedBytes: stored_size,
});
