import type { Test } from '@assay/contract';
import type { Catalogue } from '@assay/expression';
import { countValues, type LoadedValues } from '../filter/completions.ts';
import type { FilterRow } from '../filter/read-filter.ts';

/** A test with its figures and its fields under the names of the catalogue. */
export interface TestEntry {
  readonly test: Test;
  /** Shares of 0 to 1 of the runs in which it passed or failed; null when there was none. */
  readonly passRate: number | null;
  readonly flakyRate: number | null;
  readonly row: FilterRow;
}

const KNOWN_STATUSES = ['failed', 'timedOut', 'interrupted', 'passed', 'skipped'];

export const entriesOf = (tests: readonly Test[]): TestEntry[] =>
  tests.map((test) => {
    const { passedRuns, failedRuns, flakyRuns, lastFailure } = test;
    const ran = passedRuns + failedRuns;
    const passRate = ran > 0 ? passedRuns / ran : null;
    const flakyRate = ran > 0 ? flakyRuns / ran : null;
    const row = {
      title: test.title,
      file: test.filePath,
      browser: test.browser,
      passrate: passRate === null ? null : passRate * 100,
      flakyrate: flakyRate === null ? null : flakyRate * 100,
      avg: test.avgDuration,
      p90: test.p90Duration ?? null,
      total: test.totalDuration ?? null,
      runs: test.totalRuns,
      failed: failedRuns,
      lastrun: new Date(test.lastRun),
      lastfailure: lastFailure ? new Date(lastFailure.startTime) : null,
      status: test.lastStatus,
      text: `${test.title}\n${test.filePath}`.toLowerCase(),
    };
    return { test, passRate, flakyRate, row };
  });

/** Filters that are offered where none is written. */
export const TEST_EXAMPLES = ['passrate:<90 runs:>10', 'flakyrate:>5', 'p90:>10s file:checkout', 'lastfailure:>-7d'];

/** What can be asked of the tests of a project. */
export const testCatalogue = (tests: readonly Test[]): Catalogue => {
  const statuses = countValues(tests.map(({ lastStatus }) => lastStatus)).map(([status]) => status);
  return {
    text: ['text'],
    fields: {
      status: {
        type: 'enum',
        values: [...new Set([...statuses, ...KNOWN_STATUSES])],
        description: 'Latest status',
      },
      title: { type: 'string', description: 'Title, including its describe blocks', aliases: ['test'] },
      file: { type: 'string', description: 'Test file' },
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
      text: { type: 'string', description: 'Title and file, which plain words search' },
    },
  };
};

export const testValues = (tests: readonly Test[]): LoadedValues =>
  new Map([
    ['status', countValues(tests.map(({ lastStatus }) => lastStatus))],
    ['file', countValues(tests.map(({ filePath }) => filePath))],
    ['browser', countValues(tests.map(({ browser }) => browser))],
  ]);
