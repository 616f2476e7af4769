import type { Generated, Selectable } from 'kysely';

/** Times are milliseconds since 1970; durations are milliseconds. */
export interface ProjectsTable {
  id: Generated<number>;
  name: string;
  label: string | null;
  description: string | null;
  created_at: number;
  updated_at: number;
  /** When a run was last received. */
  active_at: number;
  /** Raised by every write to the project: what answers and ETags are valid for. */
  revision: number;
  /** Runs ever received; the number of the next one. */
  next_sequence: number;
  total_runs: number;
  total_tests: number;
  total_results: number;
  /** Raised when tests are removed: ids that were looked up before may be gone. */
  tests_epoch: number;
}

export interface RunsTable {
  id: Generated<number>;
  project_id: number;
  sequence: number;
  status: string;
  start_time: number;
  duration: number | null;
  total_tests: number;
  passed_tests: number;
  failed_tests: number;
  skipped_tests: number;
  flaky_tests: number;
  avg_test_duration: number | null;
  p90_test_duration: number | null;
  /** Results in the segment; `total_tests` is what the sender said. */
  result_count: number;
  branch: string | null;
  commit_hash: string | null;
  /** JSON text. */
  metadata: string | null;
  created_at: number;
}

/** Keys that make a repeated submission the same run. */
export interface RunKeysTable {
  project_id: number;
  key: string;
  run_id: number;
}

export interface TestsTable {
  id: Generated<number>;
  project_id: number;
  /** Hash of file, title and browser. */
  identity: Uint8Array;
  file: string;
  title: string;
  browser: string | null;
}

export interface SegmentsTable {
  run_id: number;
  results: Uint8Array;
  requests: Uint8Array | null;
}

/** Chunks of details; the id is that of the first result in the chunk. */
export interface DetailsTable {
  id: number;
  data: Uint8Array;
}

export interface SummariesTable {
  project_id: number;
  level: number;
  span: number;
  data: Uint8Array;
}

/** One row. */
export interface InstallationTable {
  /** Tells this database from any other that had the same ids: part of every ETag. */
  id: string;
}

export interface Tables {
  installation: InstallationTable;
  projects: ProjectsTable;
  runs: RunsTable;
  run_keys: RunKeysTable;
  tests: TestsTable;
  segments: SegmentsTable;
  details: DetailsTable;
  summaries: SummariesTable;
}

export type ProjectRow = Selectable<ProjectsTable>;
export type RunRow = Selectable<RunsTable>;
export type TestRow = Selectable<TestsTable>;
