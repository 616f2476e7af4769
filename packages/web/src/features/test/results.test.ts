import type { PastResult } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { countResults, durationsByLook, filterResults } from './results.ts';

const result = (id: number, status: string, retries = 0): PastResult => ({
  id,
  testRunId: id,
  startTime: '2026-01-01T00:00:00.000Z',
  status,
  duration: id * 100,
  retries,
  flaky: status === 'passed' && retries > 0,
  error: null,
  branch: null,
  commit: null,
});

const results = [result(1, 'passed'), result(2, 'passed', 1), result(3, 'timedOut'), result(4, 'odd')];

describe('filterResults', () => {
  it('counts flaky results as passed ones, and time-outs as failed', () => {
    const idsOf = (filter: Parameters<typeof filterResults>[1]): number[] =>
      filterResults(results, filter).map(({ id }) => id);
    expect(idsOf('all')).toEqual([1, 2, 3, 4]);
    expect(idsOf('passed')).toEqual([1, 2]);
    expect(idsOf('flaky')).toEqual([2]);
    expect(idsOf('failed')).toEqual([3]);
    expect(countResults(results)).toEqual({ all: 4, failed: 1, flaky: 1, passed: 2, skipped: 0 });
  });
});

describe('durationsByLook', () => {
  it('parts the durations so that each stands in one series', () => {
    expect(durationsByLook(results)).toEqual([
      { look: 'passed', values: [100, null, null, null] },
      { look: 'flaky', values: [null, 200, null, null] },
      { look: 'failed', values: [null, null, 300, null] },
      { look: 'other', values: [null, null, null, 400] },
    ]);
  });
});
