import type { ExecutionDifference, FirstDifference } from '@assay/contract';
import { expect, test } from 'vitest';
import { alikeWords, differenceWords, untoldWords } from './words.ts';

const difference = (given: Partial<ExecutionDifference>): ExecutionDifference => ({
  kind: 'request',
  change: 'changed',
  what: 'POST /api/payments',
  here: null,
  usual: null,
  hereMs: null,
  usualMs: null,
  hereTimes: 1,
  usualTimes: 1,
  results: 10,
  alike: 0,
  atMs: null,
  ...given,
});

const sentence = (given: Partial<ExecutionDifference>): string => {
  const [before, after] = differenceWords(difference(given));
  return `${before} X ${after}`.trim();
};

test.each<[Partial<ExecutionDifference>, string]>([
  [{ here: '502', usual: '201' }, 'Request X was answered 502, otherwise 201'],
  [{ here: 'no answer', usual: '201' }, 'Request X got no answer, otherwise 201'],
  [{ change: 'added', here: '404' }, 'Request X was made and answered 404'],
  [{ change: 'added', here: 'no answer' }, 'Request X got no answer'],
  [{ change: 'missing', hereTimes: 0 }, 'Request X was not recorded'],
  [{ change: 'missing', hereTimes: 1, usualTimes: 2 }, 'Request X was not recorded again'],
  [{ change: 'repeated', hereTimes: 3, usualTimes: 1 }, 'Request X was made 3 times, at most 1 otherwise'],
  [{ change: 'slower', hereMs: 4_000, usualMs: 80 }, 'Request X took 4.0 s, at most 80 ms otherwise'],
  [{ kind: 'step', change: 'failed', here: 'Timed out' }, 'Step X failed: Timed out'],
  [{ kind: 'step', change: 'failed' }, 'Step X failed'],
  [{ kind: 'step', change: 'added' }, 'Step X ran'],
  [{ kind: 'step', change: 'missing', hereTimes: 0 }, 'Step X did not run'],
  [{ kind: 'console', change: 'added' }, 'Console message X'],
  [{ kind: 'version', here: '1.60.0', usual: '1.59.0' }, 'Version of X is 1.60.0, otherwise 1.59.0'],
  [{ kind: 'environment', here: 'production', usual: 'staging' }, 'The X is production, otherwise staging'],
])('%o', (given, words) => expect(sentence(given)).toBe(words));

test('how many passing results had it so', () => {
  expect(alikeWords(difference({}))).toBe('As in none of 10 passing results');
  expect(alikeWords(difference({ alike: 1 }))).toBe('As in 1 of 10 passing results');
  expect(alikeWords(difference({ change: 'missing', alike: 1 }))).toBe('9 of 10 passing results had it');
  expect(alikeWords(difference({ results: 1 }))).toBe('As in none of 1 passing result');
});

const compared = (given: Partial<FirstDifference['told']>, attempt: number | null = 0): FirstDifference => ({
  attempt,
  results: [{} as FirstDifference['results'][number]],
  told: {
    steps: { here: true, results: 1 },
    requests: { here: true, results: 1 },
    console: { here: true, results: 1 },
    versions: { here: true, results: 1 },
    ...given,
  },
  differences: [],
  more: 0,
});

test('what could not be compared is said', () => {
  expect(untoldWords(compared({}))).toBe(null);
  const untold = { requests: { here: true, results: 0 }, console: { here: true, results: 0 } };
  expect(untoldWords(compared(untold))).toBe(
    'Requests and console messages of the passing results cannot be compared. Playwright’s trace: ‘on’ records them of tests that pass, too; the fixtures of @assay/reporter record requests.',
  );
  expect(untoldWords(compared({ steps: { here: false, results: 1 } }))).toBe(
    'Steps of the attempt that failed cannot be compared.',
  );
});
