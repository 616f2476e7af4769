import { type Filterable, RUN_FIELDS, TEST_FIELDS, withStatuses } from '@assay/contract/filter';
import { type FilterSql, readFilter, type SqlFilterResult } from '@assay/contract/filter-sql';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Dialect } from '../../db/database.ts';
import { POSTGRES_ESCAPE } from '../../db/postgres-text.ts';
import type { RunsTable, TestsTable } from '../../db/tables.ts';

export const RUN_COLUMNS = {
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
  readonly dialect: Dialect;
  /** Statuses that rows have besides those of the contract. */
  readonly statuses?: readonly string[];
  /** What relative times count from. */
  readonly now: number;
}

/** A filter of runs: a text or an envelope. Its residual sees what `runRow` of the contract gives. */
export const readRunFilter = (written: unknown, options: Options): SqlFilterResult => {
  // PostgreSQL keeps it as a number, and a condition would want a boolean.
  const { filtered, ...others } = RUN_COLUMNS;
  const columns = options.dialect === 'sqlite' ? { ...others, filtered } : others;
  return readTableFilter(written, RUN_FIELDS, 'runs', columns, options);
};

/** A filter of tests, over what `testRow` of the contract gives. */
export const readTestFilter = (written: unknown, options: Options): SqlFilterResult =>
  readTableFilter(written, TEST_FIELDS, 'tests', TEST_COLUMNS, options);

const readTableFilter = (
  written: unknown,
  fields: Filterable,
  name: string,
  columns: Readonly<Record<string, string>>,
  { dialect, statuses = [], now }: Options,
): SqlFilterResult => readFilter(written, withStatuses(fields, statuses), { now, table: { dialect, name, columns } });

/** For `where` of a query; no name of a table or column above looks like a placeholder. */
export const whereFilter = ({ condition, params }: FilterSql, dialect: Dialect): RawBuilder<SqlBool> => {
  const texts = condition.split(dialect === 'sqlite' ? /\?/ : /\$\d+/);
  // PostgreSQL may name a parameter more than once.
  const values =
    dialect === 'sqlite'
      ? params
      : Array.from(condition.matchAll(/\$(\d+)/g), ([, number]) => params[Number(number) - 1]);
  return sql<SqlBool>(texts as unknown as TemplateStringsArray, ...values);
};

/**
 * Texts that may have a NUL, in which the databases see another text than we do: a row with one is asked in memory,
 * whatever the condition says.
 */
export const orHasNul = (
  condition: RawBuilder<SqlBool>,
  fields: ReadonlySet<string> | null,
  table: 'runs' | 'tests',
  dialect: Dialect,
): RawBuilder<SqlBool> => {
  const columns = Object.entries(TEXT_COLUMNS[table]).filter(([field]) => fields?.has(field) ?? true);
  if (columns.length === 0) return condition;
  const tests = columns.map(([, column]) =>
    dialect === 'sqlite'
      ? sql<SqlBool>`coalesce(instr(${sql.ref(`${table}.${column}`)}, char(0)), 0) > 0`
      : sql<SqlBool>`coalesce(strpos(${sql.ref(`${table}.${column}`)}, ${sql.raw(`'${POSTGRES_ESCAPE}'`)}), 0) > 0`,
  );
  return sql<SqlBool>`(${condition} or ${sql.join(tests, sql` or `)})`;
};

const TEXT_COLUMNS: Record<'runs' | 'tests', Readonly<Record<string, string>>> = {
  runs: {
    status: 'status',
    branch: 'branch',
    commit: 'commit_hash',
    author: 'author',
    message: 'commit_message',
    environment: 'environment',
    base: 'base_commit',
  },
  tests: TEST_COLUMNS,
};
