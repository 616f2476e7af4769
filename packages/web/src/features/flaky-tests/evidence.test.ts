import { describe, expect, it } from 'vitest';
import { evidenceOf, outageWords, whyFlaky } from './evidence.ts';

describe('evidence of flaky tests', () => {
  it('is named for each test', () => {
    const wordsOf = (retriedRuns: number, mixedCommits: number, aloneRuns: number): string[] =>
      whyFlaky({ retriedRuns, mixedCommits, aloneRuns }).map(({ kind, words }) => `${kind}: ${words}`);
    expect(wordsOf(2, 0, 0)).toEqual(['retried: passed on a retry in 2 runs']);
    expect(wordsOf(0, 1, 0)).toEqual(['mixed: passed and failed on 1 commit']);
    expect(wordsOf(1, 3, 1)).toEqual([
      'retried: passed on a retry in 1 run',
      'mixed: passed and failed on 3 commits',
      'alone: failed in 1 run between two that passed',
    ]);
  });

  it('is never claimed where nothing could be seen', () => {
    expect(evidenceOf({ runs: 9, repeatedCommits: 0 }, 'main, last 7 days')).toContain('cannot be told');
    expect(evidenceOf({ runs: 9, repeatedCommits: 2 }, 'main, last 7 days')).toContain('2 commits ran more than once');
    expect(evidenceOf({ runs: 0, repeatedCommits: 0 }, 'main, last 7 days')).toBe(
      'There is nothing to look at: main, last 7 days.',
    );
  });

  it('leaves out runs for what went wrong in them', () => {
    const run = { id: 7, status: 'failed', startTime: '', duration: 1, branch: null, commit: null };
    expect(outageWords({ ...run, kind: 'run', shard: null, cause: null })).toBe('run #7');
    expect(outageWords({ ...run, kind: 'shard', shard: 3, cause: null })).toBe('run #7, for its shard 3');
    expect(outageWords({ ...run, kind: 'cause', shard: null, cause: 'x' })).toBe('run #7, for one cause');
  });
});
