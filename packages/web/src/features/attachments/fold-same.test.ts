import { expect, it } from 'vitest';
import { foldSame } from './fold-same.ts';
import { diffLines } from './line-diff.ts';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));
const told = (before: readonly string[], after: readonly string[]): string[] =>
  foldSame(diffLines(before.join('\n'), after.join('\n'))).map((line) =>
    line.kind === 'folded' ? `${line.count} left out` : `${line.kind} ${line.text}`,
  );

it('leaves out equal lines that are far from a change, and says how many', () => {
  const lines = numbers(20);
  expect(told(lines, lines.with(10, 'x'))).toEqual([
    '7 left out',
    'same 7',
    'same 8',
    'same 9',
    'removed 10',
    'added x',
    'same 11',
    'same 12',
    'same 13',
    '6 left out',
  ]);
});

it('leaves out no single line, as to say so takes one', () => {
  const lines = numbers(5);
  expect(told(lines, [...lines.slice(0, 4), 'x'])[0]).toBe('same 0');
  expect(told(lines, [...lines.slice(0, 4), 'x'])).toHaveLength(6);
});
