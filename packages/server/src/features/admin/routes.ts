import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type StorageStats, endpoints } from '@assay/contract';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { actorOf } from '../audit/audit.ts';
import { allProjectsRevision } from '../projects/queries.ts';
import { adminCommands } from './commands.ts';
import { listStorage, previewCleanup } from './storage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const adminRoutes = (context: Context): Route[] => [
  read(endpoints.getStats, {
    revision: async () => hash(await getStats(context)),
    answer: async () => ({ body: await getStats(context) }),
  }),
  read(endpoints.getStorage, {
    revision: () => allProjectsRevision(context.queries),
    answer: async () => ({ body: { projects: await listStorage(context.queries) } }),
  }),
  // It depends on the time too, so that no revision names it.
  action(endpoints.previewCleanup, ({ query: { olderThanDays } }) =>
    previewCleanup(context.queries, Date.now() - olderThanDays * DAY_MS),
  ),
  action(endpoints.cleanUp, async ({ body: { olderThanDays }, caller }) => {
    const startedBefore = Date.now() - olderThanDays * DAY_MS;
    const { runs, freedBytes, orphans } = await context.writer.execute(adminCommands.cleanUp, {
      startedBefore,
      actor: actorOf(await caller()),
    });
    const files = await deleteUnreferenced(context.blobs, context.queries, orphans);
    return { success: true as const, deletedRuns: runs, freedBytes: freedBytes + files.freedBytes };
  }),
];

const getStats = async ({ queries, database, config }: Context): Promise<StorageStats> => {
  const totals = await queries
    .selectFrom('projects')
    .select(({ fn }) => [
      fn.countAll<number>().as('projects'),
      fn.sum<number | null>('total_runs').as('runs'),
      fn.sum<number | null>('total_tests').as('tests'),
      fn.sum<number | null>('total_results').as('results'),
    ])
    .executeTakeFirstOrThrow();
  return {
    totalProjects: totals.projects,
    totalRuns: totals.runs ?? 0,
    totalTestCases: totals.tests ?? 0,
    totalRunsCases: totals.results ?? 0,
    ...(await fileStats(queries)),
    storageSizeOnDisk: await folderSize(config.dataDir),
    databaseSizeOnDisk: database.sizeOnDisk(),
  };
};

const fileStats = async (queries: Queries) => {
  const reports = await queries
    .selectFrom('reports')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('size')])
    .executeTakeFirstOrThrow();
  const traces = await queries
    .selectFrom('traces')
    .innerJoin('blobs', 'blobs.id', 'traces.blob_id')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('blobs.size').as('size')])
    .executeTakeFirstOrThrow();
  const blobs = await queries
    .selectFrom('blobs')
    .select(({ fn }) => fn.sum<number | null>('stored_size').as('size'))
    .executeTakeFirstOrThrow();
  return {
    totalTraces: traces.count,
    totalReports: reports.count,
    reportSizeFromDb: reports.size ?? 0,
    traceSizeFromDb: traces.size ?? 0,
    fileSizeOnDisk: blobs.size ?? 0,
  };
};

/** Files come and go meanwhile; what is gone counts nothing. */
const folderSize = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? folderSize(path) : ((await stat(path).catch(() => null))?.size ?? 0);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
