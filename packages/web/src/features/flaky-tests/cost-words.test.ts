import type { FlakeCost } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { costWords, forecastWords, minutesWords, outageWords, retryWords } from './cost-words.ts';

const test = (id: number, freedRuns: number) => ({
  id,
  title: `test ${id}`,
  filePath: 'a.spec.ts',
  browser: null,
  redRuns: 1,
  freedRuns,
  withoutThese: null,
});

const cost = (fields: Partial<FlakeCost> = {}): FlakeCost => ({
  runs: 200,
  outages: 0,
  runsPerWeek: 10,
  redRuns: 55,
  redByChance: 41,
  failedMinutes: 300,
  minutesByChance: 40.4,
  tests: [test(1, 12), test(2, 20), test(3, 33)],
  withOneMoreRetry: { redShare: 9.5, low: 6, high: 14.2 },
  ...fields,
});

describe('what flaky tests cost, in words', () => {
  it.each([
    [cost(), '55 of 200 runs were red, 41 of them by chance alone. These 3 tests make 33 of these 41.'],
    [cost({ redByChance: 0, tests: [] }), '55 of 200 runs were red, none of them by chance alone.'],
    [
      cost({ runs: 9, redRuns: 2, redByChance: 2, tests: [test(1, 2)] }),
      '2 of 9 runs were red, all by chance alone. One test makes all of these 2.',
    ],
    [cost({ runs: 9, redRuns: 1, redByChance: 1, tests: [test(1, 1)] }), '1 of 9 runs was red, by chance alone.'],
    [cost({ tests: [test(1, 5)] }), '55 of 200 runs were red, 41 of them by chance alone.'],
  ])('%#', (some, words) => {
    expect(costWords(some, true)).toBe(words);
    expect(costWords(some, false)).toBe(words.replace('These ', ''));
  });

  it('say minutes and forecasts', () => {
    expect(minutesWords(cost())).toBe('Attempts that failed took 5 hours, of which 40 min by chance.');
    expect(retryWords(cost())).toBe(
      'With one more retry, 9.5 % (6 to 14.2 %) of runs to come would be red; 27.5 % were.',
    );
    expect(retryWords(cost({ withOneMoreRetry: null }))).toContain('is not known');
    expect(forecastWords(null)).toBe('unknown');
    expect(outageWords(cost())).toBeNull();
    expect(outageWords(cost({ outages: 6 }))).toBe('6 runs in which far more failed than usual are left out.');
  });
});
