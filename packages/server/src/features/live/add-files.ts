import type { PartFilesReply } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { nthIndex } from '../../segments/row-indices.ts';
import { refusal } from '../../validation.ts';
import { describeFiles } from '../files/present-files.ts';
import { removeReport } from '../files/remove-files.ts';
import { isSameReport } from '../files/same-report.ts';
import { type UploadedReport, type UploadedTrace, storeFiles } from '../files/store-files.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { rangesOf } from '../parts/part-rows.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { reopenRun } from '../parts/run-numbering.ts';
import { getOpenPart, heartbeatColumns } from './open-part.ts';

export interface FilesOfPart {
  readonly runId: number;
  readonly partId: number;
  readonly reports: readonly UploadedReport[];
  /** Their cases are counted in the part. */
  readonly traces: readonly UploadedTrace[];
}

export interface AddedFiles extends PartFilesReply {
  readonly projectId: number;
  /** Contents of the reports whose place others took. */
  readonly orphans: readonly string[];
}

/** Names files of a part that is not finished. The same again are stored once. */
export const addFiles = async (
  transaction: Queries,
  { runId, partId, reports, traces }: FilesOfPart,
  { durations, now }: { readonly durations: PartDurations; readonly now: number },
): Promise<AddedFiles> => {
  const { run, part } = await getOpenPart(transaction, runId, partId);
  const ranges = await rangesOf(transaction, part);
  const placed = traces.map(({ caseIndex, blob }) => ({
    caseIndex: nthIndex(ranges, caseIndex),
    nth: caseIndex,
    blob,
  }));
  const strays = new Set(placed.filter(({ caseIndex }) => caseIndex === null).map(({ nth }) => nth));
  if (strays.size > 0) {
    const message = `names no test case: the part has ${part.result_count}, counted from 0`;
    throw refusal(
      'invalid_body',
      [...strays].map((nth) => ({ path: `/trace_${nth}`, message })),
    );
  }
  const present = await tracesOf(transaction, runId, partId);
  const fresh = placed.filter(({ caseIndex, blob }) => !present.has(`${caseIndex} ${blob.hash}`));
  const earlier = await transaction
    .selectFrom('reports')
    .select(['id', 'type', 'label', 'entry'])
    .where('run_id', '=', runId)
    .where('part_id', '=', partId)
    .execute();
  const newReports: UploadedReport[] = [];
  for (const report of reports) {
    const place = earlier.find(({ type }) => type === report.type);
    if (!place || !(await isSameReport(transaction, place, report))) newReports.push(report);
  }
  const newTraces = fresh.map(({ caseIndex, blob }): UploadedTrace => ({ caseIndex: caseIndex!, blob }));
  await storeFiles(transaction, { runId, partId }, { reports: newReports, traces: newTraces }, now);
  const orphans: string[] = [];
  for (const { id, type } of earlier) {
    if (newReports.some((report) => report.type === type)) orphans.push(...(await removeReport(transaction, id)));
  }
  await transaction.updateTable('parts').set(heartbeatColumns(now)).where('id', '=', partId).execute();
  await reopenRun(transaction, run);
  await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  const { reports: stored, traces: storedTraces } = await describeFiles(transaction, runId, { partId, ranges });
  return { success: true, reports: stored, traces: storedTraces, projectId: run.project_id, orphans };
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
