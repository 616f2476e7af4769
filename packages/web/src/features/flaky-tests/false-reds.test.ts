import { expect, test } from 'vitest';
import { falseRedsWords } from './false-reds.ts';

test.each([
  [41.2, 'about 41 a week'],
  [9.96, 'about 10 a week'],
  [2.34, 'about 2.3 a week'],
  [0.75, 'about 0.8 a week'],
  [0.7, 'about 1 in 1 week'],
  [0.33, 'about 1 in 3 weeks'],
  [0.02, 'about 1 in 50 weeks'],
  [0.01, 'less than 1 a year'],
  [0, 'less than 1 a year'],
])('%d false reds a week are %s', (perWeek, words) => expect(falseRedsWords(perWeek)).toBe(words));
