import type { Run, TestCase } from '@assay/contract';
import type { RequestRow } from '../segments/requests.ts';

/** What a column holds; `integer` is 64 bits wide, `time` is milliseconds since 1970, UTC. */
export type ColumnType = 'integer' | 'double' | 'boolean' | 'time' | 'text' | 'texts' | 'integers';

export type ColumnValue = number | boolean | string | readonly string[] | readonly number[] | null | undefined;

export interface ParquetColumn<Row> {
  readonly type: ColumnType;
  readonly of: (row: Row) => ColumnValue;
}

export type ParquetColumns<Row> = Readonly<Record<string, ParquetColumn<Row>>>;

export interface ExportedRun {
  readonly run: Run;
  readonly project: { readonly name: string; readonly label: string | null };
  /** JSON text. */
  readonly metadata: string | null;
}

export interface ExportedResult {
  readonly run: Run;
  readonly result: TestCase;
}

export interface ExportedRequest extends ExportedResult {
  readonly request: RequestRow;
}

const integer = <Row>(of: (row: Row) => number | null | undefined): ParquetColumn<Row> => ({ type: 'integer', of });
const double = <Row>(of: (row: Row) => number | null | undefined): ParquetColumn<Row> => ({ type: 'double', of });
const boolean = <Row>(of: (row: Row) => boolean | null): ParquetColumn<Row> => ({ type: 'boolean', of });
const text = <Row>(of: (row: Row) => string | null | undefined): ParquetColumn<Row> => ({ type: 'text', of });
const texts = <Row>(of: (row: Row) => readonly string[]): ParquetColumn<Row> => ({ type: 'texts', of });
const integers = <Row>(of: (row: Row) => readonly number[]): ParquetColumn<Row> => ({ type: 'integers', of });
const time = <Row>(of: (row: Row) => string | undefined): ParquetColumn<Row> => ({
  type: 'time',
  of: (row) => {
    const found = of(row);
    return found === undefined ? null : Date.parse(found);
  },
});

/** docs/export.md describes them. */
export const EXPORTED_COLUMNS: {
  readonly runs: ParquetColumns<ExportedRun>;
  readonly results: ParquetColumns<ExportedResult>;
  readonly requests: ParquetColumns<ExportedRequest>;
} = {
  runs: {
    project_id: integer(({ run }) => run.projectId),
    project_name: text(({ project }) => project.name),
    project_label: text(({ project }) => project.label),
    run_id: integer(({ run }) => run.id),
    status: text(({ run }) => run.status),
    start_time: time(({ run }) => run.startTime),
    created_at: time(({ run }) => run.createdAt),
    duration_ms: double(({ run }) => run.duration),
    total_tests: integer(({ run }) => run.totalTests),
    passed_tests: integer(({ run }) => run.passedTests),
    failed_tests: integer(({ run }) => run.failedTests),
    skipped_tests: integer(({ run }) => run.skippedTests),
    flaky_tests: integer(({ run }) => run.flakyTests),
    expected_tests: integer(({ run }) => run.expectedTests),
    missing_tests: integer(({ run }) => run.missingTests),
    avg_test_duration_ms: double(({ run }) => run.avgTestDuration),
    p90_test_duration_ms: double(({ run }) => run.p90TestDuration),
    branch: text(({ run }) => run.branch),
    commit: text(({ run }) => run.commit),
    commit_message: text(({ run }) => run.commitMessage),
    author: text(({ run }) => run.author),
    environment: text(({ run }) => run.environment),
    pull_request: integer(({ run }) => run.pullRequest),
    base_commit: text(({ run }) => run.baseCommit),
    filtered: boolean(({ run }) => run.filtered),
    shard_total: integer(({ run }) => run.shards?.total),
    missing_shards: integers(({ run }) => run.shards?.missing ?? []),
    pinned: boolean(({ run }) => run.pinned ?? false),
    files_removed_at: time(({ run }) => run.filesRemovedAt),
    damaged: boolean(({ run }) => run.damaged ?? false),
    metadata: text(({ metadata }) => metadata),
  },
  results: {
    project_id: integer(({ run }) => run.projectId),
    run_id: integer(({ run }) => run.id),
    run_start_time: time(({ run }) => run.startTime),
    result_id: integer(({ result }) => result.id),
    test_id: integer(({ result }) => result.testId),
    file: text(({ result }) => result.filePath),
    line: integer(({ result }) => result.line),
    column: integer(({ result }) => result.column),
    title: text(({ result }) => result.title),
    browser: text(({ result }) => result.browser),
    status: text(({ result }) => result.status),
    flaky: boolean(({ result }) => result.flaky),
    retries: integer(({ result }) => result.retries),
    duration_ms: double(({ result }) => result.duration),
    failed_ms: double(({ result }) => result.failedMs),
    start_time: time(({ result }) => result.startTime),
    shard: integer(({ result }) => result.shard),
    lane: integer(({ result }) => result.lane),
    tags: texts(({ result }) => result.tags),
    error: text(({ result }) => result.error),
    cause: text(({ result }) => result.cause),
    not_run_reason: text(({ result }) => result.notRun?.reason),
  },
  requests: {
    project_id: integer(({ run }) => run.projectId),
    run_id: integer(({ run }) => run.id),
    run_start_time: time(({ run }) => run.startTime),
    result_id: integer(({ result }) => result.id),
    test_id: integer(({ result }) => result.testId),
    title: text(({ result }) => result.title),
    method: text(({ request }) => request.method),
    route: text(({ request }) => request.route),
    status: integer(({ request }) => request.status),
    duration_ms: double(({ request }) => request.durationMs),
    resource_type: text(({ request }) => request.type),
  },
};

export type ExportedTable = keyof typeof EXPORTED_COLUMNS;

export const EXPORTED_TABLES = Object.keys(EXPORTED_COLUMNS) as ExportedTable[];
