import { describe, expect, it } from 'vitest';
import { growthOf, timeOfBytes } from './forecast.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const days = (count: number, bytes: (day: number) => number) =>
  Array.from({ length: count }, (_, day) => ({ day, bytes: bytes(day) }));

describe('the growth', () => {
  it('is not told by fewer than seven days', () => {
    expect(growthOf([])).toBeNull();
    expect(growthOf(days(6, (day) => day))).toBeNull();
    expect(growthOf(days(7, (day) => 10 * day))).toBe(10);
  });

  it('is what most days say, whatever a clean-up or an import did on one', () => {
    expect(growthOf(days(28, (day) => 1_000_000 + 100 * day - (day > 25 ? 900_000 : 0)))).toBe(100);
    expect(growthOf(days(28, (day) => 100 * day + (day > 24 ? 5_000_000 : 0)))).toBe(100);
  });

  it('counts days that were not recorded', () => {
    expect(growthOf(days(20, (day) => 100 * day).filter(({ day }) => day % 3 !== 1))).toBe(100);
  });
});

describe('the time when bytes are reached', () => {
  it('is told as long as it is within ten years', () => {
    expect(timeOfBytes(1_000, 100, 0)).toBe(10 * DAY_MS);
    expect(timeOfBytes(100_000_000, 100, 0)).toBeNull();
    expect(timeOfBytes(-5, 100, 0)).toBe(0);
  });

  it('is not told when nothing grows, or it is not known', () => {
    expect(timeOfBytes(1_000, 0, 0)).toBeNull();
    expect(timeOfBytes(1_000, -3, 0)).toBeNull();
    expect(timeOfBytes(1_000, null, 0)).toBeNull();
  });
});
