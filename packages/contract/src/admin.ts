import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { Bytes, Count, Nullable, Time, paging } from './schema.ts';

export const StorageStats = Type.Object(
  {
    totalProjects: Count,
    totalRuns: Count,
    totalTestCases: Type.Integer({ minimum: 0, description: 'Tests' }),
    totalRunsCases: Type.Integer({ minimum: 0, description: 'Results of tests' }),
    totalTraces: Count,
    totalReports: Count,
    totalAttachments: Count,
    reportSizeFromDb: Type.Integer({ minimum: 0, description: 'All reports, each counted in full' }),
    traceSizeFromDb: Type.Integer({ minimum: 0, description: 'All traces, each counted in full' }),
    attachmentSizeFromDb: Type.Integer({ minimum: 0, description: 'All attachments, each counted in full' }),
    fileSizeOnDisk: Type.Integer({
      minimum: 0,
      description:
        'Reports, traces and attachments as they are stored: equal contents once, compressed where that helps',
    }),
    storageSizeOnDisk: Type.Integer({
      minimum: 0,
      description: 'Reports, traces and attachments as they are stored, and the database',
    }),
    databaseSizeOnDisk: Bytes,
  },
  { title: 'StorageStats' },
);
export type StorageStats = Static<typeof StorageStats>;

export const CleanupReply = Type.Object(
  {
    success: Type.Literal(true),
    deletedRuns: Count,
    freedBytes: Type.Integer({
      minimum: 0,
      description:
        'Given back to the file system; on PostgreSQL, of files and of rows, whose room the server uses again for others',
    }),
  },
  { title: 'CleanupReply' },
);
export type CleanupReply = Static<typeof CleanupReply>;

export const ProjectStorage = Type.Object(
  {
    id: Id,
    name: Type.String(),
    label: Nullable(Type.String()),
    runs: Count,
    results: Count,
    reports: Count,
    traces: Count,
    attachments: Count,
    databaseBytes: Type.Integer({
      minimum: 0,
      description: 'As stored: results, network requests, details and summaries of its runs, also in the file store',
    }),
    fileBytes: Type.Integer({ minimum: 0, description: 'Reports, traces and attachments, each counted in full' }),
    oldestRun: Nullable(Time),
    newestRun: Nullable(Time),
  },
  { title: 'ProjectStorage' },
);
export type ProjectStorage = Static<typeof ProjectStorage>;

export const CleanupPreview = Type.Object(
  {
    startedBefore: Time,
    runs: Count,
    results: Count,
    reports: Count,
    traces: Count,
    attachments: Count,
    fileBytes: Type.Integer({
      minimum: 0,
      description: 'Reports, traces and attachments, each counted in full; contents that other runs share stay',
    }),
    databaseBytes: Type.Integer({ minimum: 0, description: 'As stored, without summaries' }),
    oldestRun: Nullable(Time),
    projects: Type.Array(Type.Object({ id: Id, name: Type.String(), runs: Count, runsLeft: Count }), {
      description: 'Those that would lose runs',
    }),
  },
  { title: 'CleanupPreview' },
);
export type CleanupPreview = Static<typeof CleanupPreview>;

const CleanupAge = Type.Object({ olderThanDays: Type.Integer({ minimum: 1, maximum: 36_500 }) });

export const AuditEntry = Type.Object(
  {
    id: Id,
    time: Time,
    action: Type.String({ description: 'Such as `user.create` or `run.delete`' }),
    subject: Type.String({ description: 'What it was done to' }),
    details: Nullable(Type.Record(Type.String(), Type.Unknown())),
    userId: Nullable(Id),
    username: Nullable(Type.String({ description: 'As it was then; null when nobody was signed in' })),
    address: Nullable(Type.String({ description: 'Null on the command line' })),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const adminEndpoints = {
  listAudit: endpoint({
    method: 'GET',
    path: '/api/admin/audit',
    access: 'administrator',
    group: 'Administration',
    summary: 'What changed rights or deleted data, newest first',
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Page size; 100 without it' })),
      cursor: paging.cursor,
    }),
    reply: Type.Array(AuditEntry),
    errors: ['invalid_query'],
  }),
  getStats: endpoint({
    method: 'GET',
    path: '/api/admin/stats',
    access: 'administrator',
    group: 'Administration',
    summary: 'Storage statistics',
    reply: StorageStats,
    errors: [],
  }),
  getStorage: endpoint({
    method: 'GET',
    path: '/api/admin/storage',
    access: 'administrator',
    group: 'Administration',
    summary: 'What each project stores, largest first',
    reply: Type.Object({ projects: Type.Array(ProjectStorage) }),
    errors: [],
  }),
  previewCleanup: endpoint({
    method: 'GET',
    path: '/api/admin/cleanup',
    access: 'administrator',
    group: 'Administration',
    summary: 'What the deletion with the same number of days would delete now',
    query: CleanupAge,
    reply: CleanupPreview,
    errors: ['invalid_query'],
  }),
  cleanUp: endpoint({
    method: 'DELETE',
    path: '/api/admin/cleanup',
    access: 'administrator',
    group: 'Administration',
    summary: 'Delete all runs that started more than so many days ago',
    description: 'Pinned ones too; `/api/admin/retention` keeps those.',
    body: CleanupAge,
    reply: CleanupReply,
    errors: ['invalid_body', 'body_too_large', 'unsupported_media_type'],
  }),
};
