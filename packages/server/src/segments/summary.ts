import { type Column, type Strings, allocateColumns, decodeBlock, encodeBlock, nameColumns } from './block.ts';
import { createDictionary } from './dictionary.ts';
import type { Results } from './results.ts';
import { decodeStatus, encodeStatus, statusCodes } from './status-code.ts';

/*
 * A summary holds, for each test that occurs in a span of runs, what the figures of its whole history need. It is a
 * pure function of the segments of those runs; summaries of neighbouring spans merge into the summary of both.
 */

const NUMBERS = [
  'testId',
  'results',
  'passed',
  'failed',
  'skipped',
  'flaky',
  'timed',
  'durationSumMs',
  'lastStart',
  'lastRunId',
  'lastRow',
] as const;
const COLUMNS = [...NUMBERS, 'lastStatus'] as const;
/** What adds up when spans are merged. */
const SUMS = ['results', 'passed', 'failed', 'skipped', 'flaky', 'timed', 'durationSumMs'] as const;

export interface Summary extends Record<(typeof COLUMNS)[number], Column> {
  readonly rows: number;
  readonly strings: Strings;
  readonly byteSize: number;
}

/** The figures of one test over some spans. */
export interface TestTally extends Record<(typeof NUMBERS)[number], number> {
  readonly lastStatus: string;
}

/** The figures of many tests, in the order in which they were first seen. */
export interface Tally {
  readonly rowOf: Map<number, number>;
  columns: Record<(typeof NUMBERS)[number], Float64Array>;
  readonly lastStatus: string[];
}

export interface TalliedRun {
  readonly runId: number;
  readonly startTime: number;
}

const FIRST_CAPACITY = 256;

export const startTally = (): Tally => ({
  rowOf: new Map(),
  columns: allocateColumns(NUMBERS, FIRST_CAPACITY),
  lastStatus: [],
});

export const tallyAt = ({ columns, lastStatus }: Tally, row: number): TestTally => ({
  testId: columns.testId[row]!,
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
  lastStatus: lastStatus[row]!,
});

export const addRun = (tally: Tally, { runId, startTime }: TalliedRun, results: Results): void => {
  const tests = results.testId.values;
  const statuses = results.status.values;
  const durations = results.durationMs.values;
  const retries = results.retries.values;
  let at = -1;
  for (let row = 0; row < results.rows; row++) {
    at = rowFor(tally, tests[row]!, at + 1);
    const { columns } = tally;
    const status = statuses[row]!;
    const durationMs = durations[row]!;
    columns.results[at]!++;
    if (status === statusCodes.passed) {
      columns.passed[at]!++;
      if (retries[row]! > 0) columns.flaky[at]!++;
    } else if (status === statusCodes.skipped) columns.skipped[at]!++;
    else if (status <= statusCodes.interrupted) columns.failed[at]!++;
    if (durationMs === durationMs) {
      columns.timed[at]!++;
      columns.durationSumMs[at]! += durationMs;
    }
    if (setIfLatest(tally, at, startTime, runId, row)) tally.lastStatus[at] = decodeStatus(status, results.strings);
  }
};

export const addSummary = (tally: Tally, summary: Summary): void => {
  const tests = summary.testId.values;
  const rows = new Uint32Array(summary.rows);
  let at = -1;
  for (let row = 0; row < summary.rows; row++) {
    at = rowFor(tally, tests[row]!, at + 1);
    rows[row] = at;
  }
  for (const name of SUMS) addColumn(tally.columns[name], rows, summary[name].values);
  const starts = summary.lastStart.values;
  const runIds = summary.lastRunId.values;
  const lastRows = summary.lastRow.values;
  const statuses = summary.lastStatus.values;
  for (let row = 0; row < summary.rows; row++) {
    if (setIfLatest(tally, rows[row]!, starts[row]!, runIds[row]!, lastRows[row]!)) {
      tally.lastStatus[rows[row]!] = decodeStatus(statuses[row]!, summary.strings);
    }
  }
};

const addColumn = (to: Float64Array, rows: Uint32Array, values: Float64Array): void => {
  for (let row = 0; row < rows.length; row++) to[rows[row]!]! += values[row]!;
};

/** The row of a test. Runs and summaries list tests in much the same order, so it is mostly where it is expected. */
const rowFor = (tally: Tally, testId: number, expected: number): number => {
  const { rowOf, lastStatus } = tally;
  if (expected < lastStatus.length && tally.columns.testId[expected] === testId) return expected;
  const known = rowOf.get(testId);
  if (known !== undefined) return known;
  const row = lastStatus.push('') - 1;
  rowOf.set(testId, row);
  if (row === tally.columns.testId.length) tally.columns = grown(tally.columns);
  tally.columns.testId[row] = testId;
  tally.columns.lastStart[row] = -Infinity;
  return row;
};

const grown = (columns: Tally['columns']): Tally['columns'] => {
  const larger = allocateColumns(NUMBERS, columns.testId.length * 2);
  for (const name of NUMBERS) larger[name].set(columns[name]);
  return larger;
};

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

export const encodeSummary = (tally: Tally): Uint8Array => {
  const order = [...tally.rowOf].sort(([a], [b]) => a - b).map(([, row]) => row);
  const columns = allocateColumns(COLUMNS, order.length);
  for (const name of NUMBERS) {
    const from = tally.columns[name];
    const to = columns[name];
    for (let row = 0; row < order.length; row++) to[row] = from[order[row]!]!;
  }
  const dictionary = createDictionary();
  order.forEach((from, row) => {
    columns.lastStatus[row] = encodeStatus(tally.lastStatus[from]!, dictionary);
  });
  return encodeBlock('summary', order.length, Object.values(columns), dictionary.strings);
};

export const decodeSummary = (bytes: Uint8Array): Summary => {
  const block = decodeBlock('summary', bytes);
  const { rows, strings, byteSize } = block;
  return { ...nameColumns(COLUMNS, block), rows, strings, byteSize };
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
