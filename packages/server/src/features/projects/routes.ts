import { MOST_BRANCHES, type Project, type ProjectChange, endpoints, projectNameIssue } from '@assay/contract';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { cutPage, readCursor } from '../../http/page.ts';
import { refusal } from '../../validation.ts';
import { actorOf } from '../audit/audit.ts';
import { readWindow } from '../runs/window.ts';
import { projectCommands } from './commands.ts';
import { listBranches } from './list-branches.ts';
import { allRunsAfter, presentProjects, writeProject, writeProjects } from './project-json.ts';
import { allProjectsRevision, getProjectRow, listProjectRows, listRunRows, projectRevision } from './queries.ts';
import { isWebAddress } from './web-address.ts';

export const projectRoutes = ({ queries, segments, writer, blobs }: Context): Route[] => [
  read(endpoints.listProjects, {
    revision: () => allProjectsRevision(queries),
    async answer({ query: { limit, cursor, recent = 0, archived = false } }) {
      const rows = await listProjectRows(queries, readCursor(cursor), limit, archived);
      const { page, nextCursor } = cutPage(rows, limit, ({ active_at, id }) => ({ value: active_at, id }));
      return { body: { pieces: writeProjects(queries, page, recent) }, nextCursor };
    },
  }),
  read(endpoints.getProject, {
    revision: ({ params }) => projectRevision(queries, params.id),
    async answer({ params, query: { limit, cursor, ...query } }) {
      const window = readWindow(query);
      const after = readCursor(cursor);
      if (limit === undefined) {
        const project = await getProjectRow(queries, params.id);
        return { body: { pieces: writeProject(queries, project, allRunsAfter(queries, project.id, after, window)) } };
      }
      const [project, rows] = await Promise.all([
        getProjectRow(queries, params.id),
        listRunRows(queries, params.id, after, limit + 1, window),
      ]);
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
  action(endpoints.createProject, async ({ body, caller }) => {
    const name = body.name.trim().toWellFormed();
    const issue = projectNameIssue(name);
    if (issue) throw refusal('invalid_body', [{ path: '/name', message: issue }]);
    const project = { name, ...readFields(body) };
    const id = await writer.execute(projectCommands.createProject, { project, actor: actorOf(await caller()) });
    return present(queries, id);
  }),
  action(endpoints.updateProject, async ({ params, body, caller }) => {
    await writer.execute(projectCommands.updateProject, {
      projectId: params.id,
      change: { ...readFields(body), archived: body.archived },
      actor: actorOf(await caller()),
    });
    return present(queries, params.id);
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

const present = async (queries: Queries, id: number): Promise<Project> => {
  const [project] = await presentProjects(queries, [await getProjectRow(queries, id)]);
  return project!;
};

/** What else a body has stays here: it may be nested too deep for a message. */
const readFields = ({ label, description, defaultBranch, repositoryUrl, tags }: ProjectChange) => {
  const issues = [
    ...(repositoryUrl?.trim() && !isWebAddress(repositoryUrl.trim())
      ? [{ path: '/repositoryUrl', message: 'must be an address that begins with http:// or https://' }]
      : []),
    ...(tags ?? []).flatMap((tag, at) =>
      NOT_IN_TAGS.test(tag) ? [{ path: `/tags/${at}`, message: 'must not have commas and control characters' }] : [],
    ),
  ];
  if (issues.length > 0) throw refusal('invalid_body', issues);
  return { label, description, defaultBranch, repositoryUrl, tags };
};

// oxlint-disable-next-line no-control-regex
const NOT_IN_TAGS = /[\u0000-\u001f\u007f,]/;
