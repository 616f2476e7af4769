import type { Submission, SubmittedCase } from '@assay/contract';
import { runFigures } from '@assay/contract/outcome';
import { addMetadata } from '../delivery/metadata.ts';
import { type HistoryRun, deliveryOf, hashOf } from './history-run.ts';

type Row = Readonly<Record<string, unknown>>;

interface Database {
  prepare(sql: string): { all(...values: readonly (string | number)[]): unknown[] };
}

/** Of a run that came to its end. */
const STATUSES: Readonly<Record<string, string>> = {
  running: 'interrupted',
  initializing: 'interrupted',
  finalizing: 'interrupted',
  cancelled: 'interrupted',
};
const CASE_STATUSES: Readonly<Record<string, string>> = { timedout: 'timedOut', didnotrun: 'skipped' };
const SUITE_SEPARATOR = '\u001f';

export interface PiwiHistory {
  readonly runs: readonly HistoryRun[];
  close(): void;
}

/**
 * The runs of a database file of Piwi, the oldest first. Versions differ in their columns: those that a file does not have
 * are left out. Reports and traces are not in the database.
 */
export const openPiwiHistory = async (path: string, projectName: string | undefined): Promise<PiwiHistory> => {
  const database = await openDatabase(path);
  try {
    const projects = new Map(
      all(database, 'SELECT id, name FROM projects').map(({ id, name }) => [Number(id), String(name)]),
    );
    if (projectName !== undefined && ![...projects.values()].includes(projectName)) {
      throw new Error(`${path} has no project "${projectName}", but ${[...projects.values()].join(', ') || 'none'}`);
    }
    const columns = {
      run: columnsOf(database, 'test_runs'),
      result: columnsOf(database, 'test_runs_cases'),
      test: columnsOf(database, 'test_cases'),
    };
    const runs = all(database, 'SELECT id, project_id FROM test_runs ORDER BY start_time, id')
      .map(({ id, project_id: projectId }) => ({ id: Number(id), project: projects.get(Number(projectId)) ?? '' }))
      .filter(({ project }) => project !== '' && (projectName === undefined || project === projectName))
      .map(({ id, project }): HistoryRun => ({
        id: hashOf(`piwi ${project} ${id}`),
        name: `${project}, run ${id}`,
        load: async () => ({
          ok: true,
          deliveries: [deliveryOf(readRun(database, columns, id, project))],
          warnings: [],
        }),
      }));
    return { runs, close: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
};

const openDatabase = async (path: string): Promise<Database & { close(): void }> => {
  const sqlite = await import('node:sqlite').catch(() => null);
  if (sqlite === null) throw new Error('reading a database needs Node 22.13 or newer');
  return new sqlite.DatabaseSync(path, { readOnly: true });
};

const all = (database: Database, sql: string, ...values: readonly number[]): Row[] =>
  database.prepare(sql).all(...values) as Row[];

const columnsOf = (database: Database, table: string): ReadonlySet<string> =>
  new Set(all(database, `PRAGMA table_info(${table})`).map(({ name }) => String(name)));

interface Columns {
  readonly run: ReadonlySet<string>;
  readonly result: ReadonlySet<string>;
  readonly test: ReadonlySet<string>;
}

const readRun = (database: Database, columns: Columns, id: number, projectName: string): Submission => {
  const [run] = all(database, 'SELECT * FROM test_runs WHERE id = ?', id) as [Row];
  const suite = columns.test.has('suite_path') ? 'test_cases.suite_path' : "''";
  const rows = all(
    database,
    `SELECT test_runs_cases.*, test_cases.title AS test_title, test_cases.file_path, ${suite} AS test_suite
     FROM test_runs_cases JOIN test_cases ON test_cases.id = test_runs_cases.test_case_id
     WHERE test_run_id = ? ORDER BY test_runs_cases.id`,
    id,
  );
  const testCases = casesOf(rows);
  const metadata = objectOf(run['metadata']);
  const scm = objectOf(metadata['scm']);
  const branch = textOf(run['branch']) ?? textOf(scm['branch']);
  const commit = textOf(scm['commit']) ?? textOf(metadata['commit']);
  const status = textOf(run['status']) ?? 'interrupted';
  const { totalTests, passedTests, failedTests, skippedTests } = runFigures(testCases);
  const duration = numberOf(run['duration']);
  return {
    projectName,
    status: STATUSES[status] ?? status,
    // In seconds.
    startTime: new Date(Number(run['start_time']) * 1_000).toISOString(),
    ...(duration === null ? {} : { duration }),
    totalTests,
    passedTests,
    failedTests,
    skippedTests,
    ...(branch === null ? {} : { branch: branch.slice(0, 4_000) }),
    ...(commit === null ? {} : { commit: commit.slice(0, 4_000) }),
    metadata: addMetadata({}, { ...metadata, history: { from: 'Piwi', run: id } }),
    testCases,
  };
};

/** Some versions have a row for each attempt of a test. */
const casesOf = (rows: readonly Row[]): SubmittedCase[] => {
  const tests = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${String(row['test_case_id'])} ${browserOf(row) ?? ''}`;
    tests.set(key, [...(tests.get(key) ?? []), row]);
  }
  return [...tests.values()].map((attempts) => {
    const inOrder = attempts.toSorted((a, b) => (numberOf(a['retries']) ?? 0) - (numberOf(b['retries']) ?? 0));
    return caseOf(inOrder);
  });
};

const caseOf = (attempts: readonly Row[]): SubmittedCase => {
  const row = attempts.at(-1)!;
  const suites = (textOf(row['test_suite']) ?? '').split(SUITE_SEPARATOR).filter((part) => part !== '');
  const place = [row['line'], row['column']].map(numberOf).filter((value) => value !== null);
  const startedAt = numberOf(row['started_at']);
  const fields: Readonly<Record<string, unknown>> = {
    duration: numberOf(row['duration']),
    error: textOf(row['error']),
    browser: browserOf(row)?.slice(0, 200),
    startTime: startedAt === null ? null : new Date(startedAt).toISOString(),
    steps: listOf(row['steps']),
    slowestStep: textOf(row['slowest_step']),
    slowestStepDuration: numberOf(row['slowest_step_duration']),
    annotations: listOf(row['test_annotations']),
    tags: listOf(row['tags']),
    attempts: listOf(row['attempts']) ?? (attempts.length > 1 ? attempts.map(attemptOf) : null),
  };
  return {
    title: [...suites, String(row['test_title'])].join(' › ').slice(0, 1_000) || 'untitled',
    status: statusOf(row),
    retries: Math.max(...attempts.map((attempt) => numberOf(attempt['retries']) ?? 0)),
    location: [String(row['file_path']), ...place].join(':').slice(0, 4_000),
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)),
  };
};

const attemptOf = (row: Row): object => ({
  retry: numberOf(row['retries']) ?? 0,
  status: statusOf(row),
  duration: numberOf(row['duration']),
  ...(textOf(row['error']) === null ? {} : { error: textOf(row['error']) }),
});

const statusOf = (row: Row): string => {
  const status = textOf(row['status']) ?? 'failed';
  return CASE_STATUSES[status] ?? status;
};

const browserOf = (row: Row): string | null => {
  const { projectName, browserName } = objectOf(row['browser']) as { projectName?: unknown; browserName?: unknown };
  return textOf(row['browser_name']) ?? textOf(projectName) ?? textOf(browserName);
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

const jsonOf = (value: unknown): unknown => {
  try {
    return typeof value === 'string' ? JSON.parse(value) : null;
  } catch {
    return null;
  }
};

const objectOf = (value: unknown): Row => {
  const read = typeof value === 'object' ? value : jsonOf(value);
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Row) : {};
};

const listOf = (value: unknown): unknown[] | null => {
  const read = jsonOf(value);
  return Array.isArray(read) && read.length > 0 ? read : null;
};
