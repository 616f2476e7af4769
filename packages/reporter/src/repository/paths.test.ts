import { describe, expect, it } from 'vitest';
import { findRepository, relativePath } from './paths.ts';

describe('a path', () => {
  it.each([
    ['/work/shop', '/work/shop/tests/cart.spec.ts', 'tests/cart.spec.ts'],
    ['/work/shop', '/work/other/a.spec.ts', '../other/a.spec.ts'],
    ['C:\\work\\shop', 'C:\\work\\shop\\tests\\cart.spec.ts', 'tests/cart.spec.ts'],
    ['c:\\work\\shop', 'C:\\Work\\shop\\tests\\cart.spec.ts', 'tests/cart.spec.ts'],
    ['C:/work/shop', 'C:\\work\\shop\\tests\\cart.spec.ts', 'tests/cart.spec.ts'],
    ['\\\\server\\share\\shop', '\\\\server\\share\\shop\\a.spec.ts', 'a.spec.ts'],
    ['C:\\work\\shop', 'D:\\tests\\cart.spec.ts', 'D:/tests/cart.spec.ts'],
  ])('in %s: %s is told as %s', (root, file, told) => {
    expect(relativePath(root, file)).toBe(told);
  });
});

describe('the repository', () => {
  const withGitAt = (path: string) => (asked: string) => asked === path;

  it('is the nearest folder upwards that git knows, on every system', () => {
    expect(findRepository('/work/shop/packages/web/e2e', withGitAt('/work/shop/.git'))).toBe('/work/shop');
    expect(findRepository('C:\\work\\shop\\e2e', withGitAt('C:\\work\\shop\\.git'))).toBe('C:\\work\\shop');
  });

  it('may be none', () => {
    expect(findRepository('/work/shop', () => false)).toBeNull();
    expect(findRepository('C:\\work', () => false)).toBeNull();
  });
});
