import { type Project, type Run, endpoints, formatTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { ProjectRow } from '../../db/tables.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { cutPage, readCursor } from '../../http/page.ts';
import { reportsOf } from '../files/present-files.ts';
import { presentRun } from '../runs/present-run.ts';
import { listRecentRuns, presentRunPoint } from '../runs/run-refs.ts';
import { shardsOf } from '../runs/shards.ts';
import { projectCommands } from './commands.ts';
import { allProjectsRevision, getProjectRow, listProjectRows, listRunRows, projectRevision } from './queries.ts';

export const projectRoutes = ({ queries, writer }: Context): Route[] => {
  const withLatestRun = async (project: ProjectRow): Promise<Project> => {
    const [latest] = await listRunRows(queries, project.id, null, 1);
    const shards = latest && (await shardsOf(queries, [latest])).get(latest.id);
    return presentProject(project, latest && presentRun(latest, shards));
  };
  const withRecentRuns =
    (count: number) =>
    async (project: ProjectRow): Promise<Project> => {
      const runs = await listRecentRuns(queries, project.id, count);
      return { ...(await withLatestRun(project)), recentRuns: runs.reverse().map(presentRunPoint) };
    };
  return [
    read(endpoints.listProjects, {
      revision: () => allProjectsRevision(queries),
      async answer({ query: { limit, cursor, recent = 0 } }) {
        const rows = await listProjectRows(queries, readCursor(cursor), limit);
        const { page, nextCursor } = cutPage(rows, limit, ({ active_at, id }) => ({ value: active_at, id }));
        const present = recent === 0 ? withLatestRun : withRecentRuns(recent);
        return { body: await Promise.all(page.map(present)), nextCursor };
      },
    }),
    read(endpoints.getProject, {
      revision: ({ params }) => projectRevision(queries, params.id),
      async answer({ params, query: { limit, cursor } }) {
        const project = await withLatestRun(await getProjectRow(queries, params.id));
        const rows = await listRunRows(
          queries,
          params.id,
          readCursor(cursor),
          limit === undefined ? undefined : limit + 1,
        );
        const { page, nextCursor } = cutPage(rows, limit, ({ start_time, id }) => ({ value: start_time, id }));
        const reports = await reportsOf(
          queries,
          page.map(({ id }) => id),
        );
        const shards = await shardsOf(queries, page);
        const testRuns = page.map((run) => ({
          ...presentRun(run, shards.get(run.id)),
          reports: reports.get(run.id)!,
        }));
        return { body: { ...project, testRuns }, nextCursor };
      },
    }),
    action(endpoints.updateProject, async ({ params, body: { label, description } }) => {
      await writer.execute(projectCommands.updateProject, { projectId: params.id, change: { label, description } });
      return withLatestRun(await getProjectRow(queries, params.id));
    }),
  ];
};

const presentProject = (project: ProjectRow, latestRun: Run | undefined): Project => ({
  id: project.id,
  name: project.name,
  label: project.label,
  description: project.description,
  createdAt: formatTime(project.created_at),
  updatedAt: formatTime(project.updated_at),
  totalRuns: project.total_runs,
  totalTestCases: project.total_tests,
  latestRun: latestRun ?? null,
});
