import { expect, it } from 'vitest';
import { firstLines } from './first-lines.ts';

const stdout = (text: string) => ({ stream: 'stdout', text }) as const;
const stderr = (text: string) => ({ stream: 'stderr', text }) as const;

it('takes lines of all pieces in their order, and counts the rest', () => {
  const pieces = [stdout('a\nb\n'), stderr('c\nd\n'), stdout('e')];
  expect(firstLines(pieces, 9)).toEqual({ shown: [stdout('a\nb'), stderr('c\nd'), stdout('e')], hidden: 0 });
  expect(firstLines(pieces, 3)).toEqual({ shown: [stdout('a\nb'), stderr('c')], hidden: 2 });
  expect(firstLines(pieces, 2)).toEqual({ shown: [stdout('a\nb')], hidden: 3 });
});

it('cuts a line that is very long', () => {
  const { shown, hidden } = firstLines([stdout('x'.repeat(1_000_000)), stdout('y\nz')], 9);
  expect(shown.map(({ text }) => text.length)).toEqual([20_000]);
  expect(hidden).toBe(3);
});
