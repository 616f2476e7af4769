import { type StorageStats, endpoints } from '@assay/contract';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Context } from '../../context.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { actorOf } from '../audit/audit.ts';
import { allProjectsRevision } from '../projects/queries.ts';
import { adminCommands } from './commands.ts';
import { listStorage, previewCleanup } from './storage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const adminRoutes = (context: Context): Route[] => [
  // The sizes of the database change with no project, so that no revision names it.
  action(endpoints.getStats, () => getStats(context)),
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

const getStats = async ({ queries, database }: Context): Promise<StorageStats> => {
  const ofProjects = queries
    .selectFrom('projects')
    .select(({ fn }) => [
      fn.countAll<number>().as('projects'),
      fn.sum<number | null>('total_runs').as('runs'),
      fn.sum<number | null>('total_tests').as('tests'),
      fn.sum<number | null>('total_results').as('results'),
    ])
    .as('of_projects');
  const ofFiles = queries
    .selectFrom('storage_figures')
    .select(({ fn }) => [
      fn.sum<number>('reports').as('reports'),
      fn.sum<number>('report_bytes').as('reportBytes'),
      fn.sum<number>('traces').as('traces'),
      fn.sum<number>('trace_bytes').as('traceBytes'),
      fn.sum<number>('attachments').as('attachments'),
      fn.sum<number>('attachment_bytes').as('attachmentBytes'),
      fn.sum<number>('blob_bytes').as('blobBytes'),
    ])
    .as('of_files');
  const [totals, databaseSizeOnDisk] = await Promise.all([
    queries.selectFrom([ofProjects, ofFiles]).selectAll().executeTakeFirstOrThrow(),
    database.sizeOnDisk(),
  ]);
  return {
    totalProjects: totals.projects,
    totalRuns: totals.runs ?? 0,
    totalTestCases: totals.tests ?? 0,
    totalRunsCases: totals.results ?? 0,
    totalTraces: totals.traces,
    totalReports: totals.reports,
    totalAttachments: totals.attachments,
    reportSizeFromDb: totals.reportBytes,
    traceSizeFromDb: totals.traceBytes,
    attachmentSizeFromDb: totals.attachmentBytes,
    fileSizeOnDisk: totals.blobBytes,
    storageSizeOnDisk: totals.blobBytes + databaseSizeOnDisk,
    databaseSizeOnDisk,
  };
};
