import type { Test } from '@assay/contract';
import { TEST_FIELDS } from '@assay/contract/filter';
import { describe, expect, it } from 'vitest';
import { readText, withWords } from '../filter/read-filter.ts';
import { commonFilters } from './common-filters.ts';
import { OUTCOMES, orderAfter, readOrder, sortTests, writeOrder } from './sort-tests.ts';
import { entriesOf, testCatalogue } from './test-fields.ts';

const aTest = (id: number, overrides: Partial<Test> = {}): Test => ({
  id,
  filePath: 'tests/cart.spec.ts',
  title: `case ${id}`,
  browser: null,
  totalRuns: 10,
  passedRuns: 10,
  failedRuns: 0,
  skippedRuns: 0,
  flakyRuns: 0,
  avgDuration: 1_000,
  lastRun: '2026-01-10T00:00:00Z',
  lastStatus: 'passed',
  history: 'PPP',
  p90Duration: 2_000,
  totalDuration: 10_000,
  lastFailure: null,
  ...overrides,
});

const failure = { testRunId: 1, testCaseId: 1, startTime: '2026-01-09T12:00:00Z' };
const tests = [
  aTest(1, { passedRuns: 8, failedRuns: 2, lastStatus: 'failed', lastFailure: failure, avgDuration: 5_000 }),
  aTest(2, { flakyRuns: 5, browser: 'firefox', tags: ['@smoke', 'slow'] }),
  aTest(3, { passedRuns: 0, skippedRuns: 10, lastStatus: 'skipped', avgDuration: null, p90Duration: null }),
  aTest(4, { totalDuration: 20_000, lastRun: '2025-12-01T00:00:00Z', filePath: 'tests/login.spec.ts' }),
];
const entries = entriesOf(tests);

const ids = (text: string): number[] => {
  const filter = readText(text, withWords(testCatalogue(tests)));
  if (!filter.ok) throw new Error(filter.mistakes.map(({ message }) => message).join('; '));
  return filter.find(entries).found.map(({ test }) => test.id);
};

describe('a filter over tests', () => {
  it.each([
    ['passrate:<90', [1]],
    ['flakyrate:>=50', [2]],
    ['avg:>2s', [1]],
    ['p90:<=2s runs:10', [1, 2, 4]],
    ['failed:>0 status:failed', [1]],
    ['lastrun:<2026-01', [4]],
    ['lastfailure:>2026-01-08', [1]],
    ['has:lastfailure', [1]],
    ['browser:firefox OR login', [2, 4]],
    ['tag:@smoke', [2]],
    ['-tag:slow status:passed', [4]],
    ["t => t.tag.includes('@smoke')", [2]],
    ['t => t.passrate === 100 && t.browser === null', [4]],
  ])('%s', (text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it('is offered by examples that each find something, relative to now', () => {
    const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
    const data = [
      aTest(1, { totalRuns: 20, passedRuns: 10, failedRuns: 10, lastFailure: { ...failure, startTime: daysAgo(6) } }),
      aTest(2, { flakyRuns: 5, lastFailure: { ...failure, startTime: daysAgo(8) } }),
      aTest(3, { p90Duration: 12_000, filePath: 'tests/checkout.spec.ts' }),
    ];
    const found = TEST_FIELDS.examples.map((text) => {
      const filter = readText(text, withWords(testCatalogue(data)));
      if (!filter.ok) throw new Error(filter.mistakes[0]!.message);
      const answer = filter.find(entriesOf(data));
      expect(answer.failed).toBeNull();
      return answer.found.map(({ test }) => test.id);
    });
    expect(found).toEqual([[1], [2], [3], [1]]);
  });

  it('has buttons that find as many as they say', () => {
    for (const { term, count } of commonFilters(tests)) expect([term, ids(term).length]).toEqual([term, count]);
  });
});

describe('the order of tests', () => {
  it.each([
    ['title', [1, 2, 3, 4]],
    ['-title', [4, 3, 2, 1]],
    ['passrate', [1, 2, 4, 3]],
    ['-passrate', [2, 4, 1, 3]],
    ['-flakyrate', [2, 1, 4, 3]],
    ['avg', [2, 4, 1, 3]],
    ['-total', [4, 1, 2, 3]],
    ['-lastrun', [1, 2, 3, 4]],
    ['lastfailure', [1, 2, 3, 4]],
  ])('%s', (order, expected) => {
    expect(sortTests(entries, readOrder(order, OUTCOMES.order)).map(({ test }) => test.id)).toEqual(expected);
  });

  it('turns round on a second click, and starts with what matters', () => {
    const bySlowest = orderAfter(readOrder('title', OUTCOMES.order), 'p90');
    expect(writeOrder(bySlowest)).toBe('-p90');
    expect(writeOrder(orderAfter(bySlowest, 'p90'))).toBe('p90');
    expect(writeOrder(readOrder('nonsense', OUTCOMES.order))).toBe('-lastrun');
  });
});
