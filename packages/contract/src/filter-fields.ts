import type { Catalogue } from '@assay/expression';
import type { TestCase } from './cases.ts';
import type { Cluster } from './clusters.ts';
import type { Run } from './run.ts';
import type { Test } from './tests.ts';

/** What a filter sees of a result, a run, a test or a cluster: its fields under the names of the catalogue. */
export type FilterRow = Readonly<Record<string, unknown>>;

/** Fields that can be filtered by, and filters to start from. */
export interface Filterable extends Catalogue {
  readonly text: readonly string[];
  readonly examples: readonly string[];
}

const STATUSES = ['failed', 'timedOut', 'interrupted', 'passed', 'skipped'];

export const RESULT_FIELDS: Filterable = {
  text: ['title', 'file', 'error'],
  examples: ['status:failed retries:>0', '"log in" -tag:slow', 'duration:>2.5s OR flaky', 't => t.retries > 1'],
  fields: {
    status: { type: 'enum', values: STATUSES, description: 'Status' },
    title: { type: 'string', description: 'Title, including its describe blocks', aliases: ['test'] },
    file: { type: 'string', description: 'Test file' },
    error: { type: 'string', nullable: true, description: 'Error message' },
    duration: { type: 'duration', nullable: true, description: 'Duration' },
    retries: { type: 'number', description: 'Number of retries' },
    flaky: { type: 'boolean', description: 'Passed after a retry' },
    new: { type: 'boolean', description: 'Failing now, but not in its previous run' },
    tag: { type: 'strings', description: 'Tag', aliases: ['tags'] },
    owner: { type: 'strings', description: 'Owner by CODEOWNERS', aliases: ['owners'] },
    browser: { type: 'string', nullable: true, description: 'Browser or Playwright project' },
    shard: { type: 'number', nullable: true, description: 'Shard that it ran in' },
    line: { type: 'number', nullable: true, description: 'Line number' },
  },
};

export const RUN_FIELDS: Filterable = {
  text: ['branch', 'commit', 'author', 'message'],
  examples: ['status:failed branch:=main', 'author:ada failed:>10', 'started:>-7d duration:>10m', 'r => r.flaky > 0'],
  fields: {
    status: {
      type: 'enum',
      values: ['failed', 'timedout', 'interrupted', 'running', 'passed', 'skipped'],
      description: 'Status',
    },
    branch: { type: 'string', nullable: true, description: 'Branch' },
    commit: { type: 'string', nullable: true, description: 'Commit hash', aliases: ['sha'] },
    author: { type: 'string', nullable: true, description: 'Author of the commit' },
    message: { type: 'string', nullable: true, description: 'First line of the commit message' },
    environment: {
      type: 'string',
      nullable: true,
      description: 'What it ran against, such as staging',
      aliases: ['env'],
    },
    pr: { type: 'number', nullable: true, description: 'Number of the pull request', aliases: ['pullrequest'] },
    base: { type: 'string', nullable: true, description: 'Commit that it is based on', aliases: ['basecommit'] },
    filtered: { type: 'boolean', nullable: true, description: 'Only some of the tests were asked for' },
    started: { type: 'date', description: 'Time the run started', aliases: ['start'] },
    duration: { type: 'duration', nullable: true, description: 'Duration' },
    tests: { type: 'number', description: 'Number of tests' },
    passed: { type: 'number', description: 'Number of passed tests' },
    failed: { type: 'number', description: 'Number of failed tests' },
    skipped: { type: 'number', description: 'Number of skipped tests' },
    flaky: { type: 'number', description: 'Number of flaky tests' },
    avg: { type: 'duration', nullable: true, description: 'Average duration of its tests' },
    p90: { type: 'duration', nullable: true, description: '90th percentile of the durations of its tests' },
  },
};

export const CLUSTER_FIELDS: Filterable = {
  text: ['cause', 'note'],
  examples: ['status:open failures:>10', 'first:>-7d', 'assignee:ada', 'c => c.runs > 20'],
  fields: {
    status: {
      type: 'enum',
      values: ['open', 'returned', 'quiet', 'fixed'],
      description: 'Whether it goes on',
      aliases: ['state'],
    },
    cause: { type: 'string', description: 'What its failures have in common', aliases: ['error'] },
    failures: { type: 'number', description: 'Failed results in stored runs' },
    runs: { type: 'number', description: 'Stored runs that show it' },
    first: { type: 'date', nullable: true, description: 'When it was first seen' },
    last: { type: 'date', nullable: true, description: 'When it was last seen' },
    note: { type: 'string', nullable: true, description: 'What people say of it' },
    assignee: { type: 'string', nullable: true, description: 'Who takes care of it' },
    issue: { type: 'string', nullable: true, description: 'Where it is tracked' },
    snoozed: { type: 'date', nullable: true, description: 'Until when it is snoozed' },
  },
};

export const TEST_FIELDS: Filterable = {
  text: ['title', 'file'],
  examples: ['passrate:<90 runs:>10', 'flakyrate:>5', 'p90:>10s file:checkout', 'lastfailure:>-7d'],
  fields: {
    status: { type: 'enum', values: STATUSES, description: 'Latest status' },
    title: { type: 'string', description: 'Title, including its describe blocks', aliases: ['test'] },
    file: { type: 'string', description: 'Test file' },
    tag: { type: 'strings', description: 'Tag of its latest result', aliases: ['tags'] },
    owner: { type: 'strings', description: 'Owner by CODEOWNERS', aliases: ['owners'] },
    browser: { type: 'string', nullable: true, description: 'Browser or Playwright project' },
    passrate: { type: 'number', nullable: true, description: 'Pass rate in per cent' },
    flakyrate: { type: 'number', nullable: true, description: 'Flaky rate in per cent' },
    avg: { type: 'duration', nullable: true, description: 'Average duration' },
    p90: { type: 'duration', nullable: true, description: '90th percentile of recent durations' },
    total: { type: 'duration', nullable: true, description: 'Time spent on it in all these runs' },
    runs: { type: 'number', description: 'Number of runs' },
    failed: { type: 'number', description: 'Number of failures' },
    lastrun: { type: 'date', description: 'Time of the last run' },
    lastfailure: { type: 'date', nullable: true, description: 'Time of the last failure' },
  },
};

const NONE: readonly string[] = [];

export const resultRow = (testCase: TestCase, isNew: boolean): FilterRow => {
  const { status, title, filePath, error, duration, retries, flaky, tags, owners, browser, shard, line } = testCase;
  return {
    status,
    title,
    file: filePath,
    error,
    duration,
    retries,
    flaky,
    new: isNew,
    tag: tags,
    owner: owners ?? NONE,
    browser,
    shard: shard ?? null,
    line,
  };
};

export const runRow = (run: Run): FilterRow => ({
  status: run.status,
  branch: run.branch,
  commit: run.commit,
  author: run.author,
  message: run.commitMessage,
  environment: run.environment,
  pr: run.pullRequest,
  base: run.baseCommit,
  filtered: run.filtered,
  started: new Date(run.startTime),
  duration: run.duration,
  tests: run.totalTests,
  passed: run.passedTests,
  failed: run.failedTests,
  skipped: run.skippedTests,
  flaky: run.flakyTests,
  avg: run.avgTestDuration,
  p90: run.p90TestDuration,
});

export const clusterRow = (cluster: Cluster): FilterRow => ({
  status: cluster.life.state,
  cause: cluster.cause,
  failures: cluster.failures,
  runs: cluster.runs,
  first: cluster.firstSeen && new Date(cluster.firstSeen.startTime),
  last: cluster.lastSeen && new Date(cluster.lastSeen.startTime),
  note: cluster.note,
  assignee: cluster.assignee,
  issue: cluster.issueUrl,
  snoozed: cluster.snoozedUntil === null ? null : new Date(cluster.snoozedUntil),
});

export const testRow = (test: Test): FilterRow => {
  const { passedRuns, failedRuns, flakyRuns, lastFailure } = test;
  const ran = passedRuns + failedRuns;
  return {
    status: test.lastStatus,
    title: test.title,
    file: test.filePath,
    tag: test.tags ?? NONE,
    owner: test.owners ?? NONE,
    browser: test.browser,
    passrate: ran > 0 ? (passedRuns / ran) * 100 : null,
    flakyrate: ran > 0 ? (flakyRuns / ran) * 100 : null,
    avg: test.avgDuration,
    p90: test.p90Duration ?? null,
    total: test.totalDuration ?? null,
    runs: test.totalRuns,
    failed: failedRuns,
    lastrun: new Date(test.lastRun),
    lastfailure: lastFailure ? new Date(lastFailure.startTime) : null,
  };
};

/** A runner may have statuses of its own: with those that are there, the ones that rows have first. */
export const withStatuses = (fields: Filterable, found: Iterable<string>): Filterable => {
  const status = fields.fields['status']!;
  const values = [...new Set([...found, ...status.values!])];
  return { ...fields, fields: { ...fields.fields, status: { ...status, values } } };
};
