import { expect, it } from 'vitest';
import { isTooLarge, kindOf } from './kinds.ts';

it.each([
  ['image/png', 'a', 'picture'],
  ['IMAGE/SVG+XML; charset=utf-8', 'a', 'picture'],
  ['video/webm', 'a', 'video'],
  ['audio/ogg', 'a', 'file'],
  ['text/markdown', 'error-context.md', 'text'],
  ['application/json', 'a', 'text'],
  ['application/problem+json', 'a', 'text'],
  ['application/octet-stream', 'server.log', 'text'],
  ['application/octet-stream', 'server.png', 'file'],
  ['application/jsonish', 'a', 'file'],
  ['application/zip', 'trace.txt', 'file'],
  ['', 'a', 'file'],
])('a %s named %s is a %s', (contentType, name, kind) => {
  expect(kindOf({ contentType, name })).toBe(kind);
});

it('a picture is too large by its pixels, if they are known', () => {
  expect(isTooLarge({ width: 40_000, height: 40_000 })).toBe(true);
  expect(isTooLarge({ width: 8_000, height: 5_000 })).toBe(false);
  expect(isTooLarge({ width: null, height: null })).toBe(false);
});
