import type { Role } from '@assay/contract';
import type { ColumnType, Generated, Selectable } from 'kysely';

/** Times are milliseconds since 1970; durations are milliseconds. */
export interface ProjectsTable {
  id: Generated<number>;
  name: string;
  label: string | null;
  description: string | null;
  /** As an Administrator set it; null leaves it to what the runs say. */
  default_branch: Generated<string | null>;
  /** As a sender told it last. */
  told_default_branch: Generated<string | null>;
  /** Where its code is, as an Administrator set it. */
  repository_url: Generated<string | null>;
  /** JSON array of texts; null when there is none. */
  tags: Generated<string | null>;
  archived_at: Generated<number | null>;
  /** Its own settings, as JSON; null while those of the installation apply. */
  retention: Generated<string | null>;
  created_at: number;
  updated_at: number;
  /** When a run was last received. */
  active_at: number;
  /** Random, and another after every write to the project: what answers and ETags are valid for. */
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
  /** Its number in the project once it is finalized; below 0 while more of it may come. */
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
  /** Results in its segments; `total_tests` is what the sender said. */
  result_count: number;
  branch: string | null;
  commit_hash: string | null;
  /** JSON text. */
  metadata: string | null;
  /** Of the change that was tested, from the metadata. */
  author: Generated<string | null>;
  /** Its first line, from the metadata. */
  commit_message: Generated<string | null>;
  /** These too are from the metadata. */
  environment: Generated<string | null>;
  pull_request: Generated<number | null>;
  base_commit: Generated<string | null>;
  /** 1 when only some of the tests were asked for, 0 when all were, null when nobody said. */
  filtered: Generated<number | null>;
  created_at: number;
  /** Raised when results come or go: decoded ones are kept under it. */
  version: Generated<number>;
  /** The first index that no result of the run ever had; null as long as that is `result_count`. */
  next_index: Generated<number | null>;
  /** Into how many shards it was cut; null when it was not. */
  shard_total: Generated<number | null>;
  /** Tests that its senders announced in all. */
  expected_tests: Generated<number | null>;
  /** Why not all that is stored of it can be read; null while nothing was found damaged. */
  damage: Generated<string | null>;
  /** Null when retention may delete it. */
  pinned_at: Generated<number | null>;
  /** When retention last deleted its reports, traces and attachments. */
  files_removed_at: Generated<number | null>;
  /** The version whose failures are in `cluster_runs`. */
  clustered_version: Generated<number>;
  /** The version whose blocks have moved to the file store, or are not worth it. */
  moved_version: Generated<number>;
}

/**
 * Parts of runs. A run that was submitted whole, and that nothing has joined, has none: its row says it all.
 */
export interface PartsTable {
  id: Generated<number>;
  project_id: number;
  run_id: number;
  /** Counted from 1; 0 for a part that names none. */
  shard: number;
  shard_total: number | null;
  attempt: number;
  start_time: number;
  state: PartState;
  /** As its sender said; while it is not finished, what it is shown as. */
  status: string;
  duration: number | null;
  total_tests: number;
  passed_tests: number;
  failed_tests: number;
  skipped_tests: number;
  flaky_tests: number;
  result_count: number;
  branch: string | null;
  commit_hash: string | null;
  /** JSON text. */
  metadata: string | null;
  expected_tests: number | null;
  next_batch: number;
  /** Time of the last heartbeat. */
  heartbeat_at: number;
}

/** `quiet`: timed out without a heartbeat; `replaced`: superseded by another part of its shard. */
export type PartState = 'running' | 'quiet' | 'finished' | 'replaced';

/** Keys that make a repeated submission the same run. */
export interface RunKeysTable {
  project_id: number;
  key: string;
  run_id: number;
  part_id: Generated<number | null>;
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

/** Tests that were added ahead of the run which has them; both ids are of tests. */
export interface StagedTestsTable {
  first_id: number;
  last_id: number;
  project_id: number;
  /** 1 when its project was made for that run too. */
  is_new_project: number;
  /** Names the process, where several share the database. */
  staged_by: Generated<string | null>;
  staged_at: Generated<number>;
}

/**
 * Null in rows of SQLite from before there was the column: adding it did not rewrite the blocks, and nothing there reads
 * it but a copy. PostgreSQL has it in all rows.
 */
type ProjectOfRun = ColumnType<number | null, number>;

/** Results of a run: all of them, those of a part, or a batch of those. */
export interface SegmentsTable {
  project_id: ProjectOfRun;
  run_id: number;
  /** The lowest index that its results ever had. */
  first_index: Generated<number>;
  part_id: Generated<number | null>;
  /** Which indices its rows have, when they belong to a part; else they count from 0. */
  ranges: Generated<string | null>;
  /** A reference when it has moved, which only those see who open the database without files; so the requests, and details. */
  results: Uint8Array;
  requests: Uint8Array | null;
  /** JSON pairs of index and number: which attempts results are that are joined when their part is finished. */
  attempts: Generated<string | null>;
}

/** Chunks of details; the id is that of the first result in the chunk. */
export interface DetailsTable {
  id: number;
  project_id: ProjectOfRun;
  data: Uint8Array;
  /** The `first_index` of the block that the results of the chunk are in. */
  block_index: Generated<number>;
}

/** Runs whose blocks and details are in an object of the file store; their rows have references to it. */
export interface MovedRunsTable {
  project_id: number;
  run_id: number;
  blob_id: number;
  /** How much shorter the rows became. */
  bytes: number;
}

export interface SummariesTable {
  project_id: number;
  level: number;
  span: number;
  data: Uint8Array;
}

export interface BranchSummariesTable extends SummariesTable {
  branch: string;
}

/** Outlines of the runs of a span, each of the version of its run that it names. */
export interface RunOutlinesTable {
  project_id: number;
  span: number;
  /** How they are written. */
  format: number;
  /** How many runs the span had, and the sums of their ids and versions: another sum says that something has changed. */
  runs: number;
  id_sum: number;
  version_sum: number;
  data: Uint8Array;
}

/** A content that is stored once, however many reports, traces and attachments have it. */
export interface BlobsTable {
  id: Generated<number>;
  /** SHA-256 of the content. */
  hash: Uint8Array;
  encoding: BlobEncoding;
  size: number;
  /** On disk, where it may be compressed. */
  stored_size: number;
}

export type BlobEncoding = 'identity' | 'gzip';

export interface ReportsTable {
  id: Generated<number>;
  project_id: number;
  run_id: number;
  type: string;
  label: string;
  /** The path of the file that is opened first. */
  entry: string;
  /** All its files, each as large as it is when it is not compressed. */
  size: number;
  part_id: Generated<number | null>;
}

export interface ReportFilesTable {
  project_id: number;
  report_id: number;
  path: string;
  blob_id: number;
}

export interface TracesTable {
  id: Generated<number>;
  project_id: number;
  run_id: number;
  case_index: number;
  blob_id: number;
  state: TraceState;
  /** Why it is broken. */
  problem: string | null;
  part_id: Generated<number | null>;
}

/** Whether what a trace says is already part of its case. */
export type TraceState = 'waiting' | 'read' | 'broken';

/** What an attempt of a test left behind. */
export interface AttachmentsTable {
  id: Generated<number>;
  project_id: number;
  run_id: number;
  part_id: number | null;
  case_index: number;
  /** From 0. */
  attempt: number;
  name: string;
  content_type: string;
  /** Of a picture that tells it. */
  width: number | null;
  height: number | null;
  blob_id: number;
}

/** What senders told of the history of the code. */
export interface CommitsTable {
  project_id: number;
  hash: string;
  /** Their hashes, with blanks between. */
  parents: string;
  time: number;
  author: string;
  subject: string;
  /** JSON, deflated; null when it is not known what changed. */
  files: Uint8Array | null;
  more_files: number;
}

/** The CODEOWNERS file of a project. */
export interface CodeownersTable {
  project_id: number;
  /** SHA-256 of the text. */
  hash: string;
  text: string;
  /** Random, and another after every change, also of the spelled files. */
  revision: number;
}

/** Where files are in the repository that results spell differently. */
export interface SpelledFilesTable {
  project_id: number;
  file: string;
  /** Null when it is not known. */
  path: string | null;
}

/** Failures of one cause over all runs. */
export interface ClustersTable {
  id: Generated<number>;
  project_id: number;
  cause: string;
  /** The cluster that people have joined it with; that one is joined with no other. */
  joined_to: Generated<number | null>;
  /** Figures of its own cause, without those that were joined with it. */
  failures: Generated<number>;
  runs: Generated<number>;
  first_run_id: Generated<number | null>;
  last_run_id: Generated<number | null>;
  last_at: Generated<number | null>;
  /** When it, or one that was joined with it, was last seen; null when it is not listed. */
  listed_at: Generated<number | null>;
  note: Generated<string | null>;
  assignee: Generated<string | null>;
  issue_url: Generated<string | null>;
  snoozed_until: Generated<number | null>;
}

/** Which runs show which clusters. */
export interface ClusterRunsTable {
  project_id: number;
  cluster_id: number;
  /** Of the run. */
  start_time: number;
  run_id: number;
  failures: number;
}

/** Work that is left for later; a job that is done has no row. */
export interface JobsTable {
  id: Generated<number>;
  project_id: number;
  kind: JobKind;
  run_id: number;
  state: 'waiting' | 'failed';
  attempts: number;
  due_at: number;
  problem: string | null;
  /** Until when the replica that does it has it to itself, unless it says so again. */
  claimed_until: Generated<number>;
}

export type JobKind = 'read-traces' | 'finalize-run';

export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** The same for all ways to write the name. */
  username_key: string;
  name: string | null;
  role: Role;
  /** A hash with its parameters. */
  password: string;
  created_at: number;
}

export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256 of the token in the cookie. */
  token_hash: Uint8Array;
  created_at: number;
  expires_at: number;
  address: string;
  user_agent: string | null;
}

export interface ApiKeysTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256 of the key. */
  hash: Uint8Array;
  prefix: string;
  name: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
}

/** A query that is kept under a name. */
export interface SavedViewsTable {
  id: Generated<number>;
  project_id: number;
  /** Whose it is; null when accounts are off, or when its owner is gone and it is shared. */
  user_id: number | null;
  name: string;
  /** 1 when everyone who may read the project sees it, 0 when only its owner does. */
  is_shared: number;
  /** 1 when it is on the page of the project. */
  is_pinned: number;
  /** JSON of what is asked. */
  query: string;
  created_at: number;
  updated_at: number;
}

/** How full the bucket of an address or an account is; it leaks as time goes by. */
export interface LoginAttemptsTable {
  key: string;
  level: number;
  changed_at: number;
}

/** Where users have signed in from. */
export interface KnownAddressesTable {
  user_id: number;
  address: string;
  seen_at: number;
}

export interface AuditTable {
  id: Generated<number>;
  time: number;
  action: string;
  subject: string;
  /** JSON text. */
  details: string | null;
  user_id: number | null;
  username: string | null;
  address: string | null;
}

/** What each project stores; triggers keep it. Project 0 stands for what belongs to no project. */
export interface StorageFiguresTable {
  project_id: number;
  /** Results, requests, details and summaries, also those that have moved to the file store. */
  database_bytes: number;
  reports: number;
  report_bytes: number;
  traces: number;
  trace_bytes: number;
  attachments: Generated<number>;
  attachment_bytes: Generated<number>;
  /** Files as they are on disk; in the row of project 0. */
  blob_bytes: number;
}

/** What was stored on a day, counted from 1970; of project 0 what the installation took of the disk. */
export interface StorageDaysTable {
  project_id: number;
  day: number;
  bytes: number;
}

/** What one of several processes does for all, and when one last began or went on with it. */
export interface ChoresTable {
  name: 'sweep' | 'move-runs';
  claimed_at: number;
}

/** One row. */
export interface InstallationTable {
  /** Tells this database from any other that had the same ids: part of every ETag. */
  id: string;
  /** Of the rules by which the causes of errors were last found in old results too. */
  cause_version: Generated<number>;
  /** The first run in which they still have to be; null when there is none. */
  cause_run_id: Generated<number | null>;
  /** JSON of how far a copy into this database has come; null when it is whole. */
  copying: Generated<string | null>;
  /** For projects without settings of their own, as JSON. */
  retention: Generated<string | null>;
  /** When runs were last looked through, or deleted, by retention. */
  retention_at: Generated<number | null>;
}

export interface Tables {
  installation: InstallationTable;
  storage_figures: StorageFiguresTable;
  storage_days: StorageDaysTable;
  projects: ProjectsTable;
  runs: RunsTable;
  run_keys: RunKeysTable;
  parts: PartsTable;
  tests: TestsTable;
  staged_tests: StagedTestsTable;
  segments: SegmentsTable;
  details: DetailsTable;
  moved_runs: MovedRunsTable;
  summaries: SummariesTable;
  branch_summaries: BranchSummariesTable;
  run_outlines: RunOutlinesTable;
  blobs: BlobsTable;
  reports: ReportsTable;
  report_files: ReportFilesTable;
  traces: TracesTable;
  attachments: AttachmentsTable;
  commits: CommitsTable;
  codeowners: CodeownersTable;
  spelled_files: SpelledFilesTable;
  clusters: ClustersTable;
  cluster_runs: ClusterRunsTable;
  jobs: JobsTable;
  chores: ChoresTable;
  users: UsersTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  saved_views: SavedViewsTable;
  login_attempts: LoginAttemptsTable;
  known_addresses: KnownAddressesTable;
  audit: AuditTable;
}

export type ProjectRow = Selectable<ProjectsTable>;
export type RunRow = Selectable<RunsTable>;
export type PartRow = Selectable<PartsTable>;
export type TestRow = Selectable<TestsTable>;
export type ReportRow = Selectable<ReportsTable>;
export type TraceRow = Selectable<TracesTable>;
export type AttachmentRow = Selectable<AttachmentsTable>;
export type ClusterRow = Selectable<ClustersTable>;
export type JobRow = Selectable<JobsTable>;
export type UserRow = Selectable<UsersTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;
export type AuditRow = Selectable<AuditTable>;
