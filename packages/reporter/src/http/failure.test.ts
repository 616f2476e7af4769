import { expect, it } from 'vitest';
import { concernsAll, isFinal, refusalOf } from './failure.ts';

const answer = (status: number) =>
  refusalOf({ status, headers: {}, body: { code: 'some_code', message: 'said' } }, 'http://localhost');

it.each([408, 425, 429, 500, 502, 503, 504, 507, 508, 511, 599])(
  '%i may pass, so the next run tries again',
  (status) => {
    expect(answer(status).kind).toBe('away');
    expect(isFinal(answer(status))).toBe(false);
  },
);

it.each([400, 409, 413, 415, 422])('%i is about this run, and others are still sent', (status) => {
  expect(isFinal(answer(status))).toBe(true);
  expect(concernsAll(answer(status))).toBe(false);
});

it.each([301, 401, 403, 404, 405, 429, 503, 507])('%i would be the answer to any other run as well', (status) => {
  expect(isFinal(answer(status))).toBe(false);
  expect(concernsAll(answer(status))).toBe(true);
});
