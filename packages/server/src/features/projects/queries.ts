import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { ProjectRow } from '../../db/tables.ts';
import type { Position } from '../../http/page.ts';
import { SHOWN_RUN_COLUMNS, type ShownRun } from '../runs/present-run.ts';
import { type Window, inWindow } from '../runs/window.ts';
import { projectNotFound } from './update-project.ts';

export const getProjectRow = async (queries: Queries, id: number): Promise<ProjectRow> => {
  const project = await queries.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
  if (!project) throw projectNotFound(id);
  return project;
};

/** Names the state of a project for its answers: every write to it gives it another name. */
export const projectRevision = async (queries: Queries, id: number): Promise<string> => {
  const project = await queries.selectFrom('projects').select('revision').where('id', '=', id).executeTakeFirst();
  if (!project) throw projectNotFound(id);
  return revisionName(id, project.revision);
};

export const revisionName = (projectId: number, revision: number): string => `p${projectId}.${revision}`;

/** Names the state of all projects by sums of the halves of their revisions, which no number of projects overflows. */
export const allProjectsRevision = async (queries: Queries): Promise<string> => {
  const { count, low, high } = await queries
    .selectFrom('projects')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(revision % 16777216), 0)`.as('low'),
      sql<number>`coalesce(sum(revision / 16777216), 0)`.as('high'),
    ])
    .executeTakeFirstOrThrow();
  return `all${count}.${high}.${low}`;
};

export const listProjectRows = (
  queries: Queries,
  after: Position | null,
  limit: number | undefined,
  archived: boolean,
): Promise<ProjectRow[]> => {
  let query = queries.selectFrom('projects').selectAll().orderBy('active_at', 'desc').orderBy('id', 'desc');
  if (!archived) query = query.where('archived_at', 'is', null);
  if (after) {
    query = query.where(({ eb, and, or }) =>
      or([eb('active_at', '<', after.value), and([eb('active_at', '=', after.value), eb('id', '<', after.id)])]),
    );
  }
  return (limit === undefined ? query : query.limit(limit + 1)).execute();
};

/** Newest first. */
export const listRunRows = (
  queries: Queries,
  projectId: number,
  after: Position | null,
  limit: number | undefined,
  window: Window,
): Promise<ShownRun[]> => {
  let query = inWindow(queries.selectFrom('runs').select(SHOWN_RUN_COLUMNS).where('project_id', '=', projectId), window)
    .orderBy('start_time', 'desc')
    .orderBy('id', 'desc');
  if (after) {
    query = query.where(({ eb, and, or }) =>
      or([eb('start_time', '<', after.value), and([eb('start_time', '=', after.value), eb('id', '<', after.id)])]),
    );
  }
  return (limit === undefined ? query : query.limit(limit)).execute();
};
