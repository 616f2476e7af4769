import type { Queries } from '../../db/database.ts';

const OF_PROJECT = [
  'summaries',
  'branch_summaries',
  'run_outlines',
  'tests',
  'commits',
  'codeowners',
  'spelled_files',
  'storage_days',
  'cluster_runs',
  'clusters',
  'saved_views',
] as const;

/** Deletes a project that has no runs. */
export const deleteEmptyProject = async (transaction: Queries, projectId: number): Promise<void> => {
  for (const table of OF_PROJECT) {
    await transaction.deleteFrom(table).where('project_id', '=', projectId).execute();
  }
  await transaction.deleteFrom('projects').where('id', '=', projectId).execute();
};
