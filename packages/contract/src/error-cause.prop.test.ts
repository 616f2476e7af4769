import { anyCharacter } from '@assay/testkit/any-character';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorCause, errorPlace, withoutAnsi } from './error-cause.ts';

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
  '<*>',
);
const text = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
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

  it('is one short line without control characters and without numbers but for status codes, and well-formed when the error is', () => {
    fc.assert(
      fc.property(text, (error) => {
        const cause = errorCause(error);
        expect(cause.length).toBeLessThanOrEqual(400);
        // oxlint-disable-next-line no-control-regex
        expect(cause.replace(/(?<!\d)[2-5]\d\d(?!\d)/g, '')).not.toMatch(/[\u0000-\u001f\u007f]|[0-9]/);
        if (error.isWellFormed()) expect(cause.isWellFormed()).toBe(true);
      }),
    );
  });

  it('does not depend on colours, numbers and places in the code', () => {
    const number = fc.integer({ min: 0, max: 199 });
    fc.assert(
      fc.property(number, number, (a, b) => {
        const first = errorCause(`Error: waited ${a} ms for row ${b}\n    at /ci/a.ts:${a}:1`);
        expect(errorCause(`\u001b[31mError: waited ${b} ms\u001b[39m for row ${a}\n    at /ci/b.ts:${b}:1`)).toBe(
          first,
        );
      }),
    );
  });

  it('does not depend on what comes after the first 32,000 characters', () => {
    const first = `Error: no bank\n${'x'.repeat(32_000)}`;
    expect(errorCause(`${first}\nCaused by: Error: ${'y'.repeat(1_000_000)}`)).toBe(errorCause(first));
  });

  it('keeps both ends of a long message', () => {
    const cause = errorCause(`insert into "orders" ${'("name"), '.repeat(200)} - null value in column "total"`);
    expect(cause).toMatch(/^insert into "orders" .*….* - null value in column "total"$/);
  });

  it.each([
    ['worker exited with code 137 after 3 s', 'worker exited with code 137 after <*>'],
    ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED <*>:5432'],
    ['connect ECONNREFUSED 10.0.3.17:41234', 'connect ECONNREFUSED <*>'],
    ["Cannot find module 'lodash'", "Cannot find module 'lodash'"],
    ["User 'alice' has no cart", 'User <*> has no cart'],
    ['GET /orders/404 answered 503', 'GET /orders/<*> answered 503'],
    ['took 1m30.5s', 'took <*>'],
    ['at 2026-11-17T01:02:29.123Z', 'at <*>'],
    ['Error: expect(received).toBe(expected)', 'Error: expect(received).toBe(expected)'],
    [
      '\n\n  TimeoutError: page.click: Timeout 30000ms exceeded.\n at x',
      'TimeoutError: page.click: Timeout <*> exceeded.',
    ],
    ['ENOENT: no such file, open "/tmp/run-17/a.png"', 'ENOENT: no such file, open "<*>/a.png"'],
    ['GET https://shop.test/api/orders/17?token=abc answered 500', 'GET https://shop.test/api/orders/<*> answered 500'],
    ['Error: got 502 of /a', 'Error: got 502 of /a'],
    ['waited 500 ms for 404 rows', 'waited <*> for <*> row'],
    ['HTTP 503 Service Unavailable after 30 s', 'HTTP 503 Service Unavailable after <*>'],
    [
      'AssertionError: expected 500 to be 200 // Object.is equality',
      'AssertionError: expected 500 to be 200 // Object.is equality',
    ],
    ['order 3f2a9c1e-9f7b-4b5e-8a59-0f6d5a0c1b2e is missing', 'order <*> is missing'],
    ['commit 9fceb02d0ae598e95dc970b74767f19372d61af8 differs', 'commit <*> differs'],
    ['the decade and the facade stay', 'the decade and the facade stay'],
    ['', ''],
  ])('of %j is %j', (error, cause) => {
    expect(errorCause(error)).toBe(cause);
  });
});

const playwright = (locator: string): string =>
  `Error: \u001b[2mexpect(\u001b[22m\u001b[31mlocator\u001b[39m\u001b[2m).\u001b[22mtoBeVisible\u001b[2m()\u001b[22m failed

Locator: ${locator}
Expected: visible
Timeout: 5000ms
Error: element(s) not found

Call log:
  - waiting for ${locator}

    at /builds/shop/node_modules/x.js:1:1
    at /builds/shop/tests/cart.spec.ts:13:21`;

describe('errors of runners', () => {
  it('that look for three locators have three causes', () => {
    const locators = ["getByRole('button', { name: 'Pay' })", "getByTestId('total')", "locator('.cart')"];
    const causes = locators.map((locator) => errorCause(playwright(locator)));
    expect(causes).toEqual(locators.map((locator) => `Error: expect(locator).toBeVisible() failed · ${locator}`));
    expect(errorPlace(playwright('x'))).toBe('/builds/shop/tests/cart.spec.ts:13:21');
  });

  it.each([
    [
      'Playwright, a click that timed out',
      "\u001b[31mTest timeout of 30000ms exceeded.\u001b[39m\n\nError: locator.click: Test timeout of 30000ms exceeded.\nCall log:\n  - waiting for getByRole('button')",
      "Error: locator.click: Test timeout of <*> exceeded. · getByRole('button')",
    ],
    [
      'Jest, values',
      'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: "Paid"\nReceived: "Open"\n    at Object.<anonymous> (/ci/a.test.ts:4:39)',
      'Error: expect(received).toBe(expected) // Object.is equality · expected "Paid", received "Open"',
    ],
    [
      'Jest, status codes',
      'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 200\nReceived: 503\n    at Object.<anonymous> (/ci/a.test.ts:4:39)',
      'Error: expect(received).toBe(expected) // Object.is equality · expected 200, received 503',
    ],
    [
      'Jest, numbers: the file tells them apart',
      'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 4\nReceived: 3\n    at Object.<anonymous> (/ci/a.test.ts:4:39)',
      'Error: expect(received).toBe(expected) // Object.is equality · expected <*>, received <*> · a.test.ts',
    ],
    [
      'Vitest, a cause below',
      'TypeError: fetch failed\n ❯ src/client.ts:41:22\n\nCaused by: Error: connect ECONNREFUSED 10.0.3.17:8123',
      'TypeError: fetch failed · Error: connect ECONNREFUSED <*>:8123',
    ],
    [
      'JUnit, REST-assured',
      'java.lang.AssertionError: 1 expectation failed.\nExpected status code <200> but was <503>.\n\n\tat io.restassured.X.y(X.java:1)\n\tat org.shop.CartTest.pays(CartTest.java:19)',
      'java.lang.AssertionError: <*> expectation failed. · Expected status code <200> but was <503>.',
    ],
    [
      'pytest',
      'self = <test_cart.TestCart object at 0xffffab588090>\n\n    def test_pays(self):\n>       assert r.status_code == 200\nE       assert 500 == 200\nE        +  where 500 = <Response [500]>.status_code\n\ntests/test_cart.py:6: AssertionError',
      'AssertionError: assert 500 == 200',
    ],
    [
      'Python',
      'Traceback (most recent call last):\n  File "/ci/test_cart.py", line 4, in test_pays\n    pay()\n  File "/usr/lib/python3.11/x.py", line 8, in pay\n    raise ValueError(\nValueError: no money: 17',
      'ValueError: no money: <*>',
    ],
    ['Go', '    cart_test.go:12: GET /orders answered 503', 'GET /orders answered 503'],
    [
      'Go, testify',
      '\tError Trace:\t/ci/cart_test.go:20\n\tError:      \tNot equal: \n\t            \texpected: "paid"\n\t            \tactual  : "open"',
      'Not equal: expected: "paid"',
    ],
    ['Rust', "thread 'cart::adds_up' panicked at src/cart.rs:20:9:\nno such cart: 7", 'panicked: no such cart: <*>'],
  ])('%s', (_, error, cause) => {
    expect(errorCause(error)).toBe(cause);
  });

  it.each([
    ['    at new Promise (<anonymous>)\n    at async pay (/ci/shop/src/pay.ts:7:3)', '/ci/shop/src/pay.ts:7:3'],
    ['\tat org.junit.A.b(A.java:5)\n\tat org.shop.CartTest.pays(CartTest.java:19)', 'CartTest.java:19'],
    ['    cart_test.go:12: got 3', 'cart_test.go:12'],
    ['at Shop.CartTests.AddsUp() in C:\\src\\CartTests.cs:line 20', 'C:\\src\\CartTests.cs:20'],
    ['Error: nothing more is known', null],
  ])('come up where the first frame of nobody else is: %j', (error, place) => {
    expect(errorPlace(error)).toBe(place);
  });
});

describe('a text without ANSI', () => {
  it('has no escapes that a terminal would act on', () => {
    expect(withoutAnsi('\u001b[1m\u001b[38;5;9mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007')).toBe(
      'red link',
    );
  });
});
