import { describe, expect, it } from 'vitest';
import { shortCommit } from '../revision/short-commit.ts';
import { countWords, runWords } from './run-words.ts';
import { sampleRun } from './sample-run.ts';

describe('a run in words', () => {
  it('leaves out what there is none of', () => {
    expect(countWords(sampleRun({ id: 1, failedTests: 2, passedTests: 7, flakyTests: 1 }))).toBe(
      '2 failed, 1 flaky, 6 passed',
    );
    expect(countWords(sampleRun({ id: 1, passedTests: 0 }))).toBe('no tests');
  });

  it('names number, status, branch, counts and duration', () => {
    expect(runWords(sampleRun({ id: 12 }))).toBe('Run #12, Passed, main, 10 passed, 1 m 00 s');
    expect(runWords(sampleRun({ id: 12, branch: null, duration: null, status: 'timedout' }))).toBe(
      'Run #12, Timed out, 10 passed',
    );
  });

  it('shortens a hash, and nothing else', () => {
    expect(shortCommit('395e13ac387b7841e48f145ca8e2f293e541463e')).toBe('395e13a');
    expect(shortCommit('release-2026-11-15')).toBe('release-2026-11-15');
  });
});
