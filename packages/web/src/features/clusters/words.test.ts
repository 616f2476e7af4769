import { describe, expect, it } from 'vitest';
import { judgedWords, lifeWords } from './words.ts';

const life = { state: 'open', runsWithout: 0, chance: 1, seenIn: 1, seenOf: 1, returnedAfter: null } as const;

describe('the life of a cluster in words', () => {
  it.each([
    [life, 'in the latest run of its branches'],
    [{ ...life, runsWithout: 1 }, 'not in the latest run of its branches, which says little yet'],
    [{ ...life, runsWithout: 4 }, 'not in the latest 4 runs of its branches, which says little yet'],
    [{ ...life, state: 'returned', returnedAfter: 12 } as const, 'back after 12 runs without it'],
    [
      { ...life, state: 'returned', returnedAfter: 12, runsWithout: 1 } as const,
      'back after 12 runs without it; not in the latest run of its branches, which says little yet',
    ],
    [{ ...life, state: 'quiet', runsWithout: 30 } as const, 'not in the latest 30 runs of its branches'],
    [{ ...life, state: 'quiet' } as const, 'its branches had no runs for two weeks'],
    [{ ...life, state: 'fixed', runsWithout: 1_200 } as const, 'not in the latest 1,200 runs of its branches'],
  ])('%o', (told, words) => {
    expect(lifeWords(told)).toBe(words);
  });

  it('say what they are judged by', () => {
    expect(judgedWords({ ...life, seenIn: 5, seenOf: 8, runsWithout: 3, chance: 0.0421 })).toEqual([
      'Since it was first seen, 5 of 8 runs of its branches had it, up to the last that did.',
      '3 runs came after that without it. If nothing were fixed, that would happen in 4.2 % of such cases.',
      'Below 10 % it is called quiet, below 1 % fixed. Runs of only some tests and runs that are not complete do not count.',
    ]);
    expect(judgedWords({ ...life, seenIn: 0, seenOf: 0 })).toEqual(['None of the latest runs shows it.']);
    expect(judgedWords({ ...life, chance: 0.0004, runsWithout: 9 })[1]).toContain('less than 0.1 %');
  });
});
