import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLocation, parseLocation } from './location.ts';

const file = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .map((text) => text.trim().replaceAll('\\', '/'))
  .filter((text) => text !== '' && !/:\d*$/.test(text));
const place = fc.integer({ min: 0, max: 999_999_999 });

describe('a location', () => {
  it('is split from the right, whatever its file is called', () => {
    fc.assert(
      fc.property(file, place, place, (name, line, column) => {
        expect(parseLocation(`${name}:${line}:${column}`)).toEqual({ file: name, line, column });
        expect(parseLocation(`${name}:${line}`)).toEqual({ file: name, line, column: null });
        expect(parseLocation(name)).toEqual({ file: name, line: null, column: null });
      }),
    );
  });

  it('is written as it was read', () => {
    fc.assert(
      fc.property(file, fc.option(place), fc.option(place), (name, line, column) => {
        const location = { file: name, line, column: line === null ? null : column };
        expect(parseLocation(formatLocation(location))).toEqual(location);
      }),
    );
  });

  it.each([
    ['C:\\app\\a.spec.ts:3:1', { file: 'C:/app/a.spec.ts', line: 3, column: 1 }],
    ['C:\\app\\a.spec.ts', { file: 'C:/app/a.spec.ts', line: null, column: null }],
    ['a.ts:7', { file: 'a.ts', line: 7, column: null }],
    ['a.ts:1:2:3', { file: 'a.ts:1', line: 2, column: 3 }],
    ['a.ts:', { file: 'a.ts:', line: null, column: null }],
    [':7', { file: ':7', line: null, column: null }],
    ['7', { file: '7', line: null, column: null }],
    ['a.ts:99999999999:1', { file: 'a.ts:99999999999', line: 1, column: null }],
    ['  ', { file: 'unknown', line: null, column: null }],
    [null, { file: 'unknown', line: null, column: null }],
    [undefined, { file: 'unknown', line: null, column: null }],
  ])('%j is understood', (text, expected) => {
    expect(parseLocation(text)).toEqual(expected);
  });
});
