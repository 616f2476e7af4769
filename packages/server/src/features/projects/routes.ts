import { MOST_BRANCHES, endpoints } from '@assay/contract';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Context } from '../../context.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { cutPage, readCursor } from '../../http/page.ts';
import { refusal } from '../../validation.ts';
import { actorOf } from '../audit/audit.ts';
import { readWindow } from '../runs/window.ts';
import { projectCommands } from './commands.ts';
import { listBranches } from './list-branches.ts';
import { allRunsAfter, presentProjects, writeProject, writeProjects } from './project-json.ts';
import { allProjectsRevision, getProjectRow, listProjectRows, listRunRows, projectRevision } from './queries.ts';

export const projectRoutes = ({ queries, segments, writer, blobs }: Context): Route[] => [
  read(endpoints.listProjects, {
    revision: () => allProjectsRevision(queries),
    async answer({ query: { limit, cursor, recent = 0 } }) {
      const rows = await listProjectRows(queries, readCursor(cursor), limit);
      const { page, nextCursor } = cutPage(rows, limit, ({ active_at, id }) => ({ value: active_at, id }));
      return { body: { pieces: writeProjects(queries, page, recent) }, nextCursor };
    },
  }),
  read(endpoints.getProject, {
    revision: ({ params }) => projectRevision(queries, params.id),
    async answer({ params, query: { limit, cursor, ...query } }) {
      const window = readWindow(query);
      const project = await getProjectRow(queries, params.id);
      const after = readCursor(cursor);
      if (limit === undefined) {
        return { body: { pieces: writeProject(queries, project, allRunsAfter(queries, project.id, after, window)) } };
      }
      const rows = await listRunRows(queries, params.id, after, limit + 1, window);
      const { page, nextCursor } = cutPage(rows, limit, ({ start_time, id }) => ({ value: start_time, id }));
      return { body: { pieces: writeProject(queries, project, [page]) }, nextCursor };
    },
  }),
  read(endpoints.listBranches, {
    revision: ({ params }) => projectRevision(queries, params.id),
    answer: async ({ params, query: { q, limit = MOST_BRANCHES, compare = false }, startLargeRead }) => ({
      body: await listBranches({ queries, segments }, params.id, { q, limit, compare, startLargeRead }),
    }),
  }),
  action(endpoints.updateProject, async ({ params, body: { label, description, defaultBranch, repositoryUrl } }) => {
    if (repositoryUrl?.trim() && !isWebAddress(repositoryUrl.trim())) {
      const message = 'must be an address that begins with http:// or https://';
      throw refusal('invalid_body', [{ path: '/repositoryUrl', message }]);
    }
    await writer.execute(projectCommands.updateProject, {
      projectId: params.id,
      // What else the body has stays here: it may be nested too deep for a message.
      change: { label, description, defaultBranch, repositoryUrl },
    });
    const [project] = await presentProjects(queries, [await getProjectRow(queries, params.id)]);
    return project!;
  }),
  action(endpoints.deleteProject, async ({ params, caller }) => {
    const actor = actorOf(await caller());
    const { runs, freedBytes, orphans } = await writer.execute(projectCommands.deleteProject, {
      projectId: params.id,
      actor,
    });
    const files = await deleteUnreferenced(blobs, queries, orphans);
    return { success: true as const, deletedRuns: runs, freedBytes: freedBytes + files.freedBytes };
  }),
];

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);
