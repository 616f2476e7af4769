import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type ResultPlace,
  type StoredRanges,
  firstRowFrom,
  indexAt,
  indexSpans,
  joinNeighbours,
  layRanges,
  nthIndex,
  orderRanges,
  placeAt,
  placeOfIndex,
  readRanges,
  rowAt,
  writeRanges,
} from './row-indices.ts';

/** Blocks of a run whose parts came in any order, with gaps where others were replaced; shards rise, and indices within one. */
const blocksOfRun = fc
  .array(fc.record({ gap: fc.nat(2), count: fc.integer({ min: 1, max: 4 }), shard: fc.nat(3) }), { maxLength: 8 })
  .map((arrived) => {
    let next = 0;
    const blocks = arrived.map(({ gap, count, shard }) => {
      const index = next + gap;
      next = index + count;
      return { shard, ranges: [[index, count]] as StoredRanges };
    });
    return blocks.sort((a, b) => a.shard - b.shard);
  });

const placesOf = (blocks: readonly { readonly shard: number; readonly ranges: StoredRanges }[]): ResultPlace[] =>
  blocks.flatMap(({ shard, ranges }) => indicesOf(ranges).map((index) => ({ shard, index })));

const indicesOf = (ranges: StoredRanges): number[] =>
  ranges.flatMap(([index, count]) => Array.from({ length: count }, (_, nth) => index + nth));

it('rows, places and indices of a run in parts lead to each other', () => {
  fc.assert(
    fc.property(blocksOfRun, (blocks) => {
      const places = placesOf(blocks);
      const rows = { rows: places.length, ranges: orderRanges(layRanges(blocks)) };
      expect(places.map((_, row) => placeAt(rows, row))).toEqual(places);
      expect(places.map((_, row) => indexAt(rows, row))).toEqual(places.map(({ index }) => index));
      for (let index = 0; index < 50; index++) {
        const row = places.findIndex((place) => place.index === index);
        expect(rowAt(rows, index)).toBe(row);
        for (let shard = 0; shard <= 4; shard++) {
          const after = places.findIndex(
            (place) => place.shard > shard || (place.shard === shard && place.index >= index),
          );
          expect(firstRowFrom(rows, { shard, index })).toBe(after < 0 ? places.length : after);
        }
      }
    }),
  );
});

it('the spans of some rows are their indices, joined where they are neighbours', () => {
  fc.assert(
    fc.property(blocksOfRun, fc.nat(20), fc.nat(20), (blocks, from, length) => {
      const places = placesOf(blocks);
      const ranges = orderRanges(layRanges(blocks));
      const spans = indexSpans({ ranges }, from, from + length);
      const indices = spans.flatMap((span) => indicesOf([[span.from, span.to - span.from]]));
      expect(indices).toEqual(places.slice(from, from + length).map(({ index }) => index));
      expect(spans.every((span) => span.from < span.to)).toBe(true);
      const joined = joinNeighbours(spans.map((span) => [span.from, span.to - span.from]));
      // Neighbours in two shards stay apart.
      expect(spans.length - joined.length).toBeLessThanOrEqual(4);
    }),
  );
});

it('rows of a run that came whole are its indices', () => {
  const whole = { rows: 3, ranges: null };
  expect(placeAt(whole, 2)).toEqual({ shard: 0, index: 2 });
  expect([indexAt(whole, 2), rowAt(whole, 2), rowAt(whole, 3)]).toEqual([2, 2, -1]);
  expect(indexSpans(whole, 1, 3)).toEqual([{ from: 1, to: 3 }]);
  const firstRows = [0, 2, 3, 4].map((index) => firstRowFrom(whole, { shard: 0, index }));
  expect(firstRows).toEqual([0, 2, 3, 3]);
  expect(firstRowFrom(whole, { shard: 1, index: 0 })).toBe(3);
});

it('ranges are kept as few as they can be, and say which result has which index', () => {
  fc.assert(
    fc.property(blocksOfRun, (blocks) => {
      const ranges = blocks.flatMap((block) => block.ranges);
      const indices = indicesOf(ranges);
      const kept = readRanges(writeRanges(ranges));
      expect(indicesOf(kept)).toEqual(indices);
      const ends = kept.map(([index, count]) => index + count);
      expect(kept.slice(1).some(([index], nth) => index === ends[nth])).toBe(false);
      const nths = Array.from({ length: indices.length + 2 }, (_, nth) => nthIndex(kept, nth));
      expect(nths).toEqual([...indices, null, null]);
      for (let index = 0; index < 50; index++) expect(placeOfIndex(kept, index)).toBe(indices.indexOf(index));
    }),
  );
});

it('a row that is not there has no place', () => {
  const ranges = orderRanges(layRanges([]));
  expect(() => placeAt({ ranges }, 0)).toThrow(RangeError);
});
