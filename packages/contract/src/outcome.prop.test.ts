import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationFigures, isFlaky, nearestRank, outcomeOf, runFigures, trendOf, worstStatus } from './outcome.ts';

const duration = fc.integer({ min: 0, max: 1_000_000 }).map((quarters) => quarters / 4);
const testCase = fc.record({
  status: fc.constantFrom('passed', 'failed', 'skipped', 'timedOut', 'interrupted', 'weird'),
  retries: fc.option(fc.nat(3), { nil: undefined }),
  duration: fc.option(duration),
});

describe('the figures of a run', () => {
  it('count every case once, and take durations only where there are any', () => {
    const cases = [
      { status: 'passed', duration: 10 },
      { status: 'passed', retries: null },
      { status: 'passed', retries: 2, duration: 21 },
      { status: 'failed', retries: 2, duration: 0 },
      { status: 'timedOut', duration: null },
      { status: 'interrupted' },
      { status: 'skipped', retries: 1 },
      { status: 'weird', retries: 1, duration: 90 },
    ];
    expect(runFigures(cases)).toEqual({
      totalTests: 8,
      passedTests: 3,
      failedTests: 3,
      skippedTests: 1,
      flakyTests: 1,
      avgTestDuration: 30,
      p90TestDuration: 90,
    });
    const none = { totalTests: 0, passedTests: 0, failedTests: 0, skippedTests: 0, flakyTests: 0 };
    expect(runFigures([])).toEqual({ ...none, avgTestDuration: null, p90TestDuration: null });
  });

  it('do not depend on the order of its cases', () => {
    fc.assert(
      fc.property(fc.array(testCase), (cases) => {
        expect(runFigures(cases.toReversed())).toEqual(runFigures(cases));
      }),
    );
  });

  it('add up over two halves', () => {
    fc.assert(
      fc.property(fc.array(testCase), fc.array(testCase), (some, others) => {
        const [a, b, both] = [runFigures(some), runFigures(others), runFigures([...some, ...others])];
        for (const count of ['totalTests', 'passedTests', 'failedTests', 'skippedTests', 'flakyTests'] as const) {
          expect(both[count]).toBe(a[count] + b[count]);
        }
      }),
    );
  });

  it('count a case as flaky exactly when it passed after a retry', () => {
    fc.assert(
      fc.property(testCase, ({ status, retries }) => {
        expect(isFlaky(status, retries ?? 0)).toBe(outcomeOf(status) === 'passed' && (retries ?? 0) > 0);
      }),
    );
  });
});

describe('the worst status', () => {
  const worstFirst = ['failed', 'timedOut', 'interrupted', 'weird', 'passed', 'skipped'];

  it('is the first of these that any part has', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(worstFirst, { minLength: 1 }), (statuses) => {
        const worst = worstFirst.find((status) => statuses.includes(status));
        expect(worstStatus(statuses as [string, ...string[]])).toBe(worst);
      }),
    );
  });

  it('is that of the first part among equals, however it is spelt', () => {
    expect(worstStatus(['passed', 'Failed', 'failed'])).toBe('Failed');
    expect(worstStatus(['TIMEDOUT', 'interrupted'])).toBe('TIMEDOUT');
    expect(worstStatus(['odd', 'weird'])).toBe('odd');
  });
});

describe('duration figures', () => {
  it('are those of the only duration', () => {
    expect(durationFigures([0.25])).toEqual({ mean: 0, min: 0.25, max: 0.25, p90: 0.25 });
  });

  it('are null without durations', () => {
    expect(durationFigures([])).toEqual({ mean: null, min: null, max: null, p90: null });
  });

  it('have a 90th percentile that is a value with at most a tenth of the values above it', () => {
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1 }), (durations) => {
        const { p90, min, max } = durationFigures(durations);
        expect(durations).toContain(p90);
        expect(durations.filter((value) => value > p90!).length * 10).toBeLessThanOrEqual(durations.length);
        expect(durations.filter((value) => value < p90!).length * 10).toBeLessThan(durations.length * 9);
        expect([min, max]).toEqual([Math.min(...durations), Math.max(...durations)]);
      }),
    );
  });

  it.each([
    [[1], 1],
    [[1, 2], 2],
    [[7, 7, 7], 7],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 9],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 10],
    [Array.from({ length: 200 }, (_, nth) => nth + 1), 180],
  ])('take the nearest rank of %j', (sorted, expected) => {
    expect(nearestRank(sorted, 90)).toBe(expected);
  });
});

describe('a trend', () => {
  it('needs four samples', () => {
    fc.assert(
      fc.property(fc.array(duration, { maxLength: 3 }), (durations) => {
        expect(trendOf(durations)).toBe('stable');
      }),
    );
  });

  it('turns round with the series', () => {
    const opposite = { faster: 'slower', slower: 'faster', stable: 'stable' };
    const positive = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const there = trendOf([a, a, b, b]);
        const back = trendOf([b, b, a, a]);
        // A change of just over 10 % one way is just under it the other way.
        if (there !== 'stable' && back !== 'stable') expect(back).toBe(opposite[there]);
      }),
    );
  });

  it.each([
    [[100, 100, 111, 111], 'slower'],
    [[100, 100, 89, 89], 'faster'],
    [[100, 100, 109, 91], 'stable'],
    [[0, 0, 0, 0], 'stable'],
    [[0, 0, 5, 5], 'slower'],
    [[100, 100, 200, 200, 200], 'slower'],
    [[100, 100, 100, 100, 100], 'stable'],
    [[50, 150, 111, 111], 'slower'],
    [[1, 1, 1.12, 1.12], 'slower'],
  ])('of %j is %s', (durations, expected) => {
    expect(trendOf(durations)).toBe(expected);
  });
});
