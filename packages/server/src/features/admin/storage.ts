import { setImmediate } from 'node:timers/promises';
import { type CleanupPreview, type ProjectStorage, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { storedSizes } from './stored-sizes.ts';

/** What each project stores, largest first. */
export const listStorage = async (queries: Queries): Promise<ProjectStorage[]> => {
  const projects = await queries
    .selectFrom('projects')
    .innerJoin('storage_figures', 'storage_figures.project_id', 'projects.id')
    .select(({ selectFrom }) => [
      'projects.id',
      'projects.name',
      'projects.label',
      'projects.total_runs as runs',
      'projects.total_results as results',
      'storage_figures.reports',
      'storage_figures.traces',
      'storage_figures.attachments',
      'storage_figures.database_bytes as databaseBytes',
      'storage_figures.report_bytes',
      'storage_figures.trace_bytes',
      'storage_figures.attachment_bytes',
      selectFrom('runs')
        .select((run) => run.fn.min<number | null>('runs.start_time').as('time'))
        .whereRef('runs.project_id', '=', 'projects.id')
        .as('oldest'),
      selectFrom('runs')
        .select((run) => run.fn.max<number | null>('runs.start_time').as('time'))
        .whereRef('runs.project_id', '=', 'projects.id')
        .as('newest'),
    ])
    .execute();
  const sizeOf = ({ databaseBytes, fileBytes }: ProjectStorage): number => databaseBytes + fileBytes;
  return projects
    .map(({ report_bytes, trace_bytes, attachment_bytes, oldest, newest, ...project }) => ({
      ...project,
      fileBytes: report_bytes + trace_bytes + attachment_bytes,
      oldestRun: timeOrNull(oldest),
      newestRun: timeOrNull(newest),
    }))
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a.id - b.id);
};

/** What a cleanup would delete. */
export const previewCleanup = async (queries: Queries, startedBefore: number): Promise<CleanupPreview> => {
  const projects = await queries
    .selectFrom('runs')
    .innerJoin('projects', 'projects.id', 'runs.project_id')
    .select(({ fn }) => ['projects.id', 'projects.name', 'projects.total_runs', fn.countAll<number>().as('runs')])
    .where('runs.start_time', '<', startedBefore)
    .groupBy('projects.id')
    .orderBy('runs', 'desc')
    .orderBy('projects.id')
    .execute();
  const preview = { runs: 0, results: 0, reports: 0, traces: 0, attachments: 0, fileBytes: 0, databaseBytes: 0 };
  let oldest: number | null = null;
  for (const { id } of projects) {
    const sizes = await storedSizes(queries, id, startedBefore);
    for (const name of Object.keys(preview) as (keyof typeof preview)[]) preview[name] += sizes[name];
    oldest = Math.min(oldest ?? Infinity, sizes.oldestRun ?? Infinity);
    await setImmediate();
  }
  return {
    startedBefore: formatTime(startedBefore),
    ...preview,
    oldestRun: timeOrNull(oldest),
    projects: projects.map(({ id, name, runs, total_runs }) => ({ id, name, runs, runsLeft: total_runs - runs })),
  };
};

const timeOrNull = (time: number | null): string | null => (time === null ? null : formatTime(time));
