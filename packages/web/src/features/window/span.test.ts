import { describe, expect, it } from 'vitest';
import { ALL_TIME, readSpan } from './span.ts';

const NOW = new Date(2026, 10, 16, 15, 30);
const local = (year: number, month: number, day: number): string => new Date(year, month - 1, day).toISOString();
const query = (text: string, fallback?: string) => readSpan(text, NOW, fallback).query;

describe('the days in an address', () => {
  it('are whole days of the reader, today among them', () => {
    expect(query('7d')).toEqual({ since: local(2026, 11, 10) });
    expect(query('30d')).toEqual({ since: local(2026, 10, 18) });
    expect(readSpan('7d', NOW).words).toBe('last 7 days');
  });

  it('may be any days, the last one included', () => {
    expect(query('2026-10-01..2026-10-31')).toEqual({ since: local(2026, 10, 1), until: local(2026, 11, 1) });
    expect(query('2026-10-05..2026-10-05')).toEqual({ since: local(2026, 10, 5), until: local(2026, 10, 6) });
  });

  it('or a number of runs', () => {
    expect(query('30')).toEqual({ runs: 30 });
    expect(query('999')).toEqual({ runs: 100 });
  });

  it.each(['', 'x', '0', '0d', '-7d', '2026-02-30..2026-03-01', '2026-10-31..2026-10-01', 'all'])(
    'count as the latest 100 runs when they are %j',
    (text) => {
      expect(query(text)).toEqual({ runs: 100 });
    },
  );

  it('may be all there are on the page of a test, where that is what anything unknown means', () => {
    expect(query('all', ALL_TIME)).toEqual({});
    expect(query('nonsense', ALL_TIME)).toEqual({});
    expect(query('30d', ALL_TIME)).toEqual({ since: local(2026, 10, 18) });
  });
});
