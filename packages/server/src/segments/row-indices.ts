/*
 * Rows of results are numbered without gaps; the indices that are part of their ids may have gaps, where a part of the
 * run was replaced, and go back, where parts arrived in another order than that of their shards.
 */

/** Neighbouring rows of one shard with neighbouring indices. */
export interface RowRange {
  readonly row: number;
  readonly index: number;
  readonly count: number;
  readonly shard: number;
}

/** Where a result is in its run: rows are in the order of shards and then of indices, and shift when a part arrives. */
export interface ResultPlace {
  readonly shard: number;
  readonly index: number;
}

/** The same ranges in both orders. */
export interface RowRanges {
  readonly byRow: readonly RowRange[];
  readonly byIndex: readonly RowRange[];
}

/** How rows and indices belong together; null when they are the same. */
export interface IndexedRows {
  readonly ranges: RowRanges | null;
}

export const orderRanges = (byRow: readonly RowRange[]): RowRanges => ({
  byRow,
  byIndex: byRow.toSorted((a, b) => a.index - b.index),
});

export const placeAt = ({ ranges }: IndexedRows, row: number): ResultPlace => {
  if (ranges === null) return { shard: 0, index: row };
  const range = ranges.byRow[lastUpTo(ranges.byRow.length, row, (at) => ranges.byRow[at]!.row)];
  if (!range) throw new RangeError(`There is no row ${row}`);
  return { shard: range.shard, index: range.index + row - range.row };
};

export const indexAt = (rows: IndexedRows, row: number): number =>
  rows.ranges === null ? row : placeAt(rows, row).index;

/** The row of the first result that is not before a place, which need not have a result. */
export const firstRowFrom = (
  { ranges, rows }: IndexedRows & { readonly rows: number },
  { shard, index }: ResultPlace,
): number => {
  if (ranges === null) return shard > 0 ? rows : Math.min(index, rows);
  for (const range of ranges.byRow) {
    if (range.shard > shard) return range.row;
    if (range.shard === shard && index < range.index + range.count) return range.row + Math.max(0, index - range.index);
  }
  return rows;
};

/** The last of some rising numbers that is not above a limit, or -1. */
export const lastUpTo = (count: number, limit: number, numberAt: (at: number) => number): number => {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) <= limit) low = middle + 1;
    else high = middle - 1;
  }
  return high;
};

/** The row of the result with an index, or -1. */
export const rowAt = ({ ranges, rows }: IndexedRows & { readonly rows: number }, index: number): number => {
  if (ranges === null) return index < rows ? index : -1;
  const range = ranges.byIndex[lastUpTo(ranges.byIndex.length, index, (at) => ranges.byIndex[at]!.index)];
  return range && index < range.index + range.count ? range.row + index - range.index : -1;
};

export interface IndexSpan {
  readonly from: number;
  readonly to: number;
}

/** The indices of some rows, as few spans. */
export const indexSpans = ({ ranges }: IndexedRows, from: number, to: number): IndexSpan[] => {
  if (ranges === null) return [{ from, to }];
  const { byRow } = ranges;
  const spans: IndexSpan[] = [];
  const start = lastUpTo(byRow.length, from, (at) => byRow[at]!.row);
  for (const { row, index, count } of byRow.slice(Math.max(start, 0))) {
    if (row >= to) break;
    const first = Math.max(from, row);
    const end = Math.min(to, row + count);
    if (first < end) spans.push({ from: index + first - row, to: index + end - row });
  }
  return spans;
};

/** As a segment keeps them: pairs of first index and count. */
export type StoredRanges = readonly (readonly [index: number, count: number])[];

export const readRanges = (text: string): StoredRanges => JSON.parse(text) as StoredRanges;

export const writeRanges = (ranges: StoredRanges): string => JSON.stringify(joinNeighbours(ranges));

export const joinNeighbours = (ranges: StoredRanges): StoredRanges => {
  const joined: [number, number][] = [];
  for (const [index, count] of ranges) {
    const last = joined.at(-1);
    if (last && last[0] + last[1] === index) last[1] += count;
    else joined.push([index, count]);
  }
  return joined;
};

/** The ranges of blocks, one after the other, with the rows that they have then. */
export const layRanges = (blocks: readonly { readonly ranges: StoredRanges; readonly shard: number }[]): RowRange[] => {
  let row = 0;
  const parts = Map.groupBy(blocks, ({ shard }) => shard);
  return [...parts].flatMap(([shard, ofShard]) =>
    joinNeighbours(ofShard.flatMap(({ ranges }) => ranges)).map(([index, count]) => {
      const range = { row, index, count, shard };
      row += count;
      return range;
    }),
  );
};

/** The index of the n-th result of a part, or null. */
export const nthIndex = (ranges: StoredRanges, nth: number): number | null => {
  let left = nth;
  for (const [index, count] of ranges) {
    if (left < count) return index + left;
    left -= count;
  }
  return null;
};

/** Which result of a part has an index, counted from 0; -1 when none has. */
export const placeOfIndex = (ranges: StoredRanges, index: number): number => {
  let before = 0;
  for (const [first, count] of ranges) {
    if (index >= first && index < first + count) return before + index - first;
    before += count;
  }
  return -1;
};
