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
    reportSizeFromDb: Type.Integer({ minimum: 0, description: 'All reports, each counted in full' }),
    traceSizeFromDb: Type.Integer({ minimum: 0, description: 'All traces, each counted in full' }),
    fileSizeOnDisk: Type.Integer({
      minimum: 0,
      description: 'Reports and traces as they are stored: equal contents once, compressed where that helps',
    }),
    storageSizeOnDisk: Type.Integer({ minimum: 0, description: 'Everything in the data folder' }),
    databaseSizeOnDisk: Bytes,
  },
  { title: 'StorageStats' },
);
export type StorageStats = Static<typeof StorageStats>;

export const CleanupReply = Type.Object(
  {
    success: Type.Literal(true),
    deletedRuns: Count,
    freedBytes: Type.Integer({ minimum: 0, description: 'Given back to the file system' }),
  },
  { title: 'CleanupReply' },
);
export type CleanupReply = Static<typeof CleanupReply>;

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
  cleanUp: endpoint({
    method: 'DELETE',
    path: '/api/admin/cleanup',
    access: 'administrator',
    group: 'Administration',
    summary: 'Delete all runs that started more than so many days ago',
    body: Type.Object({ olderThanDays: Type.Integer({ minimum: 1, maximum: 36_500 }) }),
    reply: CleanupReply,
    errors: ['invalid_body', 'body_too_large', 'unsupported_media_type'],
  }),
};
