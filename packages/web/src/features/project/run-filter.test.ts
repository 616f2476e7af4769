import { describe, expect, it } from 'vitest';
import { branchOptions, ofBranch, ofStatus } from './run-filter.ts';
import { sampleRun } from './sample-run.ts';

const runs = [
  sampleRun({ id: 5, branch: 'feature', status: 'timedout' }),
  sampleRun({ id: 4, branch: 'main', flakyTests: 2 }),
  sampleRun({ id: 3, branch: null, status: 'running' }),
  sampleRun({ id: 2, branch: 'main', status: 'failed' }),
];

describe('filters of runs', () => {
  it('offer every branch with its number of runs, the latest first', () => {
    expect(branchOptions(runs, '').map(({ label }) => label)).toEqual(['feature (1)', 'main (2)', 'No branch (1)']);
  });

  it('keep offering a branch that the address names and no run has', () => {
    expect(branchOptions(runs, 'gone').at(-1)).toEqual({ value: 'gone', label: 'gone (0)' });
  });

  it('find the runs of a branch, and those without one', () => {
    expect(ofBranch(runs, 'main').map(({ id }) => id)).toEqual([4, 2]);
    expect(ofBranch(runs, '-').map(({ id }) => id)).toEqual([3]);
    expect(ofBranch(runs, '')).toBe(runs);
  });

  it('find runs by status; one that timed out failed, one with flaky tests is flaky whatever its status', () => {
    expect(ofStatus(runs, 'failed').map(({ id }) => id)).toEqual([5, 2]);
    expect(ofStatus(runs, 'flaky').map(({ id }) => id)).toEqual([4]);
    expect(ofStatus(runs, 'passed').map(({ id }) => id)).toEqual([4]);
    expect(ofStatus(runs, 'all')).toBe(runs);
  });
});
