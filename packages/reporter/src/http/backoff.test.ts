import { expect, it } from 'vitest';
import { retryDelayMs } from './backoff.ts';

it('waits twice as long each time, spread by half, up to a limit', () => {
  const middle = [1, 2, 3, 10].map((attempt) => retryDelayMs(attempt, undefined, () => 0.5));
  expect(middle).toEqual([400, 800, 1600, 15_000]);
  expect(retryDelayMs(1, undefined, () => 0)).toBe(200);
  expect(retryDelayMs(1, undefined, () => 1)).toBe(600);
});

it('waits as long as the service asks for, within the limit', () => {
  expect(retryDelayMs(1, '3', () => 0.5)).toBe(3_400);
  expect(retryDelayMs(1, '600', () => 0.5)).toBe(15_000);
  expect(retryDelayMs(1, 'Wed, 21 Oct 2026 07:28:00 GMT', () => 0.5)).toBe(400);
});
