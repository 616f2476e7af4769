import type { PastResult } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { pastOf, resultsAround } from './past.ts';

/** Newest first; ids count down to 1. */
const historyOf = (...statuses: string[]): PastResult[] =>
  statuses.map((status, at) => ({
    id: statuses.length - at,
    testRunId: statuses.length - at,
    startTime: '2026-01-01T00:00:00.000Z',
    status,
    duration: 1,
    retries: 0,
    flaky: false,
    error: null,
    branch: null,
    commit: null,
  }));

describe('pastOf', () => {
  it('finds the neighbours and when it last passed', () => {
    const past = pastOf(historyOf('passed', 'failed', 'skipped', 'failed', 'passed'), 4, false);
    expect(past.newer?.id).toBe(5);
    expect(past.older?.id).toBe(3);
    expect(past.lastPassed?.id).toBe(1);
    expect(past.lastFailed?.id).toBe(2);
    expect(past.failingSince).toMatchObject({ first: { id: 2 }, count: 2, beyond: false });
  });

  it('does not know how far a row goes back that fills the history', () => {
    expect(pastOf(historyOf('failed', 'timedOut'), 2, false).failingSince).toMatchObject({ count: 2, beyond: true });
    expect(pastOf(historyOf('failed', 'timedOut'), 2, true).failingSince).toMatchObject({ count: 2, beyond: false });
  });

  it('says nothing of a row for a result that did not fail, or that is not in the history', () => {
    expect(pastOf(historyOf('passed', 'failed'), 2, false).failingSince).toBeNull();
    expect(pastOf(historyOf('skipped', 'failed'), 2, false).failingSince).toBeNull();
    expect(pastOf(historyOf('failed'), 9, false)).toEqual({
      older: null,
      newer: null,
      lastPassed: null,
      lastFailed: null,
      failingSince: null,
    });
  });
});

describe('resultsAround', () => {
  it('takes as many as asked for, with the one in the middle where it can', () => {
    const history = historyOf(...Array.from({ length: 10 }, () => 'passed'));
    const idsAround = (id: number): number[] => resultsAround(history, id, 4).map((result) => result.id);
    expect(idsAround(5)).toEqual([7, 6, 5, 4]);
    expect(idsAround(10)).toEqual([10, 9, 8, 7]);
    expect(idsAround(1)).toEqual([4, 3, 2, 1]);
    expect(resultsAround(history, 5, 40)).toHaveLength(10);
  });
});
