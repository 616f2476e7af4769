import type { RunDifferences } from '@assay/contract';
import { expect, it } from 'vitest';
import {
  aboutDurations,
  environmentIn,
  environmentOption,
  inShort,
  optionOf,
  unofferedOption,
  whyNone,
} from './choices.ts';

const counts = {
  newFailures: 0,
  fixed: 0,
  stillFailing: 0,
  newlyFlaky: 0,
  slower: 0,
  faster: 0,
  added: 0,
  removed: 0,
};

it('tells all differences in one line', () => {
  expect(inShort({ sharedTests: 1, counts })).toBe('1 test in both runs');
  expect(inShort({ sharedTests: 1_200, counts: { ...counts, newFailures: 1, slower: 2, removed: 3 } })).toBe(
    '1,200 tests in both runs · 1 new failure · 2 slower · 3 only in the other run',
  );
});

it.each([
  [{ runs: 30, knownShare: 1, threshold: 4 }, /in the 30 runs before this one.*called so\.$/],
  [{ runs: 12, knownShare: 0.75, threshold: 6.1 }, /in the 12 runs .* 25 % of tests have too few to tell\.$/],
  [{ runs: 30, knownShare: 0.999, threshold: 4 }, /Less than 1 % of tests have too few to tell\.$/],
  [{ runs: 3, knownShare: 0, threshold: null }, /^Nothing is said of durations/],
])('says what is known of durations', (noise, words) => {
  expect(aboutDurations({ noise, sharedTests: 5 } as RunDifferences)).toMatch(words);
});

it('says nothing of durations where no test is in both runs', () => {
  expect(
    aboutDurations({ noise: { runs: 0, knownShare: 0, threshold: null }, sharedTests: 0 } as RunDifferences),
  ).toBeNull();
});

it('names a run that can be chosen, and says why there is none', () => {
  const run = { id: 7, status: 'failed', branch: null, startTime: '2026-01-31T09:00:00Z' };
  expect(optionOf(run)).toMatchObject({ value: '7', label: expect.stringMatching(/^#7 · failed · /) });
  expect(whyNone('previous', null)).toContain('first run of its branch');
  expect(whyNone('green', null)).toContain('No run of its branch before it passed');
  expect(whyNone('environment', 'staging')).toContain('has ended in staging');
});

it('names environments, offered or not', () => {
  const option = { value: 'environment:a:b', label: 'the latest in a:b' };
  expect([environmentOption('a:b'), unofferedOption('environment:a:b')]).toEqual([option, option]);
  expect([environmentIn('environment:a:b'), environmentIn('12'), environmentIn('green')]).toEqual(['a:b', null, null]);
  expect(unofferedOption('12')).toEqual({ value: '12', label: 'Run #12' });
});
