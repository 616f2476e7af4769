import { describe, expect, it } from 'vitest';
import { ofStatus } from './run-filter.ts';
import { sampleRun } from './sample-run.ts';

const runs = [
  sampleRun({ id: 5, branch: 'feature', status: 'timedout' }),
  sampleRun({ id: 4, branch: 'main', flakyTests: 2 }),
  sampleRun({ id: 3, branch: null, status: 'running' }),
  sampleRun({ id: 2, branch: 'main', status: 'failed' }),
];

describe('filters of runs', () => {
  it('find runs by status; one that timed out failed, one with flaky tests is flaky whatever its status', () => {
    expect(ofStatus(runs, 'failed').map(({ id }) => id)).toEqual([5, 2]);
    expect(ofStatus(runs, 'flaky').map(({ id }) => id)).toEqual([4]);
    expect(ofStatus(runs, 'passed').map(({ id }) => id)).toEqual([4]);
    expect(ofStatus(runs, 'all')).toBe(runs);
  });
});
