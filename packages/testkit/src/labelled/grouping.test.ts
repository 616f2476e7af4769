import { errorCause } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { draws } from '../draws.ts';
import { causesOf, labelErrors } from './label-errors.ts';
import { measureGrouping } from './measure-grouping.ts';
import { LABELLED_SETS } from './sets.ts';

const SEEDS = Array.from({ length: draws(2, 40) }, (_, at) => `${process.env['ASSAY_SEED'] ?? 'grouping'} ${at}`);
const ERRORS_OF_TESTS = ['runners', 'hotel', 'heldOut'] as const;

describe('labelled errors', () => {
  it('are of more than 300 causes, and the same for the same seed', () => {
    expect(ERRORS_OF_TESTS.flatMap((set) => causesOf(LABELLED_SETS[set])).length).toBeGreaterThan(300);
    expect(labelErrors(LABELLED_SETS.runners, 1)).toEqual(labelErrors(LABELLED_SETS.runners, 1));
  });

  it.each(Object.entries(LABELLED_SETS))('of %s have all alternatives in every text', (_, templates) => {
    for (const { template } of causesOf(templates)) expect(template).not.toMatch(/[⟦⟧]/);
  });
});

describe('a measured grouping', () => {
  const errors = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((text) => ({ label: text[0]!, text }));

  it('is right when each cause has one fingerprint of its own', () => {
    const { accuracy, f1, wrongJoins, splits } = measureGrouping(errors, ([letter]) => letter!);
    expect({ accuracy, f1, wrongJoins, splits }).toEqual({ accuracy: 1, f1: 1, wrongJoins: [], splits: [] });
  });

  it('counts all errors of a group that is not exactly a cause as wrong', () => {
    const joined = measureGrouping(errors, ([letter]) => (letter === 'c' ? 'b' : letter!));
    expect(joined).toMatchObject({ accuracy: 1 / 2, precision: 4 / 6, recall: 1, wrongJoins: [['b', 'c']] });
    const split = measureGrouping(errors, (text) => (text === 'a3' ? text : text[0]!));
    expect(split).toMatchObject({ accuracy: 1 / 2, precision: 1, recall: 2 / 4, splits: [['a', 'a3']] });
  });
});

describe('the cause of an error', () => {
  it.each(ERRORS_OF_TESTS)('groups the errors of %s and joins none wrongly', (set) => {
    for (const seed of SEEDS) {
      const { accuracy, f1, wrongJoins } = measureGrouping(labelErrors(LABELLED_SETS[set], seed), errorCause);
      expect(wrongJoins).toEqual([]);
      expect(accuracy).toBeGreaterThanOrEqual(0.95);
      expect(f1).toBeGreaterThanOrEqual(0.98);
    }
  });

  it('joins no lines of system logs wrongly either', () => {
    for (const seed of SEEDS) {
      const { accuracy, wrongJoins } = measureGrouping(labelErrors(LABELLED_SETS.foreign, seed), errorCause);
      expect(wrongJoins).toEqual([]);
      expect(accuracy).toBeGreaterThanOrEqual(0.75);
    }
  });
});
