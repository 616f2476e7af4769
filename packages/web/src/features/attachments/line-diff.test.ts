import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DiffLine, diffLines } from './line-diff.ts';

const SIGNS = { same: ' ', removed: '-', added: '+' };
const told = (lines: readonly DiffLine[]): string[] => lines.map(({ kind, text }) => SIGNS[kind] + text);
const without = (lines: readonly DiffLine[], kind: DiffLine['kind']): string =>
  lines
    .filter((line) => line.kind !== kind)
    .map(({ text }) => text)
    .join('\n');

it('tells the lines that went and came between those that stayed', () => {
  expect(told(diffLines('a\nb\nc\nd', 'a\nc\nx\nd'))).toEqual([' a', '-b', ' c', '+x', ' d']);
  expect(told(diffLines('same', 'same'))).toEqual([' same']);
  expect(told(diffLines('', 'new'))).toEqual(['-', '+new']);
});

it('loses no line of either text, and removes no line that it adds again in its place', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      expect(without(lines, 'added')).toBe(before);
      expect(without(lines, 'removed')).toBe(after);
      if (before === after) expect(lines.every(({ kind }) => kind === 'same')).toBe(true);
    }),
  );
});

it('gives up aligning texts with hardly a line in common, and still loses none', () => {
  const numbers = Array.from({ length: 20_000 }, (_, at) => at);
  const before = ['first', ...numbers.map((at) => `a${at}`), 'last'].join('\n');
  const after = ['first', ...numbers.map((at) => `b${at}`), 'last'].join('\n');
  const lines = diffLines(before, after);
  expect(lines).toHaveLength(40_002);
  expect(without(lines, 'added')).toBe(before);
  expect(without(lines, 'removed')).toBe(after);
});
