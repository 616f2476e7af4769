import { describe, expect, it } from 'vitest';
import { gaugeOf, rate, readTimings, readVitals } from './vitals.ts';

describe('rate', () => {
  it('counts a threshold to the better side', () => {
    expect([2500, 2501, 4000, 4001].map((value) => rate(value, 2500, 4000))).toEqual([
      'good',
      'needs work',
      'needs work',
      'poor',
    ]);
  });
});

describe('readVitals', () => {
  it('rates each by its own thresholds', () => {
    const navigation = { url: 'http://shop.test/', ttfb: 2000 };
    const vitals = readVitals({
      lcp: 2600,
      cls: 0.3,
      inp: 100,
      paint: { firstContentfulPaint: 1800 },
      navigation,
    });
    expect(vitals.map(({ short, rating }) => [short, rating])).toEqual([
      ['LCP', 'needs work'],
      ['INP', 'good'],
      ['CLS', 'poor'],
      ['FCP', 'good'],
      ['TTFB', 'poor'],
    ]);
  });

  it('leaves out what was not measured', () => {
    expect(readVitals({})).toEqual([]);
    expect(readVitals({ lcp: null, cls: 0, inp: -1 }).map(({ short }) => short)).toEqual(['CLS']);
  });
});

describe('gaugeOf', () => {
  it('keeps the value on the gauge, however large', () => {
    const { value, good, poor } = gaugeOf({ value: 60_000, good: 200, poor: 500 });
    expect(value).toBeLessThanOrEqual(1);
    expect(good).toBeLessThan(poor);
    expect(poor).toBeLessThan(value);
  });
});

describe('readTimings', () => {
  it('tells what happened in its order, under plain names where there are any', () => {
    const navigation = { url: 'http://shop.test/', loadComplete: 400, ttfb: 90, dnsLookup: 3, type: 'reload' };
    const timings = readTimings({ navigation, paint: { firstPaint: 200 } });
    expect(timings).toEqual([
      { name: 'dnsLookup', ms: 3 },
      { name: 'First byte', ms: 90 },
      { name: 'First paint', ms: 200 },
      { name: 'Load complete', ms: 400 },
    ]);
  });
});
