import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorCause, withoutAnsi } from './error-cause.ts';

const word = fc.constantFrom(
  'Error:',
  'expected',
  'Timeout',
  'received',
  '"/home/ci/a b/x.png"',
  "'C:\\work\\x.ts'",
  '"/a',
  'b"',
  'https://shop.test/orders/17?x=1',
  '3f2a9c1e-9f7b-4b5e-8a59-0f6d5a0c1b2e',
  'deadbeef01',
  '0x7ffee4',
  'abcdefghijklmnopqrst1',
  '12.5s',
  '10:32:11',
  '\u001b[31mred\u001b[39m',
  '👩‍👩‍👧',
  '<n>',
);
const text = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 3_000 }),
);

describe('the cause of an error', () => {
  it('is its own cause', () => {
    fc.assert(
      fc.property(text, (error) => {
        const cause = errorCause(error);
        expect(errorCause(cause)).toBe(cause);
      }),
    );
  });

  it('is one short line without digits and control characters, and well-formed when the error is', () => {
    fc.assert(
      fc.property(text, (error) => {
        const cause = errorCause(error);
        expect(cause.length).toBeLessThanOrEqual(300);
        // oxlint-disable-next-line no-control-regex
        expect(cause).not.toMatch(/[\u0000-\u001f\u007f]|[0-9]/);
        if (error.isWellFormed()) expect(cause.isWellFormed()).toBe(true);
      }),
    );
  });

  it('does not depend on colours, numbers and later lines', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), text, (a, b, rest) => {
        const first = errorCause(`Error: waited ${a} ms for row ${b}\n${rest}`);
        expect(errorCause(`\u001b[31mError: waited ${b} ms\u001b[39m for row ${a}`)).toBe(first);
      }),
    );
  });

  it.each([
    ['Error: expect(received).toBe(expected)', 'Error: expect(received).toBe(expected)'],
    [
      '\n\n  TimeoutError: page.click: Timeout 30000ms exceeded.\n at x',
      'TimeoutError: page.click: Timeout <n>ms exceeded.',
    ],
    ['ENOENT: no such file, open "/tmp/run-17/a.png"', 'ENOENT: no such file, open <path>'],
    ['GET https://shop.test/api/orders/17?token=abc: 500', 'GET <url> <n>'],
    ['order 3f2a9c1e-9f7b-4b5e-8a59-0f6d5a0c1b2e is missing', 'order <id> is missing'],
    ['commit 9fceb02d0ae598e95dc970b74767f19372d61af8 differs', 'commit <id> differs'],
    ['the decade and the facade stay', 'the decade and the facade stay'],
    ['', ''],
  ])('of %j is %j', (error, cause) => {
    expect(errorCause(error)).toBe(cause);
  });
});

describe('a text without ANSI', () => {
  it('has no escapes that a terminal would act on', () => {
    expect(withoutAnsi('\u001b[1m\u001b[38;5;9mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007')).toBe(
      'red link',
    );
  });
});
