import {
  type Cluster,
  type CsvCell,
  MOST_VIEW_ROWS,
  type QueriedResult,
  type QueryGroupRow,
  type QueryReply,
  type Run,
  type Test,
  type ViewFormat,
  csvRecord,
} from '@assay/contract';

type Columns<T> = Readonly<Record<string, (row: T) => CsvCell>>;

const RESULT_COLUMNS: Columns<QueriedResult> = {
  run: ({ testRun }) => testRun.id,
  started: ({ testRun }) => testRun.startTime,
  branch: ({ testRun }) => testRun.branch,
  commit: ({ testRun }) => testRun.commit,
  id: ({ id }) => id,
  status: ({ status }) => status,
  title: ({ title }) => title,
  file: ({ filePath }) => filePath,
  line: ({ line }) => line,
  browser: ({ browser }) => browser,
  durationMs: ({ duration }) => duration,
  retries: ({ retries }) => retries,
  flaky: ({ flaky }) => flaky,
  tags: ({ tags }) => tags.join(' '),
  owners: ({ owners }) => owners?.join(' '),
  error: ({ error }) => error,
};

const RUN_COLUMNS: Columns<Run> = {
  id: ({ id }) => id,
  started: ({ startTime }) => startTime,
  status: ({ status }) => status,
  branch: ({ branch }) => branch,
  commit: ({ commit }) => commit,
  author: ({ author }) => author,
  environment: ({ environment }) => environment,
  durationMs: ({ duration }) => duration,
  tests: ({ totalTests }) => totalTests,
  passed: ({ passedTests }) => passedTests,
  failed: ({ failedTests }) => failedTests,
  skipped: ({ skippedTests }) => skippedTests,
  flaky: ({ flakyTests }) => flakyTests,
};

const TEST_COLUMNS: Columns<Test> = {
  id: ({ id }) => id,
  title: ({ title }) => title,
  file: ({ filePath }) => filePath,
  browser: ({ browser }) => browser,
  status: ({ lastStatus }) => lastStatus,
  runs: ({ totalRuns }) => totalRuns,
  passed: ({ passedRuns }) => passedRuns,
  failed: ({ failedRuns }) => failedRuns,
  flaky: ({ flakyRuns }) => flakyRuns,
  avgDurationMs: ({ avgDuration }) => avgDuration,
  lastRun: ({ lastRun }) => lastRun,
  owners: ({ owners }) => owners?.join(' '),
};

const CLUSTER_COLUMNS: Columns<Cluster> = {
  id: ({ id }) => id,
  cause: ({ cause }) => cause,
  status: ({ life }) => life.state,
  failures: ({ failures }) => failures,
  runs: ({ runs }) => runs,
  firstSeen: ({ firstSeen }) => firstSeen?.startTime,
  lastSeen: ({ lastSeen }) => lastSeen?.startTime,
  assignee: ({ assignee }) => assignee,
  issueUrl: ({ issueUrl }) => issueUrl,
  note: ({ note }) => note,
};

const GROUP_COLUMNS: Columns<QueryGroupRow> = {
  key: ({ key }) => key,
  count: ({ count }) => count,
  share: ({ share }) => share,
};

const columnsOf = ({ results, runs, tests, clusters }: QueryReply): Columns<never> => {
  if (results) return RESULT_COLUMNS;
  if (runs) return RUN_COLUMNS;
  if (tests) return TEST_COLUMNS;
  return clusters ? CLUSTER_COLUMNS : GROUP_COLUMNS;
};

const rowsOf = ({ results, runs, tests, clusters, groups }: QueryReply): readonly unknown[] =>
  results ?? runs ?? tests ?? clusters ?? groups ?? [];

/** Page by page, from the first on; the first is asked before, so that a query that cannot be answered is refused. */
export async function* writeRows(
  first: QueryReply,
  format: ViewFormat,
  next: (cursor: string) => Promise<QueryReply>,
): AsyncGenerator<string> {
  const columns = columnsOf(first);
  if (format === 'csv') yield csvRecord(Object.keys(columns));
  let left = MOST_VIEW_ROWS;
  for (let page: QueryReply | null = first; page;) {
    const rows = rowsOf(page).slice(0, left);
    left -= rows.length;
    if (rows.length > 0) yield rows.map((row) => (format === 'csv' ? record(columns, row) : jsonLine(row))).join('');
    page = page.nextCursor !== null && left > 0 ? await next(page.nextCursor) : null;
  }
}

const record = (columns: Columns<never>, row: unknown): string =>
  csvRecord(Object.values(columns).map((cell) => cell(row as never)));

const jsonLine = (row: unknown): string => `${JSON.stringify(row)}\n`;
