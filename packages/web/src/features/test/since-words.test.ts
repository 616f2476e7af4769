import type { DurationChange, PastResult, RunOfResult, TestChange, TestSince } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { usualDurations } from './results.ts';
import { basisWords, changeTitle, countsWords, durationTitle, untestedWords } from './since-words.ts';

const run = (id: number): RunOfResult => ({
  id,
  testCaseId: id * 10,
  status: 'failed',
  startTime: '2026-03-01T10:00:00.000Z',
  duration: 1,
  branch: 'main',
  commit: null,
});
const commit = (hash: string) => ({ hash, author: 'Ada', subject: 'Change', time: '2026-03-01T10:00:00.000Z' });
const place = (hashes: readonly string[], commitCount: number | null = hashes.length) => ({
  probability: 0.9,
  before: run(1),
  run: run(2),
  commitCount,
  commits: hashes.map(commit),
});
const change = (more: Partial<TestChange> = {}): TestChange => ({
  sure: true,
  probability: 0.99,
  fromStart: 0,
  firstBad: run(2),
  lastGood: run(1),
  untested: 0,
  places: [place(['3f2a91b0c4d5e6f7'])],
  placeCount: 1,
  commitCount: 1,
  before: { passed: 9, flaky: 0, failed: 1 },
  since: { passed: 0, flaky: 0, failed: 0 },
  speaking: [],
  ...more,
});

describe('the title of a change', () => {
  it.each([
    [change(), 'Broken since 3f2a91b'],
    [change({ sure: false }), 'Perhaps broken since 3f2a91b'],
    [change({ commitCount: 4, places: [place(['a', 'b', 'c', 'd'])] }), 'Broken since one of 4 commits'],
    [change({ commitCount: null, places: [place([], null)] }), 'Broken since run #2'],
    [change({ commitCount: null, placeCount: 3 }), 'Broken since one of 3 runs'],
    [change({ fromStart: 0.2 }), 'Broken since 3f2a91b, or from the first result on'],
    [change({ fromStart: 0.99, places: [], placeCount: 0, commitCount: 0 }), 'Broken from the first result on'],
  ])('%#', (one, title) => {
    expect(changeTitle(one, 'broken')).toBe(title);
  });

  it.each([
    [1.4, 'Slower since one of 2 commits, by 40 %'],
    [3.1, 'Slower since one of 2 commits, 3.1 times as long'],
    [0.5, 'Faster since one of 2 commits, by 50 %'],
  ])('of durations %d times as long', (factor, title) => {
    const places = [place(['a', 'b'])];
    const one = { factor, places, placeCount: 1, commitCount: 2 } as unknown as DurationChange;
    expect(durationTitle(one)).toBe(title);
  });
});

it('words say what is not known or left out', () => {
  expect(untestedWords(change({ untested: null }))).toMatch('not known');
  expect(untestedWords(change({ untested: 1 }))).toBe('1 commit between was not tested.');
  expect(countsWords(change().before)).toBe('passed 9 times, failed 1 time');
  expect(countsWords(change().since)).toBe('did not run');
  const since = {
    results: 8,
    branch: 'main',
    orderedBy: 'time',
    unplaced: 1,
    outages: [run(1)],
  } as unknown as TestSince;
  const words = basisWords(since);
  for (const part of ['8 results on main', 'not known', '1 result left out', '1 failure left out']) {
    expect(words).toMatch(part);
  }
});

it('the usual duration steps where it changed', () => {
  const results = [1, 2, 3, 4].map((testRunId) => ({ testRunId }) as PastResult);
  const at = (id: number, beforeMs: number, afterMs: number) =>
    ({ firstAfter: run(id), beforeMs, afterMs }) as DurationChange;
  expect(usualDurations(results, [at(3, 10, 20)])).toEqual([10, 10, 20, 20]);
  expect(usualDurations(results, [at(0, 5, 10), at(2, 10, 20)])).toEqual([10, 20, 20, 20]);
  expect(usualDurations(results, [at(0, 5, 10)])).toEqual([10, 10, 10, 10]);
});
