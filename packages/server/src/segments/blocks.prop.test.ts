import { errorCause, outcomeOf } from '@assay/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockError, encodeBlock, decodeBlock, nameColumns } from './block.ts';
import { type ColumnTable, namesOf } from './columns.ts';
import { decodeDetails, encodeDetails } from './details.ts';
import { type PlacedResults, encodeResults, mergeResults } from './merge-results.ts';
import { type RequestRow, decodeRequests, encodeRequests, requestAt } from './requests.ts';
import { type Result, addOutcome, decodeResults, finishResults, putPlace, resultAt, startResults } from './results.ts';
import { indexAt, indexSpans, nthIndex, placeOfIndex, readRanges, rowAt, writeRanges } from './row-indices.ts';

const NO_ATTEMPTS = { lane: null, failedMs: null, cause: null, notRun: [] };
const text = fc.string({ unit: 'grapheme' });
const number = fc.oneof(
  fc.nat(300),
  fc.nat(),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
);
const outcome = fc.record({
  testId: fc.integer({ min: 1, max: 2 ** 40 }),
  status: fc.oneof(fc.constantFrom('passed', 'failed', 'skipped', 'timedOut', 'interrupted'), text),
  durationMs: fc.option(number),
  retries: fc.nat(),
  line: fc.option(fc.nat(999_999_999)),
  column: fc.option(fc.nat(999_999_999)),
  error: fc.option(fc.oneof(text, fc.constant('\u001b[31mError\u001b[0m: \u0000 💥'))),
  tags: fc.array(text, { maxLength: 3 }),
  startMs: fc.option(fc.integer({ min: 0, max: 2 ** 42 })),
  notRun: fc.array(fc.string(), { maxLength: 4 }),
  lane: fc.option(fc.nat(9_999)),
  failedMs: fc.option(number),
  cause: fc.constant(null),
});
const result: fc.Arbitrary<Result> = outcome.map(withCause);
const request: fc.Arbitrary<RequestRow> = fc.record({
  caseIndex: fc.nat(2 ** 20 - 1),
  method: text,
  route: text,
  status: fc.option(fc.nat(999)),
  durationMs: fc.option(number),
  type: fc.option(text),
});
/** As it is stored: the cause of a failure is that of its error. */
function withCause(one: Result): Result {
  const isFailed = one.error !== null && outcomeOf(one.status) === 'failed';
  return { ...one, cause: isFailed ? errorCause(one.error) || null : null };
}
const encode = (results: readonly Result[]): Uint8Array => {
  const growing = startResults(results.length);
  results.forEach((result, row) => {
    addOutcome(growing, { ...result, failedError: null });
    putPlace(growing, row, result);
  });
  return finishResults(growing);
};

const column = fc.oneof(fc.constant(NaN), fc.nat(), fc.integer(), fc.double(), fc.maxSafeInteger());

const NUMBERS = {
  a: { number: 1, holds: 'number', nullable: true },
  b: { number: 7, holds: 'number', nullable: true },
  c: { number: 60_000, holds: 'number', nullable: true },
} as const satisfies ColumnTable;
const NAMES = namesOf(NUMBERS);

describe('a segment', () => {
  it('gives back exactly the results that were put in', () => {
    fc.assert(
      fc.property(fc.array(result), (results) => {
        const decoded = decodeResults(encode(results));
        expect(Array.from({ length: decoded.rows }, (_, row) => resultAt(decoded, row))).toEqual(results);
      }),
    );
  });

  it('gives back the results of many blocks as one, with their indices, also when it is written again', () => {
    const blocks = fc.array(fc.record({ results: fc.array(result, { minLength: 1, maxLength: 5 }), gap: fc.nat(3) }));
    fc.assert(
      fc.property(blocks, fc.boolean(), (given, backwards) => {
        let next = 0;
        const inOrder = given.map(({ results, gap }): PlacedResults => {
          const index = next + gap;
          next = index + results.length;
          return { shard: 0, ranges: [[index, results.length]], results: decodeResults(encode(results)) };
        });
        const placed = backwards ? inOrder.toReversed() : inOrder;
        const all = (backwards ? given.toReversed() : given).flatMap(({ results }) => results);
        const indices = placed.flatMap(({ ranges }) =>
          ranges.flatMap(([at, count]) => Array.from({ length: count }, (_, n) => at + n)),
        );
        const merged = mergeResults(placed);
        const ranges = readRanges(writeRanges(placed.flatMap((block) => block.ranges)));
        const rewritten = mergeResults([{ shard: 0, ranges, results: decodeResults(encodeResults(merged)) }]);
        for (const results of [merged, rewritten]) {
          expect(Array.from({ length: results.rows }, (_, row) => resultAt(results, row))).toEqual(all);
          expect(indices.map((_, row) => indexAt(results, row))).toEqual(indices);
          expect(indices.map((index) => rowAt(results, index))).toEqual(indices.map((_, row) => row));
          const present = new Set(indices);
          for (let index = 0; index <= next; index++) expect(rowAt(results, index) >= 0).toBe(present.has(index));
          const spans = indexSpans(results, 1, results.rows).flatMap(({ from, to }) =>
            Array.from({ length: to - from }, (_, n) => from + n),
          );
          expect(spans).toEqual(indices.slice(1));
        }
        expect(indices.map((_, nth) => nthIndex(ranges, nth))).toEqual(indices);
        expect(indices.map((index) => placeOfIndex(ranges, index))).toEqual(indices.map((_, nth) => nth));
        expect([nthIndex(ranges, indices.length), placeOfIndex(ranges, next)]).toEqual([null, -1]);
      }),
    );
  });

  it('gives back exactly the requests that were put in', () => {
    fc.assert(
      fc.property(fc.array(request), (requests) => {
        const decoded = decodeRequests(encodeRequests(requests));
        expect(Array.from({ length: decoded.rows }, (_, row) => requestAt(decoded, row))).toEqual(requests);
      }),
    );
  });

  it('keeps every number of every column, whatever the mixture', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(column, column, column)), (rows) => {
        const columns = ['a', 'b', 'c'].map((name, id) => [name, Float64Array.from(rows, (row) => row[id]!)]);
        const bytes = encodeBlock('results', NUMBERS, rows.length, Object.fromEntries(columns), []);
        const block = nameColumns(NUMBERS, decodeBlock('results', bytes));
        rows.forEach((row, at) =>
          row.forEach((value, id) => {
            const column = block[NAMES[id]!];
            expect([column.at(at) + 0, column.values[at]! + 0, column.at(at) + 0]).toEqual(Array(3).fill(value + 0));
          }),
        );
      }),
    );
  });

  it.each([8, 16, 32])(
    'keeps numbers that just fit into %i bits, and those that just do not, with and without nulls',
    (bits) => {
      for (const nulls of [[], [NaN]]) {
        for (const span of [2 ** bits - 2, 2 ** bits - 1, 2 ** bits]) {
          const values = Float64Array.of(5, ...nulls, 5 + span);
          const columns = { a: values, b: values.map((value) => -value), c: values };
          const bytes = encodeBlock('results', NUMBERS, values.length, columns, []);
          const { a, b } = nameColumns(NUMBERS, decodeBlock('results', bytes));
          expect([[...a.values], [...b.values]]).toEqual([[...columns.a], [...columns.b]]);
        }
      }
    },
  );

  it('is read whatever columns it has: those that are not known are skipped, those that it lacks are null', () => {
    const { b: _, ...older } = NUMBERS;
    const newer = { ...NUMBERS, d: { number: 2, holds: 'string' } } as const;
    const allOf = <T extends ColumnTable>(table: T) =>
      Object.fromEntries(namesOf(table).map((name) => [name, Float64Array.of(1, 2)])) as Record<
        keyof T & string,
        Float64Array
      >;
    const read = (table: ColumnTable, bytes: Uint8Array) =>
      Object.entries(nameColumns(table, decodeBlock('results', bytes))).map(([name, { values }]) => [
        name,
        [...values],
      ]);
    const ofOlder = encodeBlock('results', older, 2, allOf(older), []);
    const ofNewer = encodeBlock('results', newer, 2, allOf(newer), ['x', 'y', 'z']);
    expect(read(NUMBERS, ofOlder)).toEqual([
      ['a', [1, 2]],
      ['b', [NaN, NaN]],
      ['c', [1, 2]],
    ]);
    expect(read(NUMBERS, ofNewer)).toEqual([
      ['a', [1, 2]],
      ['b', [1, 2]],
      ['c', [1, 2]],
    ]);
    expect(() => read(newer, ofOlder)).toThrow('The block has no column 2 (d)');
  });

  it('decodes from memory that is not aligned', () => {
    const results = [
      {
        testId: 70_000,
        status: 'passed',
        durationMs: 1.5,
        retries: 0,
        line: 1,
        column: 2,
        error: 'e',
        tags: [],
        startMs: null,
        ...NO_ATTEMPTS,
      },
    ];
    const bytes = encode(results);
    const shifted = new Uint8Array(bytes.byteLength + 3);
    shifted.set(bytes, 3);
    expect(resultAt(decodeResults(shifted.subarray(3)), 0)).toEqual(results[0]);
  });

  it('keeps a thousand plain results in little room', () => {
    const results = Array.from({ length: 1000 }, (_, index) => ({
      testId: 5000 + index,
      status: 'passed',
      durationMs: (index * 7919) % 30_000,
      retries: 0,
      line: 10 + (index % 400),
      column: 5,
      error: null,
      tags: [],
      startMs: null,
      ...NO_ATTEMPTS,
    }));
    expect(encode(results).byteLength).toBeLessThan(8 * 1000);
  });

  it('is refused when its version is unknown, its kind another, or a bit of it turned', () => {
    const bytes = encode([
      {
        testId: 1,
        status: 'failed',
        durationMs: 5,
        retries: 0,
        line: null,
        column: null,
        error: 'boom',
        tags: [],
        startMs: null,
        ...NO_ATTEMPTS,
      },
    ]);
    const newer = bytes.slice();
    newer[4] = 3;
    expect(() => decodeResults(newer)).toThrow('format version 3; this version of Assay reads up to 2');
    expect(() => decodeRequests(bytes)).toThrow(BlockError);
    expect(() => decodeResults(new Uint8Array([1, 2, 3]))).toThrow('This is not a block');
    fc.assert(
      fc.property(fc.nat(bytes.byteLength - 1), fc.nat(7), (at, bit) => {
        const damaged = bytes.slice();
        damaged[at]! ^= 1 << bit;
        expect(() => decodeResults(damaged)).toThrow(BlockError);
      }),
    );
  });
});

describe('details', () => {
  it('come back case by case', () => {
    const texts = fc
      .uniqueArray(fc.nat(5000))
      .map((indexes) => indexes.sort((a, b) => a - b))
      .chain((indexes) =>
        fc.tuple(...indexes.map((caseIndex) => fc.record({ caseIndex: fc.constant(caseIndex), json: fc.json() }))),
      );
    fc.assert(
      fc.property(texts, (entries) => {
        expect(encodeDetails(entries).flatMap(({ data }) => decodeDetails(data))).toEqual(entries);
      }),
    );
  });

  it('are cut into chunks that begin with the case they are named after', () => {
    const entries = Array.from({ length: 100 }, (_, caseIndex) => ({
      caseIndex,
      json: JSON.stringify('x'.repeat(5000)),
    }));
    const chunks = encodeDetails(entries);
    expect(chunks.length).toBeGreaterThan(3);
    for (const { firstCaseIndex, data } of chunks) expect(decodeDetails(data)[0]!.caseIndex).toBe(firstCaseIndex);
  });
});
