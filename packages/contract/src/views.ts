import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { LONGEST_FILTER, MOST_QUERY_ROWS, QueryGroup, QueryOver } from './query.ts';
import { Count, Nullable, Time } from './schema.ts';
import { withCommas } from './with-commas.ts';

export const LONGEST_VIEW_NAME = 100;
/** Views of a project that all of its people have together. */
export const MOST_VIEWS = 500;
/** Days that a view looks back, unless it says otherwise. */
export const DEFAULT_VIEW_DAYS = 30;
export const MOST_VIEW_DAYS = 3_650;
/** Rows of a view as a file. */
export const MOST_VIEW_ROWS = 100_000;

export const ViewQuery = Type.Object(
  {
    over: QueryOver,
    filter: Type.Optional(Type.String({ maxLength: LONGEST_FILTER, description: 'A search or JavaScript' })),
    order: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    by: Type.Optional(QueryGroup),
    branch: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_VIEW_DAYS,
        description: `How many days it looks back, today included; ${DEFAULT_VIEW_DAYS} when left out`,
      }),
    ),
  },
  { title: 'ViewQuery', description: 'What is asked, as by `GET /api/query`' },
);
export type ViewQuery = Static<typeof ViewQuery>;

const fields = {
  name: Type.String({ minLength: 1, maxLength: LONGEST_VIEW_NAME }),
  shared: Type.Boolean({ description: 'Whether everyone who may read the project sees it; else its owner alone does' }),
  pinned: Type.Boolean({ description: 'Whether it is on the page of the project, for all who see it' }),
  query: ViewQuery,
};

export const SavedView = Type.Object(
  {
    id: Id,
    projectId: Id,
    ...fields,
    owner: Nullable(Type.String(), { description: 'User name; null without accounts, or when the owner is gone' }),
    editable: Type.Boolean({ description: 'Whether the caller may change it' }),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'SavedView' },
);
export type SavedView = Static<typeof SavedView>;

export const NewView = Type.Object(
  { ...fields, shared: Type.Optional(fields.shared), pinned: Type.Optional(fields.pinned) },
  { title: 'NewView' },
);
export type NewView = Static<typeof NewView>;

export const ViewChange = Type.Partial(Type.Object(fields), { title: 'ViewChange' });
export type ViewChange = Static<typeof ViewChange>;

export const VIEW_FORMATS = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl' } as const;
export type ViewFormat = keyof typeof VIEW_FORMATS;

const params = Type.Object({ id: Id });
const bodyErrors = ['invalid_id', 'invalid_body', 'body_too_large', 'unsupported_media_type'] as const;

export const viewEndpoints = {
  listViews: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/views',
    access: 'public',
    group: 'Query',
    summary: 'Saved views of a project: those that are shared, and those of the caller',
    description: 'By name.',
    params,
    reply: Type.Object({ views: Type.Array(SavedView), totalViews: Count }),
    errors: ['invalid_id', 'project_not_found'],
  }),
  createView: endpoint({
    method: 'POST',
    path: '/api/projects/{id}/views',
    access: 'submitter-session',
    group: 'Query',
    summary: 'Save a query under a name',
    description: `A project has at most ${MOST_VIEWS} views. Without accounts every view is shared.`,
    params,
    body: NewView,
    reply: SavedView,
    errors: [...bodyErrors, 'project_not_found', 'too_many_views'],
  }),
  getView: endpoint({
    method: 'GET',
    path: '/api/views/{id}',
    access: 'public',
    group: 'Query',
    summary: 'A saved view that is shared, or one of the caller',
    params,
    reply: SavedView,
    errors: ['invalid_id', 'view_not_found'],
  }),
  updateView: endpoint({
    method: 'PUT',
    path: '/api/views/{id}',
    access: 'submitter-session',
    group: 'Query',
    summary: 'Change a saved view',
    description:
      'Its owner and Administrators may, and everyone who may save views where it has no owner. A field that is left out stays.',
    params,
    body: ViewChange,
    reply: SavedView,
    errors: [...bodyErrors, 'view_not_found'],
  }),
  deleteView: endpoint({
    method: 'DELETE',
    path: '/api/views/{id}',
    access: 'submitter-session',
    group: 'Query',
    summary: 'Delete a saved view',
    params,
    reply: Type.Object({ success: Type.Literal(true) }),
    errors: ['invalid_id', 'view_not_found'],
  }),
  exportView: endpoint({
    method: 'GET',
    path: '/api/views/{id}/rows',
    access: 'public',
    group: 'Query',
    summary: 'The rows or groups of a saved view as CSV or JSON lines',
    description: `At most ${withCommas(MOST_VIEW_ROWS)} rows, or ${withCommas(MOST_QUERY_ROWS)} groups. JSON lines are rows as \`GET /api/query\` has them.`,
    params,
    query: Type.Object({ format: Type.Union([Type.Literal('csv'), Type.Literal('jsonl')]) }),
    reply: Type.String(),
    replyType: 'application/octet-stream',
    errors: ['invalid_id', 'invalid_query', 'view_not_found', 'query_too_costly', 'unavailable'],
  }),
  getViewBadge: endpoint({
    method: 'GET',
    path: '/api/views/{id}/badge.svg',
    access: 'public',
    group: 'Query',
    summary: 'How many rows a shared view finds, as a picture for other pages',
    params,
    reply: Type.String(),
    replyType: 'application/octet-stream',
    errors: ['invalid_id', 'view_not_found', 'query_too_costly', 'unavailable'],
  }),
};
