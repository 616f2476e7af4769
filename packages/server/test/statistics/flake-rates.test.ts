import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as flakeRates from '../../src/statistics/flake-rates.ts';
import { finish, measureFlakeRates } from './flake-truth.ts';

const { estimate, findChanging, fitSpread, follow } = flakeRates;

const quietProject = finish(
  fitSpread([
    { runs: 100, flaky: 0, tests: 400 },
    { runs: 100, flaky: 3, tests: 5 },
  ]),
);

describe('the rates of tests that are known', () => {
  it.each([20, 50, 200])('lie within their intervals as often as told, after %d runs', (runs) => {
    const { coverage, brier, naiveBrier, changing } = measureFlakeRates(runs, { seed: 'known', heldOut: true });
    expect(coverage).toBeGreaterThan(0.92);
    expect(brier).toBeLessThan(naiveBrier);
    expect(changing).toBe(0);
  });
});

describe('an estimate', () => {
  it('is a distribution, and rises with what was seen', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (runs, number) => {
        const flaky = number % runs;
        const [less, more] = [flaky, flaky + 1].map((count) => estimate(quietProject, runs, count));
        expect(less!.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
        const [low, high] = [flakeRates.describe(less!), flakeRates.describe(more!)];
        expect(low.low).toBeLessThanOrEqual(low.high);
        expect(high.rate).toBeGreaterThanOrEqual(low.rate);
        expect(high.probability).toBeGreaterThanOrEqual(low.probability - 1e-12);
        expect(high.high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('of one flaky result in two runs is not a half, where most tests never are', () => {
    const { rate, low, high } = flakeRates.describe(estimate(quietProject, 2, 1));
    expect(rate).toBeLessThan(0.25);
    expect(low).toBeGreaterThan(0);
    expect(high).toBeGreaterThan(rate);
  });

  it('of many runs is what was seen', () => {
    expect(flakeRates.describe(estimate(quietProject, 10_000, 2_500)).rate).toBeCloseTo(0.25, 1.5);
  });

  it('is the same run by run and by counts where rates do not change', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (course) => {
        const byRun = follow(quietProject, course, 0);
        const byCount = estimate(quietProject, course.length, course.filter(Boolean).length);
        byRun.forEach((share, at) => expect(share).toBeCloseTo(byCount[at]!, 9));
      }),
    );
  });
});

describe('changing rates', () => {
  const mended = [...Array.from({ length: 50 }, (_, at) => at % 3 === 0), ...Array.from({ length: 50 }, () => false)];
  const steady = Array.from({ length: 100 }, (_, at) => at % 6 === 0);
  const quiet = new Map([[100, 300]]);

  it('are seen where tests were mended, and lower what they are believed to be', () => {
    const changing = finish(findChanging(quietProject, [mended, mended, mended], quiet));
    expect(changing).toBeGreaterThan(0);
    const { rate } = flakeRates.describe(follow(quietProject, mended, changing));
    expect(rate).toBeLessThan(0.03);
    expect(flakeRates.describe(follow(quietProject, steady, changing)).rate).toBeGreaterThan(0.1);
  });

  it('are not seen where they are steady, nor where nothing ran', () => {
    expect(finish(findChanging(quietProject, [steady, steady, steady], quiet))).toBe(0);
    expect(finish(findChanging(quietProject, [], new Map()))).toBe(0);
  });
});

it('a project without tests has a spread', () => {
  const spread = finish(fitSpread([]));
  expect(spread.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
});
