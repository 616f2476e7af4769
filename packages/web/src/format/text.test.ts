import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clampMarks, graphemeBoundary } from './text.ts';

it('keeps texts of all scripts as they are', () => {
  for (const text of ['naïve', 'הַשָּׁמַיִם', 'གྲྭ', 'क्षि', 'Tiếng Việt', '👩‍👩‍👧‍👦 e\u0301\u0302\u0303']) {
    expect(clampMarks(text)).toBe(text);
  }
});

it('leaves at most 20 marks on a letter, however many were sent', () => {
  const accents = '\u0301'.repeat(300_000);
  expect(clampMarks(`a${accents}b${accents}`)).toBe(`a${'\u0301'.repeat(20)}b${'\u0301'.repeat(20)}`);
  expect(clampMarks(`a${'\u0301\u20DD'.repeat(100_000)}`)).toHaveLength(21);
});

it('cuts between characters as people see them, and never far from where it was asked to', () => {
  expect(graphemeBoundary('abc', 2)).toBe(2);
  expect(graphemeBoundary('abc', 9)).toBe(3);
  expect(graphemeBoundary('ae\u0301c', 2)).toBe(1);
  expect(graphemeBoundary('a👩‍👩‍👧‍👦b', 5)).toBe(1);
  const pieces = fc.constantFrom('a', 'e\u0301', '😀', '👩‍👩‍👧‍👦', '\u0301', '\r\n');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), fc.nat(200), (parts, length) => {
      const text = parts.join('');
      const at = graphemeBoundary(text, length);
      expect(at).toBeLessThanOrEqual(Math.min(length, text.length));
      expect(text.slice(0, at).isWellFormed() && text.slice(at).isWellFormed()).toBe(true);
      expect(Math.min(length, text.length) - at).toBeLessThan(64);
    }),
  );
});
