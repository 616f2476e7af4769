import { describe, expect, it } from 'vitest';
import { type FlakyTest, type Order, inOrder } from './flaky-order.ts';

const run = (day: number) => ({
  id: day,
  status: 'passed',
  startTime: `2026-01-0${day}T00:00:00.000Z`,
  duration: null,
  branch: null,
  commit: null,
  testCaseId: day,
});
const test = (title: string, first: number, last: number): FlakyTest => ({
  id: first,
  title,
  filePath: 'a.ts',
  browser: null,
  flakyRuns: 1,
  retriedRuns: 1,
  mixedCommits: 0,
  aloneRuns: 0,
  evidence: { retried: [run(last)], mixed: [], alone: [] },
  totalRuns: 2,
  flakyRate: 50,
  rateLow: 9.5,
  rateHigh: 90.5,
  model: { rate: 0.4, low: 0.1, high: 0.8, probability: 1, falseRedsPerWeek: 0.3 },
  firstFlaky: run(first),
  lastFlaky: run(last),
  history: 'PK',
});
const tests = [test('b', 2, 5), test('c', 1, 7), test('a', 4, 4)];
const titles = (order: Order): string[] => inOrder(tests, order).map(({ title }) => title);

describe('the order of flaky tests', () => {
  it('is that of the service unless another is chosen', () => {
    expect(titles('often')).toEqual(['b', 'c', 'a']);
  });

  it('goes by the last or the first flaky run, the latest first, or by title', () => {
    expect(titles('recent')).toEqual(['c', 'b', 'a']);
    expect(titles('new')).toEqual(['a', 'b', 'c']);
    expect(titles('title')).toEqual(['a', 'b', 'c']);
  });

  it('leaves the list it was given as it is', () => {
    inOrder(tests, 'title');
    expect(tests[0]!.title).toBe('b');
  });
});
