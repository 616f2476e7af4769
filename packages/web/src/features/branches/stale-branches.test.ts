import { describe, expect, it } from 'vitest';
import { sampleRun } from '../project/sample-run.ts';
import { againstDefaultRun, partBranches } from './stale-branches.ts';

const NOW = new Date('2026-06-30T12:00:00Z');
const branch = (name: string, lastActive: string, failedTests = 0, status = 'passed') => ({
  name,
  isDefault: name === 'main',
  totalRuns: 1,
  lastActive,
  latestRun: sampleRun({ id: 1, failedTests, status }),
});

describe('branches', () => {
  it('without a run for 30 days are stale, but never the default one', () => {
    const { active, stale } = partBranches(
      [
        branch('main', '2026-01-01T00:00:00Z'),
        branch('new', '2026-06-29T00:00:00Z'),
        branch('old', '2026-05-01T00:00:00Z'),
      ],
      NOW,
    );
    expect(active.map(({ name }) => name)).toEqual(['main', 'new']);
    expect(stale.map(({ name }) => name)).toEqual(['old']);
  });

  const against = (newHere: number, alsoFailing: number, fixedHere: number, by: 'commit' | 'time' = 'time') => ({
    run: { id: 7, status: 'failed', startTime: '', duration: null, branch: 'main', commit: null },
    by,
    newHere,
    alsoFailing,
    fixedHere,
  });

  it.each([
    [against(2, 1, 0), 'passed', '2 new here, 1 also fails there, against #7'],
    [against(0, 0, 3, 'commit'), 'failed', '3 fixed here, against #7 (its base commit)'],
    [against(0, 0, 0), 'passed', 'nothing fails here, against #7'],
    [null, 'running', 'still running'],
    [null, 'passed', 'not compared'],
  ])('%j (%s) is: %s', (againstDefault, status, words) => {
    const main = branch('main', '2026-06-29T00:00:00Z');
    expect(againstDefaultRun({ ...branch('mine', '2026-06-29T00:00:00Z', 1, status), againstDefault }, main)).toBe(
      words,
    );
    expect(againstDefaultRun(main, main)).toBe('–');
  });
});
