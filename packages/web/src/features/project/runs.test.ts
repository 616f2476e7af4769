import { describe, expect, it } from 'vitest';
import { type Run, holdRuns, mergeRuns } from './runs.ts';
import { sampleRun } from './sample-run.ts';

const runsOf = (...ids: number[]): Run[] => ids.map((id) => sampleRun({ id }));
const idsOf = (runs: readonly Run[]): number[] => runs.map(({ id }) => id);

describe('what is known after a page of runs', () => {
  it('keeps older runs that slid out of the first page', () => {
    const known = mergeRuns(runsOf(3, 2, 1), { runs: runsOf(5, 4, 3), first: true, last: false });
    expect(idsOf(known)).toEqual([5, 4, 3, 2, 1]);
  });

  it('forgets a run that the page no longer has', () => {
    expect(idsOf(mergeRuns(runsOf(4, 3, 2, 1), { runs: runsOf(4, 2), first: true, last: false }))).toEqual([4, 2, 1]);
    expect(idsOf(mergeRuns(runsOf(4, 3, 2, 1), { runs: runsOf(3, 2), first: true, last: true }))).toEqual([3, 2]);
    expect(mergeRuns(runsOf(4, 3), { runs: [], first: true, last: true })).toEqual([]);
  });

  it('starts again when runs may be missing between', () => {
    expect(idsOf(mergeRuns(runsOf(2, 1), { runs: runsOf(9, 8), first: true, last: false }))).toEqual([9, 8]);
  });

  it('adds a page of older runs at the end', () => {
    expect(idsOf(mergeRuns(runsOf(5, 4), { runs: runsOf(3, 2), first: false, last: false }))).toEqual([5, 4, 3, 2]);
  });

  it('keeps the objects of runs that did not change, and replaces those that did', () => {
    const known = runsOf(3, 2, 1);
    expect(mergeRuns(known, { runs: runsOf(3, 2), first: true, last: false })).toBe(known);
    const merged = mergeRuns(known, {
      runs: [sampleRun({ id: 3, status: 'failed' }), sampleRun({ id: 2 })],
      first: true,
      last: false,
    });
    expect(merged[0]!.status).toBe('failed');
    expect(merged[1]).toBe(known[1]);
  });
});

describe('runs that are being read', () => {
  it('stay where they are while new ones wait', () => {
    const { shown, waiting } = holdRuns(runsOf(3, 2), runsOf(5, 4, 3, 2));
    expect(idsOf(shown)).toEqual([3, 2]);
    expect(waiting).toBe(2);
  });

  it('show what is newly known of them, and older ones below', () => {
    const { shown, waiting } = holdRuns(runsOf(3, 2), [sampleRun({ id: 3, status: 'failed' }), ...runsOf(2, 1)]);
    expect(shown.map(({ id, status }) => `${id} ${status}`)).toEqual(['3 failed', '2 passed', '1 passed']);
    expect(waiting).toBe(0);
  });

  it('also wait for a run that was sent late and belongs in their middle', () => {
    expect(holdRuns(runsOf(4, 2), runsOf(4, 3, 2)).waiting).toBe(1);
  });

  it('are all there is when nothing was on screen', () => {
    expect(idsOf(holdRuns([], runsOf(2, 1)).shown)).toEqual([2, 1]);
  });
});
