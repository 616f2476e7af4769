import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HISTORY_LETTERS, heaviestLetter, historyLetter, LETTERS_BY_WEIGHT } from './history-letters.ts';
import { isFlaky, outcomeOf } from './outcome.ts';

const status = fc.oneof(
  fc.constantFrom('passed', 'failed', 'skipped', 'timedOut', 'interrupted', 'flaky', 'PASSED'),
  fc.string(),
);
const letter = fc.constantFrom(...Object.values(HISTORY_LETTERS));

describe('the letter of a result', () => {
  it('is K exactly when the result is flaky, and otherwise that of its outcome', () => {
    fc.assert(
      fc.property(status, fc.nat(3), (status, retries) => {
        const found = historyLetter(status, retries);
        expect(found === 'K').toBe(isFlaky(status, retries));
        if (found !== 'K')
          expect(found).toBe({ passed: 'P', failed: 'F', skipped: 'S', other: 'O' }[outcomeOf(status)]);
        expect(found).not.toBe('-');
      }),
    );
  });

  it('is one of the letters that have a weight, each once', () => {
    expect([...LETTERS_BY_WEIGHT].sort()).toEqual(Object.values(HISTORY_LETTERS).sort());
  });
});

describe('the heaviest of several letters', () => {
  it('is one of them, in any order, and a failure whenever there is one', () => {
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1 }), (letters) => {
        const found = heaviestLetter(letters);
        expect(letters).toContain(found);
        expect(heaviestLetter(letters.toReversed())).toBe(found);
        expect(found === 'F').toBe(letters.includes('F'));
      }),
    );
  });

  it('of none is that of a test that did not run', () => {
    expect(heaviestLetter([])).toBe('-');
  });
});
