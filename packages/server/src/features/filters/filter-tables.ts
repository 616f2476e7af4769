import { type Filterable, RUN_FIELDS, TEST_FIELDS, withStatuses } from '@assay/contract/filter';
import { type FilterSql, readFilter, type SqlFilterResult } from '@assay/contract/filter-sql';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { RunsTable, TestsTable } from '../../db/tables.ts';

const RUN_COLUMNS = {
  status: 'status',
  branch: 'branch',
  commit: 'commit_hash',
  author: 'author',
  message: 'commit_message',
  environment: 'environment',
  pr: 'pull_request',
  base: 'base_commit',
  filtered: 'filtered',
  started: 'start_time',
  duration: 'duration',
  tests: 'total_tests',
  passed: 'passed_tests',
  failed: 'failed_tests',
  skipped: 'skipped_tests',
  flaky: 'flaky_tests',
  avg: 'avg_test_duration',
  p90: 'p90_test_duration',
} satisfies Record<string, keyof RunsTable>;

/** The figures of a test are in the summaries, so that conditions on them stay in the residual. */
const TEST_COLUMNS = { title: 'title', file: 'file', browser: 'browser' } satisfies Record<string, keyof TestsTable>;

interface Options {
  /** Statuses that rows have besides those of the contract. */
  readonly statuses?: readonly string[];
  /** What relative times count from. */
  readonly now: number;
}

/** A filter of runs: a text or an envelope. Its residual sees what `runRow` of the contract gives. */
export const readRunFilter = (written: unknown, options: Options): SqlFilterResult =>
  readTableFilter(written, RUN_FIELDS, 'runs', RUN_COLUMNS, options);

/** A filter of tests, over what `testRow` of the contract gives. */
export const readTestFilter = (written: unknown, options: Options): SqlFilterResult =>
  readTableFilter(written, TEST_FIELDS, 'tests', TEST_COLUMNS, options);

const readTableFilter = (
  written: unknown,
  fields: Filterable,
  name: string,
  columns: Readonly<Record<string, string>>,
  { statuses = [], now }: Options,
): SqlFilterResult =>
  readFilter(written, withStatuses(fields, statuses), { now, table: { dialect: 'sqlite', name, columns } });

/** For `where` of a query; no name of a table or column above has a question mark. */
export const whereFilter = ({ condition, params }: FilterSql): RawBuilder<SqlBool> =>
  sql<SqlBool>(condition.split('?') as unknown as TemplateStringsArray, ...params);
