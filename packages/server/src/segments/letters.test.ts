import { historyLetter, LETTERS_BY_WEIGHT } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { createDictionary } from './dictionary.ts';
import { lettersOf, weightOf, weights } from './letters.ts';
import { encodeStatus } from './status-code.ts';

describe('the weight of a stored status', () => {
  it.each(['passed', 'failed', 'skipped', 'timedOut', 'interrupted', 'quarantined', 'other'])(
    'is that of the letter of %s',
    (status) => {
      for (const retries of [0, 1, 3]) {
        const weight = weightOf(encodeStatus(status, createDictionary()), retries);
        expect(LETTERS_BY_WEIGHT[weight]).toBe(historyLetter(status, retries));
      }
    },
  );

  it('becomes the text of a history', () => {
    expect(lettersOf(Uint8Array.from(Object.values(weights)))).toBe(LETTERS_BY_WEIGHT);
  });
});
