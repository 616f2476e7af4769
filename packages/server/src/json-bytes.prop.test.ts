import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonBytes, jsonBytes, putBytes, putNumber, putText, startJson } from './json-bytes.ts';

const written = ({ bytes, length }: JsonBytes): string => bytes.toString('utf8', 0, length);

const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 9, 10, 99, 100, 999_999_999, 1e9, 1_000_000_001, 2 ** 31, 2 ** 32, 2 ** 53, 1e21, 1e-7, NaN),
);

test('a number is written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(number, (value) => {
      const json = startJson(4);
      putNumber(json, value);
      expect(written(json)).toBe(JSON.stringify(value));
    }),
    { numRuns: 2000 },
  );
});

test('pieces of all kinds follow each other, however little room there was', () => {
  const piece = fc.oneof(number, fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 500 }));
  fc.assert(
    fc.property(fc.array(piece), fc.nat(100), (pieces, capacity) => {
      const json = startJson(capacity);
      for (const one of pieces) {
        if (typeof one === 'number') putNumber(json, one);
        else if (typeof one === 'string') putText(json, one);
        else putBytes(json, one);
      }
      const expected = pieces.map((one) =>
        typeof one === 'number' ? JSON.stringify(one) : typeof one === 'string' ? Buffer.from(one) : one,
      );
      expect(json.bytes.subarray(0, json.length)).toEqual(
        Buffer.concat(expected.map((one) => (typeof one === 'string' ? jsonBytes(one) : one))),
      );
    }),
  );
});
