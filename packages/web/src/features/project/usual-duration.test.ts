import { describe, expect, it } from 'vitest';
import { sampleRun } from './sample-run.ts';
import { durationHint, usualDurations } from './usual-duration.ts';

describe('the usual duration of a run', () => {
  it('is the median of the runs before it', () => {
    const usual = usualDurations([
      sampleRun({ id: 5, duration: 9 }),
      sampleRun({ id: 4, duration: 30 }),
      sampleRun({ id: 2, duration: 20 }),
      sampleRun({ id: 1, duration: 10 }),
    ]);
    expect(usual.get(5)).toBe(20);
    expect(usual.get(4)).toBe(15);
    expect(usual.get(2)).toBe(10);
    expect(usual.has(1)).toBe(false);
  });

  it('leaves out runs without a duration', () => {
    const usual = usualDurations([
      sampleRun({ id: 3 }),
      sampleRun({ id: 2, duration: null }),
      sampleRun({ id: 1, duration: 70 }),
    ]);
    expect(usual.get(3)).toBe(70);
  });

  it('looks at no more than the latest twenty', () => {
    const slow = Array.from({ length: 30 }, (_, at) => sampleRun({ id: 30 - at, duration: 1_000 }));
    const fast = Array.from({ length: 21 }, (_, at) => sampleRun({ id: 51 - at, duration: 10 }));
    expect(usualDurations([...fast, ...slow]).get(51)).toBe(10);
  });
});

describe('the hint beside a duration', () => {
  it('says how much slower or faster', () => {
    expect(durationHint(13_000, 10_000)).toEqual({ slower: true, by: '30 %' });
    expect(durationHint(5_000, 10_000)).toEqual({ slower: false, by: '50 %' });
    expect(durationHint(31_000, 10_000)).toEqual({ slower: true, by: '3.1 ×' });
  });

  it('is silent about what is usual, small or unknown', () => {
    expect(durationHint(11_000, 10_000)).toBeNull();
    expect(durationHint(900, 300)).toBeNull();
    expect(durationHint(null, 300)).toBeNull();
    expect(durationHint(900, undefined)).toBeNull();
  });
});
