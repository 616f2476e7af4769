import { describe, expect, it } from 'vitest';
import { createByteCache } from './byte-cache.ts';

describe('a byte cache', () => {
  it('never holds more than its bound, and lets go of what was used least lately', () => {
    const cache = createByteCache<number, string>(10_000);
    for (let key = 0; key < 100; key++) {
      cache.set(key, `value ${key}`, 800);
      expect(cache.bytes).toBeLessThanOrEqual(10_000);
      cache.get(0);
    }
    expect(cache.get(0)).toBe('value 0');
    expect(cache.get(99)).toBe('value 99');
    expect(cache.get(50)).toBeUndefined();
  });

  it('does not take what is larger than all of it', () => {
    const cache = createByteCache<string, number>(1000);
    cache.set('small', 1, 100);
    cache.set('huge', 2, 5000);
    expect(cache.get('huge')).toBeUndefined();
    expect(cache.get('small')).toBe(1);
  });

  it('counts a value that replaces another once', () => {
    const cache = createByteCache<string, number>(1000);
    cache.set('a', 1, 300);
    cache.set('a', 2, 300);
    expect(cache.bytes).toBe(500);
    expect(cache.get('a')).toBe(2);
  });
});
