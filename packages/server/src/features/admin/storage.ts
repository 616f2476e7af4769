import { setImmediate } from 'node:timers/promises';
import { type CleanupPreview, type ProjectStorage, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { storedSizes, summaryBytes } from './stored-sizes.ts';

/** What each project stores, largest first. */
export const listStorage = async (queries: Queries): Promise<ProjectStorage[]> => {
  const projects = await queries.selectFrom('projects').select(['id', 'name', 'label']).execute();
  const found: ProjectStorage[] = [];
  for (const { id, name, label } of projects) {
    const { oldestRun, newestRun, databaseBytes, ...sizes } = await storedSizes(queries, id);
    found.push({
      id,
      name,
      label,
      ...sizes,
      databaseBytes: databaseBytes + (await summaryBytes(queries, id)),
      oldestRun: timeOrNull(oldestRun),
      newestRun: timeOrNull(newestRun),
    });
    // Other requests have their turn.
    await setImmediate();
  }
  const sizeOf = ({ databaseBytes, fileBytes }: ProjectStorage): number => databaseBytes + fileBytes;
  return found.sort((a, b) => sizeOf(b) - sizeOf(a) || a.id - b.id);
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
  const preview = { runs: 0, results: 0, reports: 0, traces: 0, fileBytes: 0, databaseBytes: 0 };
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
