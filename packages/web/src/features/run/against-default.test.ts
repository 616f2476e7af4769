import { describe, expect, it } from 'vitest';
import { againstDefault, onDefaultWords } from './against-default.ts';
import { sampleFailure } from './run-samples.ts';

const main = {
  id: 7,
  status: 'failed',
  startTime: '2026-01-01T00:00:00.000Z',
  duration: 1,
  branch: 'main',
  commit: null,
};
const failure = (outcome: 'passed' | 'failed' | 'other' | 'notRun') => ({
  ...sampleFailure(1, true),
  onDefault: { outcome, failingSince: outcome === 'failed' ? main : null },
});

describe('a run against the default branch', () => {
  it('says of each failure what happens there', () => {
    expect(onDefaultWords(failure('failed'), 'main')).toBe('also fails on main since #7');
    expect(onDefaultWords(failure('passed'), 'main')).toBe('passes on main');
    expect(onDefaultWords(failure('notRun'), 'main')).toBe('did not run on main');
    expect(onDefaultWords(failure('other'), 'main')).toBe('neither passed nor failed on main');
    expect(onDefaultWords({ onDefault: null }, null)).toBeNull();
  });

  it('is one sentence that names the run and why that one', () => {
    const compare = (...failures: ReturnType<typeof failure>[]) =>
      againstDefault({ defaultRun: main, defaultRunBy: 'time', failures, fixedHere: [] });
    expect(compare(failure('passed'), failure('failed'))).toBe(
      '1 test fails only here, 1 also fails on main, against #7 (the latest main before it)',
    );
    expect(compare()).toBe('Nothing fails here, against #7 (the latest main before it)');
    expect(againstDefault({ defaultRun: main, defaultRunBy: 'commit', failures: [], fixedHere: [] })).toContain(
      'its base commit',
    );
    expect(againstDefault({ defaultRun: null, defaultRunBy: null, failures: [], fixedHere: [] })).toBeNull();
  });
});
