import type { Attachment, Report, Trace, UploadReply } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { AttachmentRow, ReportRow, TraceRow } from '../../db/tables.ts';
import { type StoredRanges, placeOfIndex } from '../../segments/row-indices.ts';
import { traceViewerUrl } from '../viewer/trace-link.ts';
import { attachmentPath, reportPath, tracePath } from './paths.ts';

const RUNS_PER_QUERY = 500;

export const presentReport = ({ id, type, label, entry, size }: Omit<ReportRow, 'run_id' | 'part_id'>): Report => ({
  id,
  type,
  label,
  path: reportPath(id, entry),
  size,
});

/** The reports of some runs, in the order they came. */
export const reportsOf = async (queries: Queries, runIds: readonly number[]): Promise<Map<number, Report[]>> => {
  const reports = new Map<number, Report[]>(runIds.map((runId) => [runId, []]));
  for (let start = 0; start < runIds.length; start += RUNS_PER_QUERY) {
    const rows = await queries
      .selectFrom('reports')
      .selectAll()
      .where('run_id', 'in', runIds.slice(start, start + RUNS_PER_QUERY))
      .orderBy('id')
      .execute();
    for (const row of rows) reports.get(row.run_id)!.push(presentReport(row));
  }
  return reports;
};

type SizedTrace = TraceRow & { readonly size: number };

export const listTraces = (queries: Queries, runId: number): Promise<SizedTrace[]> =>
  queries
    .selectFrom('traces')
    .innerJoin('blobs', 'blobs.id', 'traces.blob_id')
    .selectAll('traces')
    .select('blobs.size')
    .where('run_id', '=', runId)
    .orderBy('traces.id')
    .execute();

export const presentTrace = ({ id, size, state, problem }: SizedTrace): Trace => ({
  id,
  path: tracePath(id),
  size,
  url: traceViewerUrl(`/api/files/${tracePath(id)}`),
  state,
  problem,
});

type SizedAttachment = AttachmentRow & { readonly size: number };

/** Of a run, or of one of its results. */
export const listAttachments = (queries: Queries, runId: number, caseIndex?: number): Promise<SizedAttachment[]> => {
  const ofRun = queries
    .selectFrom('attachments')
    .innerJoin('blobs', 'blobs.id', 'attachments.blob_id')
    .selectAll('attachments')
    .select('blobs.size')
    .where('run_id', '=', runId)
    .orderBy('attachments.id');
  return (caseIndex === undefined ? ofRun : ofRun.where('case_index', '=', caseIndex)).execute();
};

export const presentAttachment = ({
  id,
  name,
  content_type,
  size,
  attempt,
  width,
  height,
}: SizedAttachment): Attachment => ({
  id,
  name,
  contentType: content_type,
  path: attachmentPath(id, name),
  size,
  attempt,
  width,
  height,
});

/** A part and the indices of its results; for its sender they count from 0. */
export interface PartWithRanges {
  readonly partId: number;
  readonly ranges: StoredRanges;
}

/** What the answer to an upload says of its files: those of a run, or of a part of it. */
export const describeFiles = async (
  queries: Queries,
  runId: number,
  part: PartWithRanges | null,
): Promise<Pick<UploadReply, 'reportPath' | 'reports' | 'traces' | 'attachments'>> => {
  const ofPart = ({ part_id }: { part_id: number | null }): boolean => part === null || part_id === part.partId;
  const rows = await queries.selectFrom('reports').selectAll().where('run_id', '=', runId).orderBy('id').execute();
  const reports = rows.filter(ofPart).map(presentReport);
  const main = reports.find(({ type }) => type === 'html') ?? reports[0];
  const traces = (await listTraces(queries, runId)).filter(ofPart);
  const attachments = (await listAttachments(queries, runId)).filter(ofPart);
  const placeOf = (index: number): number => (part === null ? index : placeOfIndex(part.ranges, index));
  return {
    reportPath: main?.path ?? null,
    reports: reports.map(({ type, label, path }) => ({ type, label, path })),
    traces: traces.map(({ id, case_index }) => ({ testCaseIndex: placeOf(case_index), path: tracePath(id) })),
    attachments: attachments.map(({ id, case_index, attempt, name }) => ({
      testCaseIndex: placeOf(case_index),
      attempt,
      name,
      path: attachmentPath(id, name),
    })),
  };
};
