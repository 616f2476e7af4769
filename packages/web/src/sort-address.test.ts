import { describe, expect, it } from 'vitest';
import { readSort } from './sort-address.ts';

describe('readSort', () => {
  const read = (text: string) => readSort(text, ['name', 'count'], 'name');

  it('reads a column and its reverse', () => {
    expect(read('count')).toEqual({ column: 'count', reversed: false });
    expect(read('-count')).toEqual({ column: 'count', reversed: true });
  });

  it('takes the fallback for anything else', () => {
    for (const text of ['', '-', 'size', '-size', '--count'])
      expect(read(text)).toEqual({ column: 'name', reversed: false });
  });
});
