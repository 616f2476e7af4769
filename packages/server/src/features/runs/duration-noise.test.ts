import { describe, expect, it } from 'vitest';
import { scoreOf, thresholdOf, usualOf } from './duration-noise.ts';

/** Numbers from 0 to 1, the same each time. */
const seeded = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
};

const RUNS = 30;
const TESTS = 2_000;

/** Log durations of tests that differ in how steady they are; a share of results takes much longer for no reason. */
const unchanged = (spread: number, outliers: number, seed: number) => {
  const random = seeded(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const draw = (): number => 6 + spread * normal() + (random() < outliers ? -0.8 * Math.log(1 - random()) : 0);
  return { past: Array.from({ length: TESTS }, () => Float64Array.from({ length: RUNS }, draw)), draw };
};

describe('what is usual for durations', () => {
  it.each([
    [0.02, 0],
    [0.2, 0],
    [0.5, 0],
    [0.05, 0.05],
    [0.2, 0.05],
    [0.3, 0.15],
  ])('calls at most 1 in 100 tests of an unchanged run different: spread %d, %d outliers', (spread, outliers) => {
    const { past, draw } = unchanged(spread, outliers, 7);
    const usual = past.map(usualOf);
    const threshold = thresholdOf(past, usual)!;
    const flagged = usual.filter((one) => Math.abs(scoreOf(draw(), one!)) >= threshold);
    expect(flagged.length).toBeLessThanOrEqual(0.01 * TESTS);
  });

  it('finds most tests of a steady project that take twice as long', () => {
    const { past, draw } = unchanged(0.1, 0.005, 11);
    const usual = past.map(usualOf);
    const threshold = thresholdOf(past, usual)!;
    const found = usual.filter((one) => scoreOf(draw() + Math.log(2), one!) >= threshold);
    expect(found.length).toBeGreaterThan(0.8 * TESTS);
  });

  it('says nothing of tests that passed in fewer than ten runs', () => {
    const few = Float64Array.from({ length: RUNS }, (_, at) => (at < 9 ? 5 : NaN));
    expect(usualOf(few)).toBeNull();
    expect(thresholdOf([few], [null])).toBeNull();
  });
});
