import { Readable } from 'node:stream';
import { type NewView, VIEW_FORMATS, type ViewChange, type ViewQuery, endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Caller, type Route, action, file, read } from '../../http/endpoint.ts';
import { refusal } from '../../validation.ts';
import { actorOf } from '../audit/audit.ts';
import { projectRevision } from '../projects/queries.ts';
import { answerQuestion } from '../query/answer.ts';
import { drawBadge } from './badge.ts';
import { viewCommands } from './commands.ts';
import { type Viewer, getVisibleView, listViews, presentView, queryOf } from './find-views.ts';
import { checkQuery, dayOf, questionOf } from './view-question.ts';
import { writeRows } from './write-rows.ts';

const ROWS_PER_PAGE = 1_000;
/** A badge is for pages that nobody is signed in on. */
const NOBODY: Viewer = { userId: null, isAdministrator: false, maySave: false };
/** Should a browser show it by itself, it is not as a page of the service. */
const POLICY = { 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" };

export const viewRoutes = (context: Context): Route[] => {
  const { queries, writer, database, config } = context;
  const { dialect } = database;
  const viewerOf = ({ user }: Caller): Viewer => ({
    userId: user?.id ?? null,
    isAdministrator: !config.authEnabled || user?.role === 'administrator',
    maySave: !config.authEnabled || user?.role === 'administrator' || user?.role === 'reporter',
  });
  const present = async (id: number, viewer: Viewer) => presentView(await getVisibleView(queries, id, viewer), viewer);
  return [
    action(endpoints.listViews, async ({ params, caller }) => {
      await projectRevision(queries, params.id);
      const viewer = viewerOf(await caller());
      const views = (await listViews(queries, params.id, viewer)).map((row) => presentView(row, viewer));
      return { views, totalViews: views.length };
    }),
    action(endpoints.createView, async ({ params, body, caller }) => {
      const asked = await caller();
      const { query, ...rest } = readChange(body) as NewView;
      checkQuery(query, params.id, dialect);
      const view = { ...rest, query };
      const { id } = await writer.execute(viewCommands.createView, {
        projectId: params.id,
        view,
        actor: actorOf(asked),
      });
      return present(id, viewerOf(asked));
    }),
    action(endpoints.getView, async ({ params, caller }) => present(params.id, viewerOf(await caller()))),
    action(endpoints.updateView, async ({ params, body, caller }) => {
      const asked = await caller();
      const viewer = viewerOf(asked);
      const change = readChange(body);
      if (change.query)
        checkQuery(change.query, (await getVisibleView(queries, params.id, viewer)).project_id, dialect);
      await writer.execute(viewCommands.updateView, { viewId: params.id, change, viewer, actor: actorOf(asked) });
      return present(params.id, viewer);
    }),
    action(endpoints.deleteView, async ({ params, caller }) => {
      const asked = await caller();
      const input = { viewId: params.id, viewer: viewerOf(asked), actor: actorOf(asked) };
      await writer.execute(viewCommands.deleteView, input);
      return { success: true as const };
    }),
    file(endpoints.exportView, async ({ params, query: { format }, caller, ...call }, _request, reply) => {
      const view = await getVisibleView(queries, params.id, viewerOf(await caller()));
      const query = queryOf(view);
      const of = { projectId: view.project_id, dialect, now: Date.now() };
      const page = (cursor?: string) => {
        const also = { limit: ROWS_PER_PAGE, ...(query.by === undefined && cursor !== undefined && { cursor }) };
        return answerQuestion(context, call, questionOf(query, of, also));
      };
      const first = await page();
      reply.headers({
        ...POLICY,
        'content-type': VIEW_FORMATS[format],
        'content-disposition': `attachment; filename="view-${view.id}.${format}"`,
        'cache-control': 'no-store',
      });
      return reply.send(Readable.from(writeRows(first, format, page)));
    }),
    read(endpoints.getViewBadge, {
      async revision({ params }) {
        const view = await getVisibleView(queries, params.id, NOBODY);
        const now = Date.now();
        const revision = `${await projectRevision(queries, view.project_id)}.${view.id}.${view.updated_at}.${dayOf(now)}`;
        const { asksForTime } = questionOf(queryOf(view), { projectId: view.project_id, dialect, now });
        return asksForTime ? `${revision}.${now}` : revision;
      },
      headers: () => ({ ...POLICY, 'content-type': 'image/svg+xml; charset=utf-8' }),
      async answer({ params, ...call }) {
        const view = await getVisibleView(queries, params.id, NOBODY);
        const { order: _order, by: _by, ...query } = queryOf(view);
        const of = { projectId: view.project_id, dialect, now: Date.now() };
        const { found } = await answerQuestion(context, call, questionOf(query, of, { figures: 'count' }));
        return { body: { pieces: once(drawBadge(view.name, found!.toLocaleString('en'))) } };
      },
    }),
  ];
};

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** What else a body has is dropped. */
const readChange = ({ name, shared, pinned, query }: NewView | ViewChange): ViewChange => {
  const trimmed = name?.trim().toWellFormed();
  if (trimmed === '') throw refusal('invalid_body', [{ path: '/name', message: 'must not be blank' }]);
  return {
    ...(trimmed !== undefined && { name: trimmed }),
    ...(shared !== undefined && { shared }),
    ...(pinned !== undefined && { pinned }),
    ...(query && { query: readQuery(query) }),
  };
};

const readQuery = ({ over, filter, order, by, branch, days }: ViewQuery): ViewQuery => ({
  over,
  ...(filter !== undefined && { filter }),
  ...(order !== undefined && { order }),
  ...(by !== undefined && { by }),
  ...(branch !== undefined && { branch }),
  ...(days !== undefined && { days }),
});
