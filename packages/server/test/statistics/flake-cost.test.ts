import { describe, expect, it } from 'vitest';
import { createChanceFinder } from '../../src/statistics/chance-failures.ts';
import { type CostedRun, costOfFlakes } from '../../src/statistics/flake-cost.ts';
import { measureCost } from './cost-truth.ts';

/** Runs of one test: `P` passed, `F` failed, `-` did not run; below each its commit, if it has one. */
const findChance = (course: string, commits = '', { retried = false, branches = '' } = {}): string => {
  const runs = [...course].map((_, at) => ({ branch: branches[at] ?? null, commit: commits[at] ?? null }));
  const failures = [...course].flatMap((letter, run) => (letter === 'F' ? [{ run, test: 7 }] : []));
  const finder = createChanceFinder(runs, failures, new Set(retried ? [7] : []));
  for (const [run, letter] of [...course].entries()) if (letter !== '-') finder.add(run, 7, letter === 'P');
  return finder.find().map(Number).join('');
};

describe('a failure is by chance', () => {
  it.each([
    ['nowhere when nothing else is known of the test', 'PPFPP', '', {}, '0'],
    ['between passes of a test that passed on a retry', 'PPFPP', '', { retried: true }, '1'],
    ['not at the beginning', 'FPP', '', { retried: true }, '0'],
    ['not at the end', 'PPF', '', { retried: true }, '0'],
    ['not when it goes on', 'PFFP', '', { retried: true }, '00'],
    ['also after runs that left the test out', 'P--F-P', '', { retried: true }, '1'],
    ['on a commit that another run passed', 'PFP', 'abb', {}, '1'],
    ['and then elsewhere too', 'PFPPFP', 'abbcde', {}, '11'],
    ['not between passes of other branches', 'PFP', '', { retried: true, branches: 'aba' }, '0'],
  ])('%s', (_, course, commits, more, found) => {
    expect(findChance(course, commits, more)).toBe(found);
  });
});

const run = (byChance: readonly number[], others: readonly number[] = []): CostedRun => ({
  byChance,
  others,
  tries: byChance.map((test) => ({ test, failed: 1, passed: 0 })),
});

describe('what failures by chance cost', () => {
  it('is nothing where nothing failed', () => {
    expect(costOfFlakes([])).toEqual({ redRuns: 0, redByChance: 0, muted: [], retried: null });
    expect(costOfFlakes([run([])])).toMatchObject({ redRuns: 0, redByChance: 0, muted: [] });
  });

  it('names the tests that make most runs green, one after the other', () => {
    const runs = [run([1]), run([1]), run([1, 2]), run([2, 3]), run([3]), run([1], [9])];
    const { redRuns, redByChance, muted } = costOfFlakes(runs);
    expect({ redRuns, redByChance }).toEqual({ redRuns: 6, redByChance: 5 });
    expect(muted).toEqual([
      { test: 1, redRuns: 3, freedRuns: 2, red: null },
      { test: 2, redRuns: 2, freedRuns: 3, red: null },
      { test: 3, redRuns: 2, freedRuns: 5, red: null },
    ]);
  });

  it('is forecast for runs to come: a test that is gone makes none red', () => {
    const runs = Array.from({ length: 100 }, (_, at) =>
      at % 5 === 0 ? run([1]) : at % 25 === 1 ? run([], [9]) : run([]),
    );
    const { muted, retried } = costOfFlakes(runs);
    expect(muted[0]!.red!.share).toBeCloseTo(0.04);
    expect(muted[0]!.red!.low).toBeLessThan(0.04);
    expect(muted[0]!.red!.high).toBeGreaterThan(0.04);
    // Every further try failed.
    expect(retried!.share).toBeCloseTo(0.24);
  });

  it('holds on planted truth', () => {
    const { precision, recall, muted, retried } = measureCost('planted', 15, 200);
    expect(precision).toBeGreaterThan(0.95);
    expect(recall).toBeGreaterThan(0.85);
    expect(muted).toBeGreaterThan(0.8);
    expect(retried).toBeGreaterThan(0.8);
  });
});
