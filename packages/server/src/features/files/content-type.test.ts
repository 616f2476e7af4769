import { expect, it } from 'vitest';
import { contentTypeOf } from './content-type.ts';

it('takes names of every object for no extension that it knows', () => {
  for (const name of ['a.constructor', 'a.__proto__', 'a.toString', 'a.valueof']) {
    expect(contentTypeOf(name)).toBe('application/octet-stream');
  }
  expect(contentTypeOf('a/index.HTML')).toBe('text/html; charset=utf-8');
});
