import type { Queries } from '../../db/database.ts';

const BLOBS_PER_QUERY = 500;

/** Forgets the files of a run; returns the hashes of contents that nothing names any more. */
export const removeFiles = async (transaction: Queries, runId: number): Promise<string[]> => {
  const reports = await transaction.selectFrom('reports').select('id').where('run_id', '=', runId).execute();
  const used: number[] = [];
  for (const { id } of reports) used.push(...(await forgetReport(transaction, id)));
  const traces = await transaction.deleteFrom('traces').where('run_id', '=', runId).returning('blob_id').execute();
  const attachments = await transaction
    .deleteFrom('attachments')
    .where('run_id', '=', runId)
    .returning('blob_id')
    .execute();
  used.push(...[...traces, ...attachments].map(({ blob_id }) => blob_id));
  await transaction.deleteFrom('jobs').where('run_id', '=', runId).execute();
  return dropUnnamed(transaction, used);
};

/** Forgets the files of a part of a run; returns the hashes of contents that nothing names any more. */
export const removePartFiles = async (transaction: Queries, runId: number, partId: number): Promise<string[]> => {
  const reports = await transaction
    .selectFrom('reports')
    .select('id')
    .where('run_id', '=', runId)
    .where('part_id', '=', partId)
    .execute();
  const used: number[] = [];
  for (const { id } of reports) used.push(...(await forgetReport(transaction, id)));
  const traces = await transaction
    .deleteFrom('traces')
    .where('run_id', '=', runId)
    .where('part_id', '=', partId)
    .returning('blob_id')
    .execute();
  const attachments = await transaction
    .deleteFrom('attachments')
    .where('run_id', '=', runId)
    .where('part_id', '=', partId)
    .returning('blob_id')
    .execute();
  used.push(...[...traces, ...attachments].map(({ blob_id }) => blob_id));
  return dropUnnamed(transaction, used);
};

/** Forgets one report; returns the hashes of contents that nothing names any more. */
export const removeReport = async (transaction: Queries, reportId: number): Promise<string[]> =>
  dropUnnamed(transaction, await forgetReport(transaction, reportId));

const forgetReport = async (transaction: Queries, reportId: number): Promise<number[]> => {
  const files = await transaction
    .deleteFrom('report_files')
    .where('report_id', '=', reportId)
    .returning('blob_id')
    .execute();
  await transaction.deleteFrom('reports').where('id', '=', reportId).execute();
  return files.map(({ blob_id }) => blob_id);
};

/** Returns the hashes of contents that nothing names any more. */
export const dropUnnamed = async (transaction: Queries, blobIds: readonly number[]): Promise<string[]> => {
  const distinct = [...new Set(blobIds)];
  const hashes: string[] = [];
  for (let start = 0; start < distinct.length; start += BLOBS_PER_QUERY) {
    const removed = await transaction
      .deleteFrom('blobs')
      .where('id', 'in', distinct.slice(start, start + BLOBS_PER_QUERY))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('report_files').select('blob_id').whereRef('report_files.blob_id', '=', 'blobs.id'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('traces').select('blob_id').whereRef('traces.blob_id', '=', 'blobs.id'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('attachments').select('blob_id').whereRef('attachments.blob_id', '=', 'blobs.id'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('moved_runs').select('blob_id').whereRef('moved_runs.blob_id', '=', 'blobs.id'))),
      )
      .returning('hash')
      .execute();
    for (const { hash } of removed) hashes.push(Buffer.from(hash).toString('hex'));
  }
  return hashes;
};
