import type { Report } from '@assay/contract';
import type { StoredBlob } from '../../blobs/store.ts';
import type { Queries } from '../../db/database.ts';
import type { ReportRow } from '../../db/tables.ts';
import type { PictureSize } from './picture-size.ts';
import { presentReport } from './present-files.ts';

const ROWS_PER_QUERY = 200;

/** A report whose files are in the blob store, held by the upload. */
export interface UploadedReport {
  readonly type: string;
  readonly label: string;
  /** The path of the file that is opened first. */
  readonly entry: string;
  readonly files: readonly { readonly path: string; readonly blob: StoredBlob }[];
}

export interface UploadedTrace {
  readonly caseIndex: number;
  readonly blob: StoredBlob;
}

export interface UploadedAttachment extends PictureSize {
  readonly caseIndex: number;
  /** From 0; null where the sender did not say it. */
  readonly attempt: number | null;
  readonly name: string;
  readonly contentType: string;
  readonly blob: StoredBlob;
}

/** What comes beside results. */
export interface UploadedFiles {
  readonly reports: readonly UploadedReport[];
  readonly traces: readonly UploadedTrace[];
  readonly attachments: readonly UploadedAttachment[];
}

/** The parts of a form that name test cases, for messages about them. */
export const partsOfCases = ({ traces, attachments }: Omit<UploadedFiles, 'reports'>): CasePart[] => [
  ...traces.map(({ caseIndex }) => ({ caseIndex, name: `trace_${caseIndex}` })),
  ...attachments.map(({ caseIndex, attempt }) => ({
    caseIndex,
    name: `attachment_${caseIndex}${attempt === null ? '' : `_${attempt}`}`,
  })),
];

export interface CasePart {
  readonly caseIndex: number;
  readonly name: string;
}

/** What files belong to: a run, or a part of it. */
export interface FileOwner {
  readonly projectId: number;
  readonly runId: number;
  readonly partId: number | null;
}

/** Names the files of a run; together with the run, or not at all. */
export const storeFiles = async (
  transaction: Queries,
  owner: FileOwner,
  { reports, traces, attachments }: UploadedFiles,
  now: number,
): Promise<void> => {
  for (const report of reports) await storeReport(transaction, owner, report);
  await storeAttachments(transaction, owner, attachments);
  if (traces.length === 0) return;
  const idOf = await nameBlobs(
    transaction,
    traces.map(({ blob }) => blob),
  );
  const rows = traces.map(({ caseIndex, blob }) => ({
    project_id: owner.projectId,
    run_id: owner.runId,
    part_id: owner.partId,
    case_index: caseIndex,
    blob_id: idOf(blob.hash),
    state: 'waiting' as const,
    problem: null,
  }));
  for (const some of chunksOf(rows)) await transaction.insertInto('traces').values(some).execute();
  await transaction
    .insertInto('jobs')
    .values({
      project_id: owner.projectId,
      kind: 'read-traces',
      run_id: owner.runId,
      state: 'waiting',
      attempts: 0,
      due_at: now,
      problem: null,
    })
    .execute();
};

const storeAttachments = async (
  transaction: Queries,
  { projectId, runId, partId }: FileOwner,
  attachments: readonly UploadedAttachment[],
): Promise<void> => {
  const idOf = await nameBlobs(
    transaction,
    attachments.map(({ blob }) => blob),
  );
  const rows = attachments.map(({ caseIndex, attempt, name, contentType, width, height, blob }) => ({
    project_id: projectId,
    run_id: runId,
    part_id: partId,
    case_index: caseIndex,
    attempt: attempt ?? 0,
    name,
    content_type: contentType,
    width,
    height,
    blob_id: idOf(blob.hash),
  }));
  for (const some of chunksOf(rows)) await transaction.insertInto('attachments').values(some).execute();
};

export const storeReport = async (
  transaction: Queries,
  { projectId, runId, partId }: FileOwner,
  { type, label, entry, files }: UploadedReport,
): Promise<Report> => {
  const idOf = await nameBlobs(
    transaction,
    files.map(({ blob }) => blob),
  );
  const report: Omit<ReportRow, 'id'> = {
    project_id: projectId,
    run_id: runId,
    part_id: partId,
    type,
    label,
    entry,
    size: files.reduce((sum, { blob }) => sum + blob.sizeBytes, 0),
  };
  const { id } = await transaction.insertInto('reports').values(report).returning('id').executeTakeFirstOrThrow();
  const rows = files.map(({ path, blob }) => ({
    project_id: projectId,
    report_id: id,
    path,
    blob_id: idOf(blob.hash),
  }));
  for (const some of chunksOf(rows)) await transaction.insertInto('report_files').values(some).execute();
  return presentReport({ id, ...report });
};

/** Rows for contents; one that another run has already named keeps its row. */
export const nameBlobs = async (
  transaction: Queries,
  blobs: readonly StoredBlob[],
): Promise<(hash: string) => number> => {
  const ids = new Map<string, number>();
  const distinct = [...new Map(blobs.map((blob) => [blob.hash, blob])).values()];
  for (const some of chunksOf(distinct)) {
    const rows = some.map(({ hash, encoding, sizeBytes, storedBytes }) => ({
      hash: Buffer.from(hash, 'hex'),
      encoding,
      size: sizeBytes,
      stored_size: storedBytes,
    }));
    await transaction
      .insertInto('blobs')
      .values(rows)
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute();
    const named = await transaction
      .selectFrom('blobs')
      .select(['id', 'hash'])
      .where(
        'hash',
        'in',
        rows.map(({ hash }) => hash),
      )
      .execute();
    for (const { id, hash } of named) ids.set(Buffer.from(hash).toString('hex'), id);
  }
  return (hash) => ids.get(hash)!;
};

const chunksOf = <T>(rows: readonly T[]): T[][] => {
  const chunks: T[][] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_QUERY)
    chunks.push(rows.slice(start, start + ROWS_PER_QUERY));
  return chunks;
};
