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

  it.each([
    [3, 1, 'passed', '2 more failures'],
    [1, 2, 'failed', '1 fewer failure'],
    [2, 2, 'failed', 'as many failures'],
    [0, 0, 'passed', 'nothing fails on either'],
    [0, 2, 'running', 'still running'],
  ])('with %i failures against %i of main (%s): %s', (own, ofMain, status, words) => {
    const main = branch('main', '2026-06-29T00:00:00Z', ofMain);
    expect(againstDefaultRun(branch('mine', '2026-06-29T00:00:00Z', own, status), main)).toBe(words);
    expect(againstDefaultRun(main, main)).toBe('–');
  });
});
