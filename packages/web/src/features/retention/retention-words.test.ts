import { describe, expect, it } from 'vitest';
import { goneWords, growthWords, keptWords, noDateWords, settingsWords } from './retention-words.ts';

const NO_LIMITS = { days: null, runs: null, bytes: null, fileDays: null, keepBranches: [] };
const NOTHING = {
  runs: 0,
  results: 0,
  strippedRuns: 0,
  reports: 0,
  traces: 0,
  attachments: 0,
  fileBytes: 0,
  databaseBytes: 0,
};

describe('settings in words', () => {
  it('say what is kept', () => {
    expect(settingsWords(NO_LIMITS)).toBe('Everything is kept.');
    expect(settingsWords({ ...NO_LIMITS, keepBranches: ['main'] })).toBe('Everything is kept.');
    expect(settingsWords({ days: 90, runs: 1, bytes: 2e9, fileDays: 14, keepBranches: ['main', 'release/*'] })).toBe(
      'Kept: runs for 90 days, the newest 1 run, at most 2.0 GB, files for 14 days. Runs of main, release/* stay.',
    );
  });
});

describe('a dry run in words', () => {
  it('says that nothing goes', () => {
    expect(goneWords(NOTHING)).toBe('Nothing would be deleted now.');
  });

  it('says what goes whole, and what loses its files only', () => {
    expect(goneWords({ ...NOTHING, runs: 1, results: 3, databaseBytes: 500 })).toBe(
      'This would be deleted now: 1 run with 3 results. In all 500 B of results.',
    );
    expect(goneWords({ ...NOTHING, strippedRuns: 2, reports: 2, traces: 1, fileBytes: 1_500 })).toBe(
      'This would be deleted now: the files of 2 runs, whose results stay. In all 1.5 KB of files (2 reports, 1 trace; what other runs share stays).',
    );
    expect(goneWords({ ...NOTHING, runs: 2, results: 4, strippedRuns: 1, attachments: 1, fileBytes: 9 })).toBe(
      'This would be deleted now: 2 runs with 4 results, and the files of 1 more run, whose results stay. In all 9 B of files (1 attachment; what other runs share stays).',
    );
  });

  it('says what stays, and why', () => {
    expect(keptWords({ pinned: 0, branch: 0, live: 0 })).toBeNull();
    expect(keptWords({ pinned: 1, branch: 12, live: 2 })).toBe(
      '15 runs beyond a limit would stay: 1 pinned, 12 of kept branches, 2 not complete yet.',
    );
  });
});

describe('a forecast in words', () => {
  it('says why it has no date', () => {
    expect(noDateWords({ bytesPerDay: null, fullAt: null }, 1)).toBe('Unknown: 1 day recorded so far, 7 are needed');
    expect(noDateWords({ bytesPerDay: 0, fullAt: null }, 9)).toBe('Not growing');
    expect(noDateWords({ bytesPerDay: 5, fullAt: null }, 9)).toBe('Not within ten years');
    expect(noDateWords({ bytesPerDay: 5, fullAt: '2026-12-01T00:00:00.000Z' }, 9)).toBeNull();
  });

  it('says how fast it grows', () => {
    expect(growthWords(null)).toBeNull();
    expect(growthWords(1_500_000)).toBe('grows by 1.5 MB a day');
    expect(growthWords(-2_000)).toBe('shrinks by 2.0 KB a day');
  });
});
