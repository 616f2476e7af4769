import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';

const draw = (seed: number | string, count = 8): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random.next());
};

describe('createRandom', () => {
  it('gives these numbers on every machine', () => {
    const random = createRandom('assay');
    const drawn = [
      random.integer(0, 999_999),
      random.integer(0, 999_999),
      random.fork('a').fork(7).integer(0, 999_999),
    ];
    expect(drawn).toEqual([864871, 708413, 129219]);
  });

  it('gives the same stream for the same seed and another for another', () => {
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw('7')).not.toEqual(draw('8'));
    expect(draw(1)).not.toEqual(draw(1 + 2 ** 32));
  });

  it('forks by seed and label, whatever was drawn before', () => {
    const fresh = createRandom(1).fork('a').next();
    const used = createRandom(1);
    for (let count = 0; count < 100; count++) used.next();
    used.fork('b').next();
    expect(used.fork('a').next()).toBe(fresh);
    expect(used.fork('b').next()).not.toBe(fresh);
    expect(createRandom(2).fork('a').next()).not.toBe(fresh);
  });

  it('forks without collisions', () => {
    const root = createRandom(1);
    const firsts = new Set<string>();
    for (let label = 0; label < 20_000; label++) {
      const fork = root.fork(label);
      firsts.add(`${fork.next()} ${fork.next()}`);
    }
    expect(firsts.size).toBe(20_000);
  });

  it('spreads evenly over [0, 1), also across forks', () => {
    const root = createRandom(3);
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let label = 0; label < 10_000; label++) buckets[Math.floor(root.fork(label).next() * 10)]!++;
    for (const count of buckets) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it('includes both ends of an integer range and picks every item', () => {
    const random = createRandom(1);
    const integers = new Set(Array.from({ length: 200 }, () => random.integer(-1, 1)));
    expect(integers).toEqual(new Set([-1, 0, 1]));
    const picks = new Set(Array.from({ length: 200 }, () => random.pick(['a', 'b', 'c'])));
    expect(picks).toEqual(new Set(['a', 'b', 'c']));
    expect(() => random.pick([])).toThrow(RangeError);
  });

  it('has the mean and deviation asked for', () => {
    const random = createRandom(1);
    const values = Array.from({ length: 20_000 }, () => random.normal(50, 4));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(mean).toBeCloseTo(50, 0);
    expect(Math.sqrt(variance)).toBeCloseTo(4, 0);
  });
});
