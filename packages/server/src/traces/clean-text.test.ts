import { expect, test } from 'vitest';
import { cleanCallTitle, cleanText } from './clean-text.ts';

test.each([
  ['GET https://ada:pw@shop.test/a?token=secret#top 404', 'GET https://shop.test/a 404'],
  ['navigating to "/login?token=secret", waiting', 'navigating to "/login", waiting'],
  ['opened login?token=secret', 'opened login'],
  ['at (https://shop.test/app.js?v=secret:1:2)', 'at (https://shop.test/app.js'],
  ["getByText(/colou?r/) or getByText('what?')", "getByText(/colou?r/) or getByText('what?')"],
  ['are you sure? yes: #basket', 'are you sure? yes: #basket'],
  ['\u001b[31mred\u001b[39m', 'red'],
  ['Call log:\n  - fill("a "secret" b")\n  - waiting', 'Call log:\n  - fill("…")\n  - waiting'],
  ['Call log:\n  - fill("first\nsecret")\n  - type("secret', 'Call log:\n  - fill("…")\n  - type("…'],
])('of the text %j only %j is kept', (text, kept) => {
  expect(cleanText(text)).toBe(kept);
});

test.each([
  ['Fill "secret"', 'Fill "…"'],
  ['Fill "a "secret"" getByLabel(\'Password\')', 'Fill "…" getByLabel(\'Password\')'],
  ['Type "two\nlines"', 'Type "…"'],
  ['Insert "secret"', 'Insert "…"'],
  ['keyboard.type(secret)', 'keyboard.type(…)'],
  ['Navigate to "/x?token=secret"', 'Navigate to "/x"'],
  ['page.goto(/login?secret)', 'page.goto(/login)'],
  ['page.goto(https://shop.test/?token=secret)', 'page.goto(https://shop.test/)'],
  ["locator.click(getByText('Fill in'))", "locator.click(getByText('Fill in'))"],
])('the title %j is told as %j', (title, told) => {
  expect(cleanCallTitle(title)).toBe(told);
});
