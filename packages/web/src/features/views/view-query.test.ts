import type { ViewQuery } from '@assay/contract';
import { expect, it } from 'vitest';
import { addressOf, askedOf, daily, readAddress } from './view-query.ts';

const NOW = new Date('2026-03-02T01:30:00Z');

it('an address asks what a view asks', () => {
  const queries: ViewQuery[] = [
    { over: 'results' },
    { over: 'runs', filter: 'status:failed', order: '-failed', days: 7 },
    { over: 'results', filter: 'error:"a b"', by: 'cause', branch: 'main', days: 365 },
    { over: 'tests', order: 'passrate' },
  ];
  for (const query of queries) {
    const parts = Object.entries(addressOf(query, 4)).flatMap(([name, value]) => (value ? [[name, value]] : []));
    expect(readAddress(new URLSearchParams(parts))).toEqual(query);
  }
});

it('what makes no sense in an address is left out', () => {
  expect(readAddress(new URLSearchParams('over=clouds&by=shape&days=-3'))).toEqual({ over: 'results' });
  expect(readAddress(new URLSearchParams('over=tests&by=day&days=1e9'))).toEqual({ over: 'tests' });
});

it('the days of a view begin at midnight in UTC, today included', () => {
  expect(askedOf({ over: 'runs', days: 1 }, 3, NOW)).toEqual({
    over: 'runs',
    project: 3,
    since: '2026-03-02T00:00:00.000Z',
  });
  expect(askedOf({ over: 'runs', days: 3 }, 3, NOW).since).toBe('2026-02-28T00:00:00.000Z');
});

it('a day without rows counts nothing', () => {
  const groups = [
    { key: '2026-03-02', count: 4 },
    { key: '2026-02-28', count: 2 },
  ];
  expect(daily(groups, 4, NOW)).toEqual([0, 2, 0, 4]);
});
