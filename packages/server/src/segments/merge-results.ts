import { type Column, type Strings, allocateColumns, encodeBlock } from './block.ts';
import { RESULT_COLUMNS } from './columns.ts';
import { createDictionary } from './dictionary.ts';
import { RESULT_NAMES, type ResultColumn, type Results, statusOf } from './results.ts';
import { type StoredRanges, lastUpTo, layRanges, orderRanges } from './row-indices.ts';
import { encodeStatus, shiftStatus } from './status-code.ts';

/** A block of a run, and which indices its rows have. */
export interface PlacedResults {
  readonly shard: number;
  readonly ranges: StoredRanges;
  readonly results: Results;
}

/** Several blocks as one: what scans see of a run whose results are in many. */
export const mergeResults = (blocks: readonly PlacedResults[]): Results => {
  const rows = blocks.reduce((sum, { results }) => sum + results.rows, 0);
  const firstStrings: number[] = [];
  let strings = 0;
  for (const { results } of blocks) {
    firstStrings.push(strings);
    strings += results.strings.count;
  }
  const columns = Object.fromEntries(
    RESULT_NAMES.map((name) => [name, mergedColumn(name, rows, blocks, firstStrings)]),
  ) as Record<ResultColumn, Column>;
  return {
    ...columns,
    rows,
    strings: mergedStrings(strings, blocks, firstStrings),
    // Blocks whose columns are merged keep none of their own, but the bytes that they were read from.
    byteSize: blocks.reduce((sum, { results }) => sum + results.byteSize, 0),
    ranges: orderRanges(layRanges(blocks)),
  };
};

const mergedColumn = (
  name: ResultColumn,
  rows: number,
  blocks: readonly PlacedResults[],
  firstStrings: readonly number[],
): Column => {
  let values: Float64Array | null = null;
  const merge = (): Float64Array => {
    const merged = new Float64Array(rows);
    let row = 0;
    for (const [place, { results }] of blocks.entries()) {
      const shift = shiftOf(name, firstStrings[place]!);
      const end = row + results.rows;
      results[name].writeTo(merged, row);
      if (shift !== null) for (let at = row; at < end; at++) merged[at] = shift(merged[at]!);
      row = end;
    }
    return merged;
  };
  return {
    get values() {
      return (values ??= merge());
    },
    at(row) {
      return this.values[row]!;
    },
    packed() {
      return this.values;
    },
    writeTo(target, at) {
      target.set(this.values, at);
    },
  };
};

/** What becomes of a value when the strings of its block begin later. */
const shiftOf = (name: ResultColumn, firstString: number): ((value: number) => number) | null => {
  if (firstString === 0) return null;
  const { holds } = RESULT_COLUMNS[name];
  if (holds === 'status') return (code) => shiftStatus(code, firstString);
  return holds === 'number' ? null : (place) => place + firstString;
};

const mergedStrings = (count: number, blocks: readonly PlacedResults[], firstStrings: readonly number[]): Strings => ({
  count,
  at(index) {
    const place = lastUpTo(firstStrings.length, index, (at) => firstStrings[at]!);
    return blocks[place]!.results.strings.at(index - firstStrings[place]!);
  },
  async prepare() {
    for (const { results } of blocks) await results.strings.prepare();
  },
});

/** Writes results that were decoded as one block again. */
export const encodeResults = (results: Results): Uint8Array => {
  const dictionary = createDictionary();
  /** A value that points into the strings of the block that is written. */
  const replaced = (holds: 'string' | 'list' | 'status', value: number): number => {
    if (Number.isNaN(value)) return NaN;
    if (holds === 'status') return encodeStatus(statusOf(results, value), dictionary);
    return dictionary.indexOf(results.strings.at(value));
  };
  const columns = allocateColumns(RESULT_NAMES, results.rows);
  for (const name of RESULT_NAMES) {
    const { holds } = RESULT_COLUMNS[name];
    const { values } = results[name];
    if (holds === 'number') columns[name].set(values);
    else for (let row = 0; row < values.length; row++) columns[name][row] = replaced(holds, values[row]!);
  }
  return encodeBlock('results', RESULT_COLUMNS, results.rows, columns, dictionary.strings);
};

const columnOf = (values: Float64Array): Column => ({
  values,
  at: (row) => values[row]!,
  packed: () => values,
  writeTo: (target, at) => target.set(values, at),
});

/** Some rows of a block as a block of its own. */
export const selectRows = (results: Results, rows: readonly number[]): Results => {
  const columns = Object.fromEntries(
    RESULT_NAMES.map((name) => {
      const values = Float64Array.from(rows, (row) => results[name].values[row]!);
      return [name, columnOf(values)];
    }),
  ) as Record<ResultColumn, Column>;
  return { ...results, ...columns, rows: rows.length, ranges: null };
};

/** The same results, where some rows have other causes. */
export const withCauses = (results: Results, causes: ReadonlyMap<number, string>): Results => {
  const { count } = results.strings;
  const added = createDictionary();
  const values = results.cause.values.slice();
  for (const [row, cause] of causes) values[row] = cause === '' ? NaN : count + added.indexOf(cause);
  return {
    ...results,
    cause: columnOf(values),
    strings: {
      count: count + added.strings.length,
      at: (index) => (index < count ? results.strings.at(index) : added.strings[index - count]!),
      prepare: () => results.strings.prepare(),
    },
  };
};

export const NO_RESULTS: Results = mergeResults([]);
