import { type SavedView, type ViewQuery, formatTime } from '@assay/contract';
import type { Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { SavedViewsTable } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';

/** Who asks: nobody in particular, a user, or everyone where accounts are off. */
export interface Viewer {
  readonly userId: number | null;
  readonly isAdministrator: boolean;
  /** Whether the role lets them save views at all. */
  readonly maySave: boolean;
}

export interface ViewRow extends Selectable<SavedViewsTable> {
  readonly username: string | null;
}

const viewNotFound = (id: number): AppError =>
  new AppError('view_not_found', `There is no view ${id}, or it is not shared`);

const selectViews = (queries: Queries) =>
  queries
    .selectFrom('saved_views')
    .leftJoin('users', 'users.id', 'saved_views.user_id')
    .selectAll('saved_views')
    .select('users.username');

/** Those that are shared, and those of one user. */
export const listViews = (queries: Queries, projectId: number, { userId }: Viewer): Promise<ViewRow[]> =>
  selectViews(queries)
    .where('saved_views.project_id', '=', projectId)
    .where(({ eb, or }) =>
      or([eb('is_shared', '=', 1), ...(userId === null ? [] : [eb('saved_views.user_id', '=', userId)])]),
    )
    .orderBy('saved_views.name')
    .orderBy('saved_views.id')
    .execute();

/** A view of another user that is not shared is as good as none. */
export const getVisibleView = async (queries: Queries, id: number, { userId }: Viewer): Promise<ViewRow> => {
  const row = await selectViews(queries).where('saved_views.id', '=', id).executeTakeFirst();
  if (!row || (row.is_shared === 0 && (userId === null || row.user_id !== userId))) throw viewNotFound(id);
  return row;
};

export const mayChange = ({ user_id }: Pick<ViewRow, 'user_id'>, viewer: Viewer): boolean =>
  viewer.maySave && (viewer.isAdministrator || user_id === null || user_id === viewer.userId);

export const queryOf = ({ query }: Pick<ViewRow, 'query'>): ViewQuery => JSON.parse(query) as ViewQuery;

export const presentView = (row: ViewRow, viewer: Viewer): SavedView => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  shared: row.is_shared === 1,
  pinned: row.is_pinned === 1,
  query: queryOf(row),
  owner: row.username,
  editable: mayChange(row, viewer),
  createdAt: formatTime(row.created_at),
  updatedAt: formatTime(row.updated_at),
});
