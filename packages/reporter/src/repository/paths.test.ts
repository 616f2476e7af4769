import { describe, expect, it } from 'vitest';
import { findRepository, relativePath } from './paths.ts';

describe('a path', () => {
  it.each([
    ['/home/ci/shop', '/home/ci/shop/tests/cart.spec.ts', 'tests/cart.spec.ts'],
    ['/home/ci/shop', '/home/ci/other/a.spec.ts', '../other/a.spec.ts'],
    ['C:\\ci\\shop', 'C:\\ci\\shop\\tests\\cart.spec.ts', 'tests/cart.spec.ts'],
    ['c:\\ci\\shop', 'C:\\CI\\shop\\tests\\cart.spec.ts', 'tests/cart.spec.ts'],
    ['C:/ci/shop', 'C:\\ci\\shop\\tests\\cart.spec.ts', 'tests/cart.spec.ts'],
    ['\\\\server\\share\\shop', '\\\\server\\share\\shop\\a.spec.ts', 'a.spec.ts'],
    ['C:\\ci\\shop', 'D:\\tests\\cart.spec.ts', 'D:/tests/cart.spec.ts'],
  ])('in %s: %s is told as %s', (root, file, told) => {
    expect(relativePath(root, file)).toBe(told);
  });
});

describe('the repository', () => {
  const withGitAt = (path: string) => (asked: string) => asked === path;

  it('is the nearest folder upwards that git knows, on every system', () => {
    expect(findRepository('/home/ci/shop/packages/web/e2e', withGitAt('/home/ci/shop/.git'))).toBe('/home/ci/shop');
    expect(findRepository('C:\\ci\\shop\\e2e', withGitAt('C:\\ci\\shop\\.git'))).toBe('C:\\ci\\shop');
  });

  it('may be none', () => {
    expect(findRepository('/home/ci/shop', () => false)).toBeNull();
    expect(findRepository('C:\\ci', () => false)).toBeNull();
  });
});
