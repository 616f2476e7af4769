import type { FailureVerdict, VerdictTerm } from '@assay/contract';
import { expect, it } from 'vitest';
import { baseWords, countWords, effectWords, oddsWords, termWords } from './words.ts';

const NO_BITS = { yours: 0, base: 0, flake: 0, outage: 0 };
const term = (fields: Partial<VerdictTerm>): VerdictTerm => ({
  kind: 'prior',
  bits: NO_BITS,
  outcome: null,
  count: null,
  of: null,
  rate: null,
  ...fields,
});

it.each<[Partial<VerdictTerm>, string]>([
  [{ kind: 'base', outcome: 'passed', count: 44 }, 'It passed at the base, in the last 44 runs with it'],
  [{ kind: 'base', outcome: 'failed', count: 1 }, 'It failed at the base, in the last 1 run with it'],
  [{ kind: 'base', outcome: 'unknown', count: 0 }, 'No run of the base is known'],
  [{ kind: 'commit', count: 0, of: 2 }, 'It failed in 0 of 2 other runs of this commit'],
  [{ kind: 'rate', count: 6, of: 24, rate: 0.2 }, 'It was flaky in 6 of 24 runs, an estimated rate of 20 %'],
  [{ kind: 'rate', count: 0, of: 24, rate: 0.001 }, 'It was not flaky in 24 runs'],
  [{ kind: 'retries', count: 2 }, 'It failed on 2 retries too'],
  [{ kind: 'cause', outcome: 'before', count: 6, of: 7 }, '6 of its 7 failed or flaky results before had this error'],
  [{ kind: 'alike', count: 1 }, '1 other failure of this run has this error'],
  [{ kind: 'elsewhere', count: 1, of: 2 }, '1 of 2 other branches had this error in the six hours before'],
  [{ kind: 'files', outcome: 'touched', count: 3 }, '3 commits since the base touched its file'],
  [{ kind: 'files', outcome: 'untouched', count: 0 }, 'No commit lies between the base and this run'],
  [{ kind: 'outage', outcome: 'many' }, 'Far more failed in this run than usual'],
])('%o reads %s', (fields, words) => {
  expect(termWords(term(fields))).toBe(words);
});

it('a term says what it speaks for or against most', () => {
  const effect = (bits: Partial<typeof NO_BITS>) => effectWords({ bits: { ...NO_BITS, ...bits } });
  expect(effect({})).toBeNull();
  expect(effect({ flake: 0.3 })).toBeNull();
  expect(effect({ flake: 3 })).toBe('for “flake”, 8×');
  expect(effect({ outage: -8 })).toBe('against “outage”, 260×');
  expect(effect({ yours: 12, base: 0 })).toBe('for “newly broken”, over 1,000×');
});

it('odds are told from the likeliest, and never as certain', () => {
  const odds = { yours: 0.999, base: 0.0005, flake: 0.0005, outage: 0 };
  expect(oddsWords({ odds } as FailureVerdict)).toBe('this change broke it: 99.9 %');
  expect(oddsWords({ odds: { yours: 0.3, base: 0, flake: 0.7, outage: 0 } } as FailureVerdict)).toBe(
    'it is a flake: 70 %; this change broke it: 30 %',
  );
});

it('counts leave out what there is none of', () => {
  expect(countWords({ counts: { yours: 2, base: 0, flake: 1, outage: 0, unknown: 1 } })).toEqual([
    { verdict: 'yours', words: '2 newly broken by this change' },
    { verdict: 'flake', words: '1 of flaky tests' },
    { verdict: 'unknown', words: '1 not clear' },
  ]);
  expect(baseWords({ baseBy: null })).toBeNull();
});
