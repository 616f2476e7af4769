import type { Queries } from '../../db/database.ts';
import type { ReportRow } from '../../db/tables.ts';
import type { UploadedReport } from './store-files.ts';

/** Whether a report that is stored is the one that came again, to the last byte. */
export const isSameReport = async (
  transaction: Queries,
  stored: Pick<ReportRow, 'id' | 'type' | 'label' | 'entry'>,
  given: UploadedReport,
): Promise<boolean> => {
  if (stored.type !== given.type || stored.label !== given.label || stored.entry !== given.entry) return false;
  const files = await transaction
    .selectFrom('report_files')
    .innerJoin('blobs', 'blobs.id', 'report_files.blob_id')
    .select(['report_files.path', 'blobs.hash'])
    .where('report_files.report_id', '=', stored.id)
    .execute();
  const hashOf = new Map(files.map(({ path, hash }) => [path, Buffer.from(hash).toString('hex')]));
  return hashOf.size === given.files.length && given.files.every(({ path, blob }) => hashOf.get(path) === blob.hash);
};
