import { expect, test } from 'vitest';
import { allTriesFail } from './flake-model.ts';

test.each([
  // Tries that fail with a chance of 0.3 pass on the only retry in 0.3 × 0.7 of the runs, and fail twice in 0.3 × 0.3.
  [0.21, 1, 0.09],
  [0.1 - 0.1 ** 3, 2, 0.1 ** 3],
  [0, 3, 0],
  [0.25, 1, 0.25],
  [0.9, 1, 0.25],
  [0.2, 0, 0.2],
])('passing on a retry in %d of runs with %d retries, all fail in %d', (passes, retries, fail) => {
  expect(allTriesFail(passes, retries)).toBeCloseTo(fail, 6);
});
