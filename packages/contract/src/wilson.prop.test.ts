import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateFigures } from './wilson.ts';

const counts = fc.nat(2_000).chain((trials) => fc.tuple(fc.nat(trials), fc.constant(trials)));

describe('a rate', () => {
  it('lies within its interval, which lies within 0 and 100', () => {
    fc.assert(
      fc.property(counts, ([successes, trials]) => {
        const { rate, low, high } = rateFigures(successes, trials);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(rate).toBeGreaterThanOrEqual(low);
        expect(high).toBeGreaterThanOrEqual(rate);
        expect(high).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('mirrors that of the failures, but for rounding', () => {
    fc.assert(
      fc.property(
        counts.filter(([, trials]) => trials > 0),
        ([successes, trials]) => {
          const figures = rateFigures(successes, trials);
          const mirrored = rateFigures(trials - successes, trials);
          expect(mirrored.low).toBeCloseTo(100 - figures.high, 0);
          expect(mirrored.high).toBeCloseTo(100 - figures.low, 0);
        },
      ),
    );
  });

  it('has an interval that gets no wider with ten times as many trials of the same rate', () => {
    fc.assert(
      fc.property(counts, ([successes, trials]) => {
        const few = rateFigures(successes, trials);
        const many = rateFigures(10 * successes, 10 * trials);
        expect(many.high - many.low).toBeLessThanOrEqual(few.high - few.low);
      }),
    );
  });

  it.each([
    [0, 0, 0, 0, 100],
    [0, 10, 0, 0, 27.8],
    [1, 10, 10, 1.8, 40.4],
    [50, 100, 50, 40.4, 59.6],
    [10, 10, 100, 72.2, 100],
  ])('of %i in %i is %d, between %d and %d', (successes, trials, rate, low, high) => {
    expect(rateFigures(successes, trials)).toEqual({ rate, low, high });
  });
});
