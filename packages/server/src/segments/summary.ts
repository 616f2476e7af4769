import type { RowSpan } from '../turns.ts';
import { type NamedColumns, type Strings, allocateColumns, decodeBlock, encodeBlock, nameColumns } from './block.ts';
import { SUMMARY_COLUMNS, namesOf } from './columns.ts';
import { createDictionary } from './dictionary.ts';
import { type Results, isTimed } from './results.ts';
import { indexAt } from './row-indices.ts';
import { decodeStatus, encodeStatus, statusCodes } from './status-code.ts';
import { type TestRows, rowFor, startTestRows } from './test-rows.ts';

/*
 * A summary holds, for each test that occurs in a span of runs, what the figures of its whole history need. It is a
 * pure function of the segments of those runs; summaries of neighbouring spans merge into the summary of both.
 */

type Figure = Exclude<keyof typeof SUMMARY_COLUMNS, 'testId' | 'lastStatus'>;
const COLUMNS = namesOf(SUMMARY_COLUMNS);
const FIGURES = COLUMNS.filter((name): name is Figure => name !== 'testId' && name !== 'lastStatus');
/** What adds up when spans are merged. */
const SUMS = ['results', 'passed', 'failed', 'skipped', 'flaky', 'timed', 'durationSumMs'] as const;

export interface Summary extends NamedColumns<typeof SUMMARY_COLUMNS> {
  readonly rows: number;
  readonly strings: Strings;
  readonly byteSize: number;
}

/** The figures of one test over some spans; the latest failure is NaN where there is none. */
export interface TestTally extends Record<Figure, number> {
  readonly testId: number;
  readonly lastStatus: string;
}

/** The figures of many tests, one row for each. */
export interface Tally {
  readonly tests: TestRows;
  columns: Record<Figure, Float64Array>;
  readonly lastStatus: string[];
}

export interface TalliedRun {
  readonly runId: number;
  readonly startTime: number;
}

const FIRST_CAPACITY = 256;
const BYTES_PER_TEST = 64;

export const startTally = (): Tally => ({
  tests: startTestRows(),
  columns: allocateColumns(FIGURES, FIRST_CAPACITY),
  lastStatus: [],
});

/** A tally that grows on its own. */
export const copyTally = ({ tests, columns, lastStatus }: Tally): Tally => ({
  tests: { ids: [...tests.ids], rowOf: new Map(tests.rowOf) },
  columns: mapColumns(columns, (values) => values.slice()),
  lastStatus: [...lastStatus],
});

/** What a tally holds in memory. */
export const tallyBytes = ({ columns, lastStatus }: Tally): number =>
  columns.results.byteLength * FIGURES.length + lastStatus.length * BYTES_PER_TEST;

export const tallyAt = ({ tests, columns, lastStatus }: Tally, row: number): TestTally => ({
  testId: tests.ids[row]!,
  results: columns.results[row]!,
  passed: columns.passed[row]!,
  failed: columns.failed[row]!,
  skipped: columns.skipped[row]!,
  flaky: columns.flaky[row]!,
  timed: columns.timed[row]!,
  durationSumMs: columns.durationSumMs[row]!,
  lastStart: columns.lastStart[row]!,
  lastRunId: columns.lastRunId[row]!,
  lastRow: columns.lastRow[row]!,
  failedStart: columns.failedStart[row]!,
  failedRunId: columns.failedRunId[row]!,
  failedIndex: columns.failedIndex[row]!,
  lastStatus: lastStatus[row]!,
});

/** Adds the results of a run, or those in some of its rows. */
export const addRun = (
  tally: Tally,
  { runId, startTime }: TalliedRun,
  results: Results,
  { from, to }: RowSpan = { from: 0, to: results.rows },
): void => {
  const tests = results.testId.values;
  const statuses = results.status.values;
  const durations = results.durationMs.values;
  const retries = results.retries.values;
  let at = -1;
  for (let row = from; row < to; row++) {
    at = rowIn(tally, tests[row]!, at + 1);
    const { columns } = tally;
    const status = statuses[row]!;
    const durationMs = durations[row]!;
    columns.results[at]!++;
    if (status === statusCodes.passed) {
      columns.passed[at]!++;
      if (retries[row]! > 0) columns.flaky[at]!++;
    } else if (status === statusCodes.skipped) columns.skipped[at]!++;
    else if (status <= statusCodes.interrupted) {
      columns.failed[at]!++;
      setIfLatestFailure(tally, at, startTime, runId, indexAt(results, row));
    }
    if (isTimed(status, durationMs)) {
      columns.timed[at]!++;
      columns.durationSumMs[at]! += durationMs;
    }
    if (setIfLatest(tally, at, startTime, runId, row)) tally.lastStatus[at] = decodeStatus(status, results.strings);
  }
};

/** Adds the tests of a summary, or those in some of its rows. */
export const addSummary = (
  tally: Tally,
  summary: Summary,
  { from, to }: RowSpan = { from: 0, to: summary.rows },
): void => {
  const tests = summary.testId.values;
  const rows = new Uint32Array(to - from);
  let at = -1;
  for (let row = from; row < to; row++) {
    at = rowIn(tally, tests[row]!, at + 1);
    rows[row - from] = at;
  }
  for (const name of SUMS) addColumn(tally.columns[name], rows, summary[name].values.subarray(from, to));
  const starts = summary.lastStart.values;
  const runIds = summary.lastRunId.values;
  const lastRows = summary.lastRow.values;
  const statuses = summary.lastStatus.values;
  const failedStarts = summary.failedStart.values;
  const failedRunIds = summary.failedRunId.values;
  const failedIndices = summary.failedIndex.values;
  for (let row = from; row < to; row++) {
    const at = rows[row - from]!;
    if (setIfLatest(tally, at, starts[row]!, runIds[row]!, lastRows[row]!)) {
      tally.lastStatus[at] = decodeStatus(statuses[row]!, summary.strings);
    }
    const failedStart = failedStarts[row]!;
    if (failedStart === failedStart) {
      setIfLatestFailure(tally, at, failedStart, failedRunIds[row]!, failedIndices[row]!);
    }
  }
};

const addColumn = (to: Float64Array, rows: Uint32Array, values: Float64Array): void => {
  for (let row = 0; row < rows.length; row++) to[rows[row]!]! += values[row]!;
};

const rowIn = (tally: Tally, testId: number, expected: number): number => {
  const row = rowFor(tally.tests, testId, expected);
  if (row < tally.lastStatus.length) return row;
  tally.lastStatus.push('');
  if (row === tally.columns.results.length) tally.columns = mapColumns(tally.columns, doubled);
  tally.columns.lastStart[row] = -Infinity;
  tally.columns.failedStart[row] = NaN;
  tally.columns.failedRunId[row] = NaN;
  tally.columns.failedIndex[row] = NaN;
  return row;
};

const doubled = (values: Float64Array): Float64Array => {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
};

const mapColumns = (columns: Tally['columns'], change: (values: Float64Array) => Float64Array): Tally['columns'] =>
  Object.fromEntries(FIGURES.map((name) => [name, change(columns[name])])) as Tally['columns'];

const setIfLatest = ({ columns }: Tally, at: number, start: number, runId: number, row: number): boolean => {
  const { lastStart, lastRunId, lastRow } = columns;
  if (start < lastStart[at]!) return false;
  if (start === lastStart[at] && (runId < lastRunId[at]! || (runId === lastRunId[at] && row < lastRow[at]!)))
    return false;
  lastStart[at] = start;
  lastRunId[at] = runId;
  lastRow[at] = row;
  return true;
};

const setIfLatestFailure = ({ columns }: Tally, at: number, start: number, runId: number, index: number): void => {
  const { failedStart, failedRunId, failedIndex } = columns;
  if (start < failedStart[at]!) return;
  if (
    start === failedStart[at] &&
    (runId < failedRunId[at]! || (runId === failedRunId[at] && index < failedIndex[at]!))
  )
    return;
  failedStart[at] = start;
  failedRunId[at] = runId;
  failedIndex[at] = index;
};

export const encodeSummary = (tally: Tally): Uint8Array => {
  const { ids } = tally.tests;
  const order = ids.map((_, row) => row).sort((a, b) => ids[a]! - ids[b]!);
  const columns = allocateColumns(COLUMNS, order.length);
  for (const name of FIGURES) {
    const from = tally.columns[name];
    const to = columns[name];
    for (let row = 0; row < order.length; row++) to[row] = from[order[row]!]!;
  }
  const dictionary = createDictionary();
  order.forEach((from, row) => {
    columns.testId[row] = ids[from]!;
    columns.lastStatus[row] = encodeStatus(tally.lastStatus[from]!, dictionary);
  });
  return encodeBlock('summary', SUMMARY_COLUMNS, order.length, columns, dictionary.strings);
};

export const decodeSummary = (bytes: Uint8Array): Summary => {
  const block = decodeBlock('summary', bytes);
  const { rows, strings, byteSize } = block;
  return { ...nameColumns(SUMMARY_COLUMNS, block), rows, strings, byteSize };
};

/** The row of a test in a summary, or -1. Rows are in the order of test ids. */
export const findTest = (summary: Summary, testId: number): number => {
  const tests = summary.testId.values;
  let low = 0;
  let high = summary.rows - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = tests[middle]!;
    if (found === testId) return middle;
    if (found < testId) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};
