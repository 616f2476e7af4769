import { ROWS_PER_PIECE, type Turn } from '../turns.ts';
import { type Column, type Strings, allocateColumns, decodeBlock, encodeBlock, nameColumns } from './block.ts';
import { type Dictionary, createDictionary } from './dictionary.ts';
import type { IndexedRows } from './row-indices.ts';
import { decodeStatus, encodeStatus } from './status-code.ts';

/** One result of a run, as its segment keeps it. */
export interface Result {
  readonly testId: number;
  readonly status: string;
  readonly durationMs: number | null;
  readonly retries: number;
  readonly line: number | null;
  readonly column: number | null;
  readonly error: string | null;
  readonly tags: readonly string[];
}

export const RESULT_COLUMNS = ['testId', 'status', 'durationMs', 'retries', 'line', 'column', 'error', 'tags'] as const;

export const SCANNED_COLUMNS = ['testId', 'status', 'durationMs', 'retries'] as const;

/** Asks for columns before they are needed, with a turn between them. */
export const widen = async (
  results: Results,
  names: readonly (typeof RESULT_COLUMNS)[number][],
  turn: Turn,
): Promise<void> => {
  for (const name of names) {
    if (results[name].values.length > ROWS_PER_PIECE) await turn();
  }
};

/** A decoded segment: columns to scan, and strings that are unpacked when first asked for. */
export interface Results extends Record<(typeof RESULT_COLUMNS)[number], Column>, IndexedRows {
  readonly rows: number;
  readonly strings: Strings;
  readonly byteSize: number;
}

/** A segment that is being filled: what a case says of itself, and where its test was found. */
export interface GrowingResults {
  rows: number;
  columns: Record<(typeof RESULT_COLUMNS)[number], Float64Array>;
  readonly dictionary: Dictionary;
  readonly tagsIndex: (tags: readonly string[]) => number;
}

export const startResults = (expectedRows: number): GrowingResults => {
  const dictionary = createDictionary();
  const columns = allocateColumns(RESULT_COLUMNS, expectedRows);
  return { rows: 0, columns, dictionary, tagsIndex: createTagsIndex(dictionary) };
};

/** Adds a result whose test is not known yet. */
export const addOutcome = (
  results: GrowingResults,
  { status, durationMs, retries, error, tags }: Pick<Result, 'status' | 'durationMs' | 'retries' | 'error' | 'tags'>,
): void => {
  const { dictionary, tagsIndex } = results;
  const row = results.rows++;
  if (row === results.columns.testId.length) makeRoom(results);
  const { columns } = results;
  columns.status[row] = encodeStatus(status, dictionary);
  columns.durationMs[row] = durationMs ?? NaN;
  columns.retries[row] = retries;
  columns.error[row] = error === null ? NaN : dictionary.indexOf(error);
  columns.tags[row] = tagsIndex(tags);
};

const makeRoom = (results: GrowingResults): void => {
  const wider = allocateColumns(RESULT_COLUMNS, 2 * results.rows);
  for (const name of RESULT_COLUMNS) wider[name].set(results.columns[name]);
  results.columns = wider;
};

export const putPlace = (
  { columns }: GrowingResults,
  row: number,
  { testId, line, column }: Pick<Result, 'testId' | 'line' | 'column'>,
): void => {
  columns.testId[row] = testId;
  columns.line[row] = line ?? NaN;
  columns.column[row] = column ?? NaN;
};

export const finishResults = ({ rows, columns, dictionary }: GrowingResults): Uint8Array =>
  encodeBlock(
    'results',
    rows,
    RESULT_COLUMNS.map((name) => columns[name].subarray(0, rows)),
    dictionary.strings,
  );

/** Lists of tags are kept as JSON. Most have one tag, and one of few: those are written once. */
const createTagsIndex = (dictionary: Dictionary): ((tags: readonly string[]) => number) => {
  const single = new Map<string, number>();
  return (tags) => {
    if (tags.length === 0) return NaN;
    const known = tags.length === 1 ? single.get(tags[0]!) : undefined;
    if (known !== undefined) return known;
    const index = dictionary.indexOf(JSON.stringify(tags));
    if (tags.length === 1) single.set(tags[0]!, index);
    return index;
  };
};

export const decodeResults = (bytes: Uint8Array): Results => {
  const block = decodeBlock('results', bytes);
  const { rows, strings, byteSize } = block;
  return { ...nameColumns(RESULT_COLUMNS, block), rows, strings, byteSize, ranges: null };
};

export const resultAt = (results: Results, row: number): Result => {
  const error = results.error.values[row]!;
  const tags = results.tags.values[row]!;
  return {
    testId: results.testId.values[row]!,
    status: statusAt(results, row),
    durationMs: nullIfNaN(results.durationMs.values[row]!),
    retries: results.retries.values[row]!,
    line: nullIfNaN(results.line.values[row]!),
    column: nullIfNaN(results.column.values[row]!),
    error: Number.isNaN(error) ? null : results.strings.at(error),
    tags: Number.isNaN(tags) ? [] : (JSON.parse(results.strings.at(tags)) as string[]),
  };
};

export const statusAt = (results: Results, row: number): string => statusOf(results, results.status.values[row]!);

/** The status that a code in the column stands for. */
export const statusOf = ({ strings }: Results, code: number): string => decodeStatus(code, strings);

const nullIfNaN = (value: number): number | null => (Number.isNaN(value) ? null : value);
