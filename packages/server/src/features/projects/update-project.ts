import type { NewProject, ProjectChange } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ProjectRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { newProject } from './new-project.ts';
import { newRevision } from './raise-revision.ts';

export const projectNotFound = (id: number): AppError => new AppError('project_not_found', `There is no project ${id}`);

export interface CreateProject {
  readonly project: NewProject;
  readonly actor: Actor;
}

export const createProject = async (
  transaction: Queries,
  { project: { name, ...fields }, actor }: CreateProject,
  now: number,
): Promise<number> => {
  const existing = await transaction.selectFrom('projects').select('id').where('name', '=', name).executeTakeFirst();
  if (existing) {
    const message = 'is taken by another project';
    throw new AppError('project_exists', `name ${message}`, [{ path: '/name', message }]);
  }
  const { id } = await transaction
    .insertInto('projects')
    .values({ ...newProject(name, now), total_runs: 0, ...columnsOf(fields) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(
    transaction,
    actor,
    { action: 'project.create', subject: `project ${name}`, details: { projectId: id } },
    now,
  );
  return id;
};

export interface UpdateProject {
  readonly projectId: number;
  readonly change: ProjectChange;
  readonly actor: Actor;
}

/** A field that is left out stays; null or an empty text clears it. */
export const updateProject = async (
  transaction: Queries,
  { projectId, change: { archived, ...fields }, actor }: UpdateProject,
  now: number,
): Promise<void> => {
  const before = await transaction.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst();
  if (!before) throw projectNotFound(projectId);
  const columns = columnsOf(fields);
  const isArchiving = archived !== undefined && archived !== (before.archived_at !== null);
  await transaction
    .updateTable('projects')
    .set({
      updated_at: now,
      revision: newRevision(),
      ...columns,
      ...(isArchiving && { archived_at: archived ? now : null }),
    })
    .where('id', '=', projectId)
    .execute();
  const subject = `project ${before.name}`;
  const changed = Object.entries(columns).flatMap(([column, value]) =>
    value === before[column as keyof ProjectRow] ? [] : column,
  );
  if (changed.length > 0) {
    await audit(transaction, actor, { action: 'project.update', subject, details: { projectId, changed } }, now);
  }
  if (isArchiving) {
    const action = archived ? 'project.archive' : 'project.unarchive';
    await audit(transaction, actor, { action, subject, details: { projectId } }, now);
  }
};

type Fields = Omit<ProjectChange, 'archived'>;

const columnsOf = ({ label, description, defaultBranch, repositoryUrl, tags }: Fields) => ({
  ...(label === undefined ? {} : { label: label?.trim() || null }),
  ...(description === undefined ? {} : { description: description?.trim() || null }),
  ...(defaultBranch === undefined ? {} : { default_branch: defaultBranch?.trim() || null }),
  ...(repositoryUrl === undefined ? {} : { repository_url: repositoryUrl?.trim() || null }),
  ...(tags === undefined ? {} : { tags: writeTags(tags ?? []) }),
});

const writeTags = (tags: readonly string[]): string | null => {
  const found = new Set(tags.map((tag) => tag.trim().toWellFormed()).filter(Boolean));
  return found.size === 0 ? null : JSON.stringify([...found]);
};
