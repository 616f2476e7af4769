import { errorCause } from '@assay/contract';
import { ROWS_PER_PIECE, type Turn } from '../turns.ts';
import { type NamedColumns, type Strings, allocateColumns, decodeBlock, encodeBlock, nameColumns } from './block.ts';
import { RESULT_COLUMNS, type RowOf, namesOf } from './columns.ts';
import { type Dictionary, createDictionary } from './dictionary.ts';
import { weightOf, weights } from './letters.ts';
import type { IndexedRows } from './row-indices.ts';
import { decodeStatus, encodeStatus, statusCodes } from './status-code.ts';

export type ResultColumn = keyof typeof RESULT_COLUMNS;

/** One result of a run, as its segment keeps it. */
export type Result = RowOf<typeof RESULT_COLUMNS>;

/** What the row of a test says, and not the case itself. */
type Place = Pick<Result, 'testId' | 'line' | 'column'>;

export const RESULT_NAMES = namesOf(RESULT_COLUMNS);

export const SCANNED_COLUMNS = ['testId', 'status', 'durationMs', 'retries'] as const;

/** Asks for columns, and for the strings they point at, before they are needed, with a turn between them. */
export const widen = async (results: Results, names: readonly ResultColumn[], turn: Turn): Promise<void> => {
  // A status is hardly ever a string.
  if (names.some((name) => ['string', 'list'].includes(RESULT_COLUMNS[name].holds))) await results.strings.prepare();
  for (const name of names) {
    if (results[name].values.length > ROWS_PER_PIECE) await turn();
  }
};

/** A decoded segment: columns to scan, and strings that are unpacked when first asked for. */
export interface Results extends NamedColumns<typeof RESULT_COLUMNS>, IndexedRows {
  readonly rows: number;
  readonly strings: Strings;
  readonly byteSize: number;
}

/** A segment that is being filled: what a case says of itself, and where its test was found. */
export interface GrowingResults {
  rows: number;
  columns: Record<ResultColumn, Float64Array>;
  readonly dictionary: Dictionary;
  readonly listIndex: (list: readonly string[]) => number;
  readonly causeIndex: (error: string) => number;
}

export const startResults = (expectedRows: number): GrowingResults => {
  const dictionary = createDictionary();
  return {
    rows: 0,
    columns: allocateColumns(RESULT_NAMES, expectedRows),
    dictionary,
    listIndex: createListIndex(dictionary),
    causeIndex: createCauseIndex(dictionary),
  };
};

interface Outcome extends Omit<Result, keyof Place | 'cause'> {
  /** Of its last attempt that failed, where that is not the error of the result. */
  readonly failedError: string | null;
}

/** Adds a result whose test is not known yet. */
export const addOutcome = (results: GrowingResults, outcome: Outcome): void => {
  const row = results.rows++;
  if (row === results.columns.testId.length) makeRoom(results);
  putOutcome(results, row, outcome);
};

/** One line for each column: a loop over their names takes three times as long. */
export const putOutcome = (
  { columns, dictionary, listIndex, causeIndex }: GrowingResults,
  row: number,
  outcome: Outcome,
): void => {
  const status = encodeStatus(outcome.status, dictionary);
  columns.status[row] = status;
  columns.durationMs[row] = outcome.durationMs ?? NaN;
  columns.retries[row] = outcome.retries;
  columns.error[row] = outcome.error === null ? NaN : dictionary.indexOf(outcome.error);
  columns.tags[row] = listIndex(outcome.tags);
  columns.notRun[row] = listIndex(outcome.notRun);
  columns.startMs[row] = outcome.startMs ?? NaN;
  columns.lane[row] = outcome.lane ?? NaN;
  columns.failedMs[row] = outcome.failedMs ?? NaN;
  const isFailed = outcome.error !== null && weightOf(status, 0) === weights.failed;
  const failedError = isFailed ? outcome.error : outcome.failedError;
  columns.cause[row] = failedError === null ? NaN : causeIndex(failedError);
};

/** What attempts say of their result that were sent apart from it. */
export const putAttemptFacts = (
  { columns, causeIndex }: GrowingResults,
  row: number,
  { failedMs, failedError }: Pick<Outcome, 'failedMs' | 'failedError'>,
): void => {
  columns.failedMs[row] = failedMs ?? NaN;
  if (failedError !== null) columns.cause[row] = causeIndex(failedError);
};

const makeRoom = (results: GrowingResults): void => {
  const wider = allocateColumns(RESULT_NAMES, 2 * results.rows);
  for (const name of RESULT_NAMES) wider[name].set(results.columns[name]);
  results.columns = wider;
};

export const putPlace = ({ columns }: GrowingResults, row: number, { testId, line, column }: Place): void => {
  columns.testId[row] = testId;
  columns.line[row] = line ?? NaN;
  columns.column[row] = column ?? NaN;
};

export const finishResults = ({ rows, columns, dictionary }: GrowingResults): Uint8Array =>
  encodeBlock('results', RESULT_COLUMNS, rows, columns, dictionary.strings);

/** More are left to those who read them: finding a cause takes longer than storing a result. */
const MOST_CAUSES = 1_000;

const createCauseIndex = (dictionary: Dictionary): ((error: string) => number) => {
  const known = new Map<string, number>();
  return (error) => {
    let index = known.get(error);
    if (index === undefined && known.size < MOST_CAUSES) {
      const cause = errorCause(error);
      index = cause === '' ? NaN : dictionary.indexOf(cause);
      known.set(error, index);
    }
    return index ?? NaN;
  };
};

/** Lists are kept as JSON. Most have one entry, and one of few: those are written once. */
const createListIndex = (dictionary: Dictionary): ((list: readonly string[]) => number) => {
  const single = new Map<string, number>();
  return (list) => {
    if (list.length === 0) return NaN;
    const known = list.length === 1 ? single.get(list[0]!) : undefined;
    if (known !== undefined) return known;
    const index = dictionary.indexOf(JSON.stringify(list));
    if (list.length === 1) single.set(list[0]!, index);
    return index;
  };
};

export const decodeResults = (bytes: Uint8Array): Results => {
  const block = decodeBlock('results', bytes);
  const { rows, strings, byteSize } = block;
  return { ...nameColumns(RESULT_COLUMNS, block), rows, strings, byteSize, ranges: null };
};

export const resultAt = (results: Results, row: number): Result => {
  const values: Record<string, unknown> = {};
  for (const name of RESULT_NAMES) values[name] = readValue(results, name, results[name].values[row]!);
  return values as Result;
};

const readValue = ({ strings }: Results, name: ResultColumn, value: number): unknown => {
  const { holds } = RESULT_COLUMNS[name];
  if (Number.isNaN(value)) return holds === 'list' ? [] : null;
  switch (holds) {
    case 'number':
      return value;
    case 'string':
      return strings.at(value);
    case 'status':
      return decodeStatus(value, strings);
    case 'list':
      return JSON.parse(strings.at(value));
  }
};

/** Whether a result counts in figures of durations: what was skipped did not run, whatever duration was sent. */
export const isTimed = (status: number, durationMs: number): boolean =>
  durationMs === durationMs && status !== statusCodes.skipped;

export const timedDurations = (
  rows: number,
  columns: { readonly status: ArrayLike<number>; readonly durationMs: ArrayLike<number> },
): number[] => {
  const durations: number[] = [];
  for (let row = 0; row < rows; row++) {
    const durationMs = columns.durationMs[row]!;
    if (isTimed(columns.status[row]!, durationMs)) durations.push(durationMs);
  }
  return durations;
};

/** The status that a code in the column stands for. */
export const statusOf = ({ strings }: Results, code: number): string => decodeStatus(code, strings);
