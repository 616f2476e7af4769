import { splitResultId } from '@assay/contract';
import type { Tables } from '../db/tables.ts';

export interface CopiedTable {
  readonly name: keyof Tables;
  /** Its primary key, by which it is read in order. */
  readonly key: readonly string[];
  /** Rows have ids that the database gives. */
  readonly hasIds?: true;
  /** Rows are large. */
  readonly isLarge?: true;
  /** The run of a row whose project SQLite may not have stored. */
  runOf?(row: Readonly<Record<string, unknown>>): number;
}

/**
 * All tables with what people stored, each after those that it refers to. Storage figures are kept by triggers as the rest
 * arrives; staged tests belong to a submission that is under way, chores to the processes that do them.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'projects', key: ['id'], hasIds: true },
  { name: 'runs', key: ['id'], hasIds: true },
  { name: 'parts', key: ['id'], hasIds: true },
  { name: 'run_keys', key: ['project_id', 'key'] },
  { name: 'tests', key: ['id'], hasIds: true },
  { name: 'segments', key: ['run_id', 'first_index'], isLarge: true, runOf: (row) => row['run_id'] as number },
  { name: 'details', key: ['id'], isLarge: true, runOf: (row) => splitResultId(row['id'] as number).runId },
  { name: 'summaries', key: ['project_id', 'level', 'span'], isLarge: true },
  { name: 'branch_summaries', key: ['project_id', 'level', 'span', 'branch'], isLarge: true },
  { name: 'run_outlines', key: ['project_id', 'span'], isLarge: true },
  { name: 'blobs', key: ['id'], hasIds: true },
  { name: 'moved_runs', key: ['project_id', 'run_id'] },
  { name: 'reports', key: ['id'], hasIds: true },
  { name: 'report_files', key: ['report_id', 'path'] },
  { name: 'traces', key: ['id'], hasIds: true },
  { name: 'attachments', key: ['id'], hasIds: true },
  { name: 'commits', key: ['project_id', 'hash'] },
  { name: 'codeowners', key: ['project_id'], isLarge: true },
  { name: 'spelled_files', key: ['project_id', 'file'] },
  { name: 'clusters', key: ['id'], hasIds: true },
  { name: 'cluster_runs', key: ['project_id', 'cluster_id', 'start_time', 'run_id'] },
  { name: 'jobs', key: ['id'], hasIds: true },
  { name: 'users', key: ['id'], hasIds: true },
  { name: 'sessions', key: ['id'], hasIds: true },
  { name: 'api_keys', key: ['id'], hasIds: true },
  { name: 'saved_views', key: ['id'], hasIds: true },
  { name: 'login_attempts', key: ['key'] },
  { name: 'known_addresses', key: ['user_id', 'address'] },
  { name: 'audit', key: ['id'], hasIds: true },
  { name: 'storage_days', key: ['project_id', 'day'] },
];
