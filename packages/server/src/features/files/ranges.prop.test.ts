import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multipartRanges, parseRanges } from './ranges.ts';

describe('a Range header', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['items=0-1', null],
    ['bytes=', null],
    ['bytes=-', null],
    ['bytes=a-b', null],
    ['bytes=5-4', null],
    ['bytes=0-1,x', null],
    ['bytes=0-', [{ start: 0, end: 9 }]],
    ['bytes=3-', [{ start: 3, end: 9 }]],
    ['bytes=-3', [{ start: 7, end: 9 }]],
    ['bytes=-30', [{ start: 0, end: 9 }]],
    ['bytes=2-5', [{ start: 2, end: 5 }]],
    ['bytes=2-500', [{ start: 2, end: 9 }]],
    ['BYTES=0-0', [{ start: 0, end: 0 }]],
    [
      'bytes=0-0, 9-',
      [
        { start: 0, end: 0 },
        { start: 9, end: 9 },
      ],
    ],
    ['bytes=10-', []],
    ['bytes=-0', []],
    ['bytes=0-1,20-30', [{ start: 0, end: 1 }]],
    ['bytes=0-9,0-9', null],
    [
      'bytes=6-7,0-1,2-3,3-4',
      [
        { start: 0, end: 4 },
        { start: 6, end: 7 },
      ],
    ],
    ['bytes=99999999999999999999-', []],
  ])('%s of ten bytes', (header, ranges) => {
    expect(parseRanges(header, 10)).toEqual(ranges);
  });

  it('of an empty content is never satisfied', () => {
    expect(parseRanges('bytes=0-', 0)).toEqual([]);
    expect(parseRanges('bytes=-5', 0)).toEqual([]);
  });

  it('names parts that are inside of the content, whatever it says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^bytes=[\d,-]{0,20}$/)), fc.nat(50), (header, size) => {
        for (const { start, end } of parseRanges(header, size) ?? []) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(start).toBeLessThanOrEqual(end);
          expect(end).toBeLessThan(size);
        }
      }),
    );
  });
});

it('several parts have the length they say, and each its own bytes', async () => {
  const content = Buffer.from('0123456789');
  const range = fc.tuple(fc.nat(9), fc.nat(9)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
  await fc.assert(
    fc.asyncProperty(fc.array(range, { minLength: 2, maxLength: 5 }), async (ranges) => {
      const { contentType, lengthBytes, write } = multipartRanges(ranges, 'text/plain', content.length);
      const body = await buffer(
        Readable.from(
          write(async function* ({ start, end }) {
            yield content.subarray(start, end + 1);
          }),
        ),
      );
      expect(body.length).toBe(lengthBytes);
      const parts = body
        .toString()
        .split(`\r\n--${/boundary=(.+)$/.exec(contentType)![1]}`)
        .slice(1, -1);
      expect(parts.map((part) => part.split('\r\n\r\n')[1])).toEqual(
        ranges.map(({ start, end }) => content.toString('utf8', start, end + 1)),
      );
    }),
  );
});
