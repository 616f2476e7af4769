import { describe, expect, it } from 'vitest';
import { type Comparison, failedFilter, sinceOf, unchanged } from './since.ts';

const run = { id: 9, status: 'failed', startTime: '2026-01-01T00:00:00.000Z', duration: 1, branch: null, commit: null };
const test = { testCaseId: 1, testId: 1, title: 'pays', filePath: 'a.ts', browser: null };
const failure = (title: string, failedRuns: number): Comparison['failures'][number] => ({
  ...test,
  title,
  status: 'failed',
  error: null,
  isNew: failedRuns === 1,
  ranBefore: true,
  failingSince: run,
  failedRuns,
  sinceBeyond: false,
  onDefault: null,
});
const comparison = (parts: Partial<Comparison>): Comparison => ({
  previousRun: run,
  nextRun: null,
  comparedWith: run,
  usualDuration: null,
  failures: [],
  fixed: [],
  defaultRun: null,
  defaultRunBy: null,
  fixedHere: [],
  sharedTests: 1,
  addedTests: 0,
  removedTests: 0,
  ...parts,
});

describe('what is new since the run before', () => {
  it('parts new failures from those that last, the longest first', () => {
    const since = sinceOf(comparison({ failures: [failure('b', 2), failure('a', 1), failure('c', 7)] }));
    expect(since.newlyFailing.map(({ title }) => title)).toEqual(['a']);
    expect(since.stillFailing.map(({ title }) => title)).toEqual(['c', 'b']);
  });

  it('is found on the page of the run by every status that counts as failed', () => {
    expect(failedFilter([{ status: 'timedOut' }, { status: 'failed' }, { status: 'failed' }])).toBe(
      'status:failed,timedOut',
    );
    expect(failedFilter([])).toBe('status:failed');
  });

  it('is one sentence when nothing broke and nothing was fixed', () => {
    expect(unchanged(sinceOf(comparison({})))).toMatch(/no test is failing/);
    expect(unchanged(sinceOf(comparison({ failures: [failure('b', 2)] })))).toMatch(/the same tests are failing/);
    expect(unchanged(sinceOf(comparison({ failures: [failure('a', 1)] })))).toBeNull();
    const fixed = [{ ...test, lastFailed: { ...run, testCaseId: 4 }, failedRuns: 1 }];
    expect(unchanged(sinceOf(comparison({ fixed })))).toBeNull();
    expect(unchanged(sinceOf(comparison({ sharedTests: 0 })))).toMatch(/share no test/);
  });
});
