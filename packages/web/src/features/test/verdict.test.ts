import type { PastResult } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { titleOf, undecidedWords, verdictOf } from './verdict.ts';

/** Results of one letter each, the newest first: passed, failed, flaky (k), skipped, timed out, unknown. */
const STATUSES: Readonly<Record<string, string>> = {
  P: 'passed',
  F: 'failed',
  k: 'passed',
  S: 'skipped',
  T: 'timedOut',
  '?': 'odd',
};
const results = (letters: string): PastResult[] =>
  [...letters].map((letter, at) => ({
    id: at + 1,
    testRunId: at + 1,
    startTime: '2026-01-01T00:00:00.000Z',
    status: STATUSES[letter]!,
    duration: 1,
    retries: letter === 'k' ? 1 : 0,
    flaky: letter === 'k',
    error: null,
    branch: 'main',
    commit: null,
  }));

/** The verdict in short: `failing since 3 (2), passed 4` or `passing 2, 1 flaky, failed 3`. */
const short = (letters: string): string => {
  const verdict = verdictOf(results(letters));
  if (verdict === null) return 'nothing';
  const skipped = verdict.undecided.length > 0 ? `skipped ${verdict.undecided.length}, ` : '';
  switch (verdict.kind) {
    case 'failing':
      return `${skipped}failing since ${verdict.since.id} (${verdict.failures}), passed ${verdict.lastPassed?.id ?? 'never'}`;
    case 'passing':
      return `${skipped}passing ${verdict.passes}, ${verdict.flaky} flaky, failed ${verdict.lastFailed?.id ?? 'never'}`;
    case 'unknown':
      return `${skipped}never ran`;
  }
};

describe('verdictOf', () => {
  it.each([
    ['', 'nothing', 'a test without results'],
    ['P', 'passing 1, 0 flaky, failed never', 'the first result'],
    ['F', 'failing since 1 (1), passed never', 'a first result that failed'],
    ['FFPP', 'failing since 2 (2), passed 3', 'a test that broke'],
    ['FTP', 'failing since 2 (2), passed 3', 'a timeout among failures'],
    ['PPF', 'passing 2, 0 flaky, failed 3', 'a test that was mended'],
    ['PkF', 'passing 2, 1 flaky, failed 3', 'a mended test that still needs retries'],
    ['FSSFP', 'failing since 4 (2), passed 5', 'failures with skips between'],
    ['SSFP', 'skipped 2, failing since 3 (1), passed 4', 'a failing test that was skipped since'],
    ['SPF', 'skipped 1, passing 1, 0 flaky, failed 3', 'a mended test that was skipped since'],
    ['SS', 'skipped 2, never ran', 'a test that was always skipped'],
    ['?F?', 'skipped 1, failing since 2 (1), passed never', 'statuses that nobody knows'],
  ])('of %j is %j: %s', (letters, expected) => {
    expect(short(letters)).toBe(expected);
  });
});

describe('the words of a verdict', () => {
  it.each([
    ['F', 'Failing', 'a first result that failed: nothing was there before to be new against'],
    ['FP', 'Newly failing', 'a test that broke'],
    ['FFP', 'Failing', 'a test that broke before'],
    ['PF', 'Passing again', 'a mended test'],
    ['P', 'Never failed', 'a test that always passed'],
    ['SS', 'Unknown whether it works', 'a test that was only skipped'],
  ])('of %j are %j: %s', (letters, title) => {
    expect(titleOf(verdictOf(results(letters))!, true)).toBe(title);
  });

  it('do not call skipped what has a status of its own', () => {
    expect(undecidedWords(results('SS'))).toBe('skipped in 2 runs');
    expect(undecidedWords(results('S?'))).toBe('neither passed nor failed in 2 runs');
  });

  it('do not say never where older results were not looked at', () => {
    expect(titleOf(verdictOf(results('P'))!, false)).toBe('Passing');
  });
});
