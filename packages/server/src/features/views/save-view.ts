import { MOST_VIEWS, type NewView, type ViewChange } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { type Viewer, getVisibleView, mayChange } from './find-views.ts';

export interface CreateView {
  readonly projectId: number;
  readonly view: NewView;
  readonly actor: Actor;
}

export interface ChangedView {
  readonly id: number;
  readonly projectId: number;
}

export const createView = async (
  transaction: Queries,
  { projectId, view: { name, query, shared = false, pinned = false }, actor }: CreateView,
  now: number,
): Promise<ChangedView> => {
  const project = await transaction.selectFrom('projects').select('id').where('id', '=', projectId).executeTakeFirst();
  if (!project) throw new AppError('project_not_found', `There is no project ${projectId}`);
  const { count } = await transaction
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (count >= MOST_VIEWS) {
    throw new AppError('too_many_views', `The project has ${MOST_VIEWS} views; delete one first`);
  }
  // Nobody could see a view that is neither shared nor somebody's.
  const isShared = shared || actor.userId === null;
  const { id } = await transaction
    .insertInto('saved_views')
    .values({
      project_id: projectId,
      user_id: actor.userId,
      name,
      is_shared: Number(isShared),
      is_pinned: Number(pinned),
      query: JSON.stringify(query),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = { projectId, name, shared: isShared };
  await audit(transaction, actor, { action: 'view.create', subject: `view ${id}`, details }, now);
  return { id, projectId };
};

export interface UpdateView {
  readonly viewId: number;
  readonly change: ViewChange;
  readonly viewer: Viewer;
  readonly actor: Actor;
}

export const updateView = async (
  transaction: Queries,
  { viewId, change: { name, query, shared, pinned }, viewer, actor }: UpdateView,
  now: number,
): Promise<ChangedView> => {
  const before = await getChangeable(transaction, viewId, viewer);
  const { project_id: projectId } = before;
  // One without an owner would be seen by nobody.
  const isShared = shared === undefined ? undefined : shared || before.user_id === null;
  await transaction
    .updateTable('saved_views')
    .set({
      updated_at: now,
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query: JSON.stringify(query) }),
      ...(isShared !== undefined && { is_shared: Number(isShared) }),
      ...(pinned !== undefined && { is_pinned: Number(pinned) }),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', viewId)
    .execute();
  const details = {
    projectId,
    ...(name !== undefined && { name }),
    ...(isShared !== undefined && { shared: isShared }),
  };
  await audit(transaction, actor, { action: 'view.update', subject: `view ${viewId}`, details }, now);
  return { id: viewId, projectId };
};

export const deleteView = async (
  transaction: Queries,
  { viewId, viewer, actor }: Omit<UpdateView, 'change'>,
  now: number,
): Promise<ChangedView> => {
  const { project_id: projectId, name } = await getChangeable(transaction, viewId, viewer);
  await transaction.deleteFrom('saved_views').where('project_id', '=', projectId).where('id', '=', viewId).execute();
  await audit(
    transaction,
    actor,
    { action: 'view.delete', subject: `view ${viewId}`, details: { projectId, name } },
    now,
  );
  return { id: viewId, projectId };
};

const getChangeable = async (transaction: Queries, viewId: number, viewer: Viewer) => {
  const view = await getVisibleView(transaction, viewId, viewer);
  if (!mayChange(view, viewer)) {
    throw new AppError('insufficient_permissions', 'Only its owner and Administrators may change this view');
  }
  return view;
};
