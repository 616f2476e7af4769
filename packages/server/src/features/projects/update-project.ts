import type { ProjectChange } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { newRevision } from './raise-revision.ts';

export const projectNotFound = (id: number): AppError => new AppError('project_not_found', `There is no project ${id}`);

/** A field that is left out stays; null or an empty text clears it. */
export const updateProject = async (
  transaction: Queries,
  projectId: number,
  { label, description, defaultBranch, repositoryUrl }: ProjectChange,
  now: number,
): Promise<void> => {
  const { numUpdatedRows } = await transaction
    .updateTable('projects')
    .set({
      updated_at: now,
      revision: newRevision(),
      ...(label === undefined ? {} : { label: label?.trim() || null }),
      ...(description === undefined ? {} : { description: description?.trim() || null }),
      ...(defaultBranch === undefined ? {} : { default_branch: defaultBranch?.trim() || null }),
      ...(repositoryUrl === undefined ? {} : { repository_url: repositoryUrl?.trim() || null }),
    })
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw projectNotFound(projectId);
};
