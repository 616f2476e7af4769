import { MAX_ATTACHMENTS_PER_CASE, type PartFilesReply } from '@assay/contract';
import type { StoredBlob } from '../../blobs/store.ts';
import type { Queries } from '../../db/database.ts';
import { nthIndex } from '../../segments/row-indices.ts';
import { refusal } from '../../validation.ts';
import { describeFiles } from '../files/present-files.ts';
import { removeReport } from '../files/remove-files.ts';
import { isSameReport } from '../files/same-report.ts';
import {
  type UploadedAttachment,
  type UploadedFiles,
  type UploadedReport,
  partsOfCases,
  storeFiles,
} from '../files/store-files.ts';
import { TOO_MANY_ATTACHMENTS } from '../ingest/receive-upload.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { rangesOf } from '../parts/part-rows.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { reopenRun } from '../parts/run-numbering.ts';
import { getOpenPart, heartbeatColumns } from './open-part.ts';

/** Cases are counted in the part. */
export interface FilesOfPart extends UploadedFiles {
  readonly runId: number;
  readonly partId: number;
}

export interface AddedFiles extends PartFilesReply {
  readonly projectId: number;
  /** Contents of the reports whose place others took. */
  readonly orphans: readonly string[];
}

/** Names files of a part that is not finished. The same again are stored once. */
export const addFiles = async (
  transaction: Queries,
  { runId, partId, ...files }: FilesOfPart,
  { durations, now }: { readonly durations: PartDurations; readonly now: number },
): Promise<AddedFiles> => {
  const { run, part } = await getOpenPart(transaction, runId, partId);
  const ranges = await rangesOf(transaction, part);
  const strays = new Set(
    partsOfCases(files)
      .filter(({ caseIndex }) => nthIndex(ranges, caseIndex) === null)
      .map(({ name }) => name),
  );
  if (strays.size > 0) {
    const message = `names no test case: the part has ${part.result_count}, counted from 0`;
    throw refusal(
      'invalid_body',
      [...strays].map((name) => ({ path: `/${name}`, message })),
    );
  }
  const placed = <T extends CasePlace>(file: T): T => ({ ...file, caseIndex: nthIndex(ranges, file.caseIndex)! });
  const storedTraces = await tracesOf(transaction, runId, partId);
  const traces = files.traces.map(placed).filter((trace) => !storedTraces.has(nameOfTrace(trace)));
  const attachments = await freshAttachments(transaction, { runId, partId }, files.attachments.map(placed));
  const earlier = await transaction
    .selectFrom('reports')
    .select(['id', 'type', 'label', 'entry'])
    .where('run_id', '=', runId)
    .where('part_id', '=', partId)
    .execute();
  const newReports: UploadedReport[] = [];
  for (const report of files.reports) {
    const place = earlier.find(({ type }) => type === report.type);
    if (!place || !(await isSameReport(transaction, place, report))) newReports.push(report);
  }
  const owner = { projectId: run.project_id, runId, partId };
  await storeFiles(transaction, owner, { reports: newReports, traces, attachments }, now);
  const orphans: string[] = [];
  for (const { id, type } of earlier) {
    if (newReports.some((report) => report.type === type)) orphans.push(...(await removeReport(transaction, id)));
  }
  await transaction.updateTable('parts').set(heartbeatColumns(now)).where('id', '=', partId).execute();
  await reopenRun(transaction, run);
  await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  const { reportPath: _, ...stored } = await describeFiles(transaction, runId, { partId, ranges });
  return { success: true, ...stored, projectId: run.project_id, orphans };
};

interface CasePlace {
  readonly caseIndex: number;
  readonly blob: StoredBlob;
}

const nameOfTrace = ({ caseIndex, blob }: CasePlace): string => `${caseIndex} ${blob.hash}`;

type PlacedAttachment = CasePlace & Pick<UploadedAttachment, 'attempt' | 'name'>;

const nameOfAttachment = ({ caseIndex, attempt, name, blob }: PlacedAttachment): string =>
  `${caseIndex} ${attempt ?? 0} ${blob.hash} ${name}`;

/** Those that the part does not have yet; a case must not get too many of them. */
const freshAttachments = async (
  transaction: Queries,
  { runId, partId }: { readonly runId: number; readonly partId: number },
  attachments: readonly UploadedAttachment[],
): Promise<UploadedAttachment[]> => {
  if (attachments.length === 0) return [];
  const rows = await transaction
    .selectFrom('attachments')
    .innerJoin('blobs', 'blobs.id', 'attachments.blob_id')
    .select(['attachments.case_index', 'attachments.attempt', 'attachments.name', 'blobs.hash'])
    .where('attachments.run_id', '=', runId)
    .where('attachments.part_id', '=', partId)
    .execute();
  const stored = new Set<string>();
  const counts = new Map<number, number>();
  const count = (caseIndex: number): number => {
    counts.set(caseIndex, (counts.get(caseIndex) ?? 0) + 1);
    return counts.get(caseIndex)!;
  };
  for (const { case_index, attempt, name, hash } of rows) {
    stored.add(`${case_index} ${attempt} ${Buffer.from(hash).toString('hex')} ${name}`);
    count(case_index);
  }
  const fresh = attachments.filter((attachment) => !stored.has(nameOfAttachment(attachment)));
  if (fresh.some(({ caseIndex }) => count(caseIndex) > MAX_ATTACHMENTS_PER_CASE)) {
    throw refusal('invalid_body', [{ path: '/attachment_<N>_<attempt>', message: TOO_MANY_ATTACHMENTS }]);
  }
  return fresh;
};

const tracesOf = async (transaction: Queries, runId: number, partId: number): Promise<ReadonlySet<string>> => {
  const traces = await transaction
    .selectFrom('traces')
    .innerJoin('blobs', 'blobs.id', 'traces.blob_id')
    .select(['traces.case_index', 'blobs.hash'])
    .where('traces.run_id', '=', runId)
    .where('traces.part_id', '=', partId)
    .execute();
  return new Set(traces.map(({ case_index, hash }) => `${case_index} ${Buffer.from(hash).toString('hex')}`));
};
