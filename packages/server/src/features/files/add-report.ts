import type { Report } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { raiseRevision } from '../projects/raise-revision.ts';
import { runNotFound } from '../runs/delete-run.ts';
import { removeReport } from './remove-files.ts';
import { type UploadedReport, storeReport } from './store-files.ts';

export interface AddedReport {
  readonly projectId: number;
  readonly report: Report;
  /** Contents of the report whose place it took. */
  readonly orphans: readonly string[];
}

/** Adds a report to a run that is there already, in the place of one of the same type and label. */
export const addReport = async (
  transaction: Queries,
  runId: number,
  report: UploadedReport,
  now: number,
): Promise<AddedReport> => {
  const run = await transaction.selectFrom('runs').select('project_id').where('id', '=', runId).executeTakeFirst();
  if (!run) throw runNotFound(runId);
  await raiseRevision(transaction, run.project_id, now);
  const added = await storeReport(transaction, { projectId: run.project_id, runId, partId: null }, report);
  const earlier = await transaction
    .selectFrom('reports')
    .select('id')
    .where('run_id', '=', runId)
    .where('type', '=', report.type)
    .where('label', '=', report.label)
    .where('id', '<>', added.id)
    .execute();
  const orphans: string[] = [];
  for (const { id } of earlier) orphans.push(...(await removeReport(transaction, id)));
  return { projectId: run.project_id, report: added, orphans };
};
