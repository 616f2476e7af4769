import { anyCharacter } from '@assay/testkit/any-character';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonError, readPackedJson } from './packed-json.ts';

const LISTS = ['tests', 'specs', 'failures'];
const key = fc.oneof(fc.constantFrom(...LISTS), fc.string({ maxLength: 4 }));
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 6 },
    fc.oneof(fc.string({ unit: anyCharacter, maxLength: 6 }), fc.integer(), fc.constant(null)),
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(key, tie('document'), { maxKeys: 4 }),
  ),
}));

/** As it would arrive: in pieces of some size. */
const readIn = (text: string, size: number): unknown => {
  const reader = readPackedJson();
  for (let at = 0; at < text.length; at += size) reader.write(text.slice(at, at + size));
  return reader.end();
};

/** With all that is still text read. */
const unpacked = (value: unknown, isList = false): unknown => {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => {
      const isPacked = isList && typeof item === 'string' && item.startsWith('{') && item.endsWith('}');
      return isPacked ? (JSON.parse(item) as unknown) : unpacked(item);
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, unpacked(inner, LISTS.includes(name))]),
  );
};

it('any JSON is read as JSON.parse reads it, whatever its pieces are', () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 40 }), fc.constantFrom(undefined, 2), (value, size, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(unpacked(readIn(text, size))).toEqual(unpacked(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

it('what is no JSON is refused, wherever it is', () => {
  fc.assert(
    fc.property(document, fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '{', '\\', 'x'), (value, at, put) => {
      const text = JSON.stringify({ tests: [value, { a: [value] }] }, null, 2);
      const cut = at % text.length;
      const changed = text.slice(0, cut) + put + text.slice(cut + 1);
      const parses = (read: () => unknown): boolean => {
        try {
          read();
          return true;
        } catch {
          return false;
        }
      };
      expect(parses(() => readIn(changed, 7))).toBe(parses(() => JSON.parse(changed) as unknown));
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['in an object of a list', '{"tests":[\n{"a":1},\n{"a":\n x}]}', 'not JSON', 4],
  ['behind objects of a list', '{"tests":[\n{"a":1,\n"b":2}],\n"c":,}', 'not JSON', 4],
  ['where it breaks off in an object', '{"tests":[\n{"a":1},\n{"a":', 'the JSON breaks off', 3],
  ['where it breaks off behind one', '{"tests":[\n{"a":1},\n', 'the JSON breaks off', 3],
])('the line of an error is told: %s', (_where, text, message, line) => {
  const read = (): unknown => readIn(text, 5);
  expect(read).toThrow(JsonError);
  expect(read).toThrow(expect.objectContaining({ line, message: expect.stringContaining(message) as string }));
});

it('text behind a document may be ignored', () => {
  const reader = readPackedJson({ ignoresRest: true });
  reader.write('{"tests":[{}]');
  reader.write('} npm notice {');
  reader.write('more');
  expect(reader.end()).toEqual({ tests: ['{}'] });
});
