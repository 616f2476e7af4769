import { describe, expect, it } from 'vitest';
import { DURATION_STEPS, withoutRepeats } from './chart-axes.ts';

describe('the labels of a chart', () => {
  it('of durations are short, and differ from one step to the next', () => {
    const { steps, tick } = DURATION_STEPS;
    expect([0, 500, 2_000, 30_000, 60_000, 300_000, 3_600_000, 5_400_000].map(tick)).toEqual([
      '0',
      '500 ms',
      '2 s',
      '30 s',
      '1 m',
      '5 m',
      '1 h',
      '1 h 30 m',
    ]);
    for (const step of steps) {
      const labels = Array.from({ length: 8 }, (_, at) => tick(at * step));
      expect(new Set(labels).size, labels.join()).toBe(8);
    }
  });

  it('name a day once, however many runs it has', () => {
    expect(withoutRepeats(['Mar 11', 'Mar 11', '', 'Mar 11', 'Mar 12', 'Mar 12'])).toEqual([
      'Mar 11',
      '',
      '',
      '',
      'Mar 12',
      '',
    ]);
  });
});
