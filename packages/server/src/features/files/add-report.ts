import type { Queries } from '../../db/database.ts';
import type { AddedReport, UploadedReport } from '../../writer/work.ts';
import { raiseRevision } from '../projects/raise-revision.ts';
import { runNotFound } from '../runs/delete-run.ts';
import { removeReport } from './remove-files.ts';
import { storeReport } from './store-files.ts';

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
  const added = await storeReport(transaction, { runId, partId: null }, report);
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
