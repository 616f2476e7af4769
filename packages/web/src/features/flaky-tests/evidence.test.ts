import { describe, expect, it } from 'vitest';
import { evidenceOf, whyFlaky } from './evidence.ts';

describe('evidence of flaky tests', () => {
  it('is named for each test', () => {
    expect(whyFlaky({ retriedRuns: 2, mixedCommits: 0 })).toBe('passed on a retry in 2 runs');
    expect(whyFlaky({ retriedRuns: 0, mixedCommits: 1 })).toBe('passed and failed on 1 commit');
    expect(whyFlaky({ retriedRuns: 1, mixedCommits: 3 })).toBe(
      'passed on a retry in 1 run, passed and failed on 3 commits',
    );
  });

  it('is never claimed where nothing could be seen', () => {
    expect(evidenceOf({ runs: 9, repeatedCommits: 0 }, 'main, last 7 days')).toContain('cannot be told');
    expect(evidenceOf({ runs: 9, repeatedCommits: 2 }, 'main, last 7 days')).toContain('2 commits ran more than once');
    expect(evidenceOf({ runs: 0, repeatedCommits: 0 }, 'main, last 7 days')).toBe(
      'There is nothing to look at: main, last 7 days.',
    );
  });
});
