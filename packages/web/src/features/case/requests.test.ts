import { describe, expect, it } from 'vitest';
import { isFailed, layOutRequests, sortRequests, splitUrl } from './requests.ts';

describe('splitUrl', () => {
  it('parts the host from the path', () => {
    expect(splitUrl('https://shop.test:8080/api/users/1')).toEqual({
      host: 'https://shop.test:8080',
      path: '/api/users/1',
    });
    expect(splitUrl('https://shop.test')).toEqual({ host: 'https://shop.test', path: '/' });
    expect(splitUrl('/api/users')).toEqual({ host: '', path: '/api/users' });
  });
});

describe('isFailed', () => {
  it('counts 400 and above and no answer, but not an unknown status', () => {
    expect([0, 200, 304, 400, 503, null, undefined].map(isFailed)).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('layOutRequests', () => {
  it('puts requests where their times say', () => {
    const laid = layOutRequests([
      { method: 'GET', url: '/a', startTime: 1000, duration: 100 },
      { method: 'GET', url: '/b', startTime: 1300, duration: 100 },
    ]);
    expect(laid.map(({ from, share }) => [from, share])).toEqual([
      [0, 0.25],
      [0.75, 0.25],
    ]);
  });

  it('starts all at the left when one has no time', () => {
    const laid = layOutRequests([
      { method: 'GET', url: '/a', startTime: 1000, duration: 100 },
      { method: 'GET', url: '/b', duration: 50 },
    ]);
    expect(laid.map(({ from, share }) => [from, share])).toEqual([
      [0, 1],
      [0, 0.5],
    ]);
  });
});

describe('sortRequests', () => {
  const laid = layOutRequests([
    { method: 'GET', url: '/b', status: 200, duration: 10 },
    { method: 'GET', url: '/a', status: 0, duration: null },
    { method: 'GET', url: '/c', status: 404, duration: 30 },
  ]);
  const pathsBy = (column: 'status' | 'duration' | 'address', reversed = false): string =>
    sortRequests(laid, { column, reversed })
      .map(({ path }) => path)
      .join('');

  it('puts the worst first, and the other way round when reversed', () => {
    expect(pathsBy('status')).toBe('/c/a/b');
    expect(pathsBy('duration')).toBe('/c/b/a');
    expect(pathsBy('duration', true)).toBe('/a/b/c');
    expect(pathsBy('address')).toBe('/a/b/c');
  });
});
