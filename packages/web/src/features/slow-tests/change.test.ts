import { describe, expect, it } from 'vitest';
import { changeOf } from './change.ts';

describe('the change of a series', () => {
  it('is that of its later half against its earlier half', () => {
    expect(changeOf([100, 100, 150, 150])).toBe('+50 %');
    expect(changeOf([200, 200, 100])).toBe('−25 %');
    expect(changeOf([100, 100, 100, 100])).toBe('+0 %');
  });

  it('is nothing when there is too little or only zeros', () => {
    expect(changeOf([])).toBe('');
    expect(changeOf([5])).toBe('');
    expect(changeOf([0, 0, 5, 5])).toBe('');
  });
});
