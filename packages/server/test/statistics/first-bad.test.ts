import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Course,
  type Step,
  followTest,
  isSure,
  likeliest,
  likeliestStart,
} from '../../src/statistics/first-bad.ts';
import { finish } from './flake-truth.ts';
import { measureFalseAlarms, measureSince } from './since-truth.ts';

/** P passed, K passed on a retry, F failed; letters of one step stand together. */
const stepsOf = (words: string): Step[] =>
  words.split(' ').map((word) => {
    const count = (letter: string): number => word.split(letter).length - 1;
    return { passed: count('P'), flaky: count('K'), failed: count('F'), commits: 1 };
  });
const many = (word: string, times: number): string => Array.from({ length: times }, () => word).join(' ');
const follow = (words: string): Course & { readonly steps: readonly Step[] } => {
  const steps = stepsOf(words);
  return { ...finish(followTest(steps)), steps };
};
const sure = (words: string, kind: 'broken' | 'flaky'): boolean => {
  const course = follow(words);
  return isSure(course.steps, course, kind);
};

describe('planted commits', () => {
  it.each(['broken', 'flaky'] as const)('that made a test %s are in the set that is told', (kind) => {
    const { told, within, hinted } = measureSince('tests', kind, 100);
    expect(told).toBeGreaterThan(0.4);
    expect(within).toBeGreaterThanOrEqual(0.94);
    if (kind === 'flaky') expect(hinted).toBe(1);
  });

  it('are not seen where nothing changed', () => {
    const { tests, broken, flaky } = measureFalseAlarms('tests', 150);
    expect(tests).toBeGreaterThan(80);
    expect(broken + flaky).toBeLessThanOrEqual(1);
  });
});

describe('a test', () => {
  it('that passes is not broken, however often it ran', () => {
    for (const words of ['P', many('P', 3), many('P', 300)]) {
      const { fine, broken } = follow(words);
      expect(fine).toBeGreaterThan(0.9);
      expect(broken.probability).toBeLessThan(0.01);
    }
  });

  it('that never passed was broken from the start', () => {
    const { broken } = follow(many('F', 30));
    expect(broken.probability).toBeGreaterThan(0.95);
    expect(broken.fromStart).toBeGreaterThan(0.95);
    expect(likeliestStart(broken)).toBe(0);
  });

  it('that did not run is nothing yet', () => {
    const { fine, broken, flaky } = finish(followTest([]));
    expect(fine + broken.probability + flaky.probability).toBeCloseTo(1, 9);
    expect(broken.fromStart).toBe(1);
  });

  it('that failed once may have failed by chance; that failed twice is broken', () => {
    expect(sure(`${many('P', 100)} F`, 'broken')).toBe(false);
    expect(sure(`${many('P', 100)} F F`, 'broken')).toBe(true);
    expect(sure(`${many('P', 100)} FF`, 'broken'), 'two runs of one commit').toBe(true);
    expect(sure(`${many('P', 100)} FP`, 'broken'), 'both ways on one commit').toBe(false);
  });

  it('is broken since the last time that it was mended', () => {
    const { broken } = follow(`${many('P', 30)} ${many('F', 5)} ${many('P', 30)} ${many('F', 4)}`);
    expect(likeliestStart(broken)).toBe(65);
    expect(broken.at[65]).toBeGreaterThan(0.95);
  });

  it('that passed once while it was broken is still broken since the same step', () => {
    const { broken } = follow(`${many('P', 60)} F F F F P F F F F F F`);
    expect(broken.probability).toBeGreaterThan(0.9);
    expect(likeliestStart(broken)).toBe(60);
  });

  it('that was flaky before may have failed by chance when it broke', () => {
    const flakyBefore = `${many('P P P F P P P P P', 6)} F F F F F F F F`;
    const { broken } = follow(flakyBefore);
    expect(broken.at[54]).toBeGreaterThan(0.5);
    expect(broken.at[55]).toBeGreaterThan(follow(`${many('P', 54)} F F F F F F F F`).broken.at[55]! * 10);
  });

  it('becomes flaky, by retries or by failures in between', () => {
    for (const letter of ['K', 'F']) {
      const { steps, ...course } = follow(`${many('P', 80)} ${many(`P ${letter} P P ${letter} P P`, 5)}`);
      expect(isSure(steps, course, 'flaky')).toBe(true);
      expect(course.flaky.fromStart).toBeLessThan(0.05);
      expect(Math.abs(likeliestStart(course.flaky) - 81)).toBeLessThanOrEqual(2);
    }
  });
});

it('a step with many commits is the likelier one', () => {
  const [one, more] = [1, 20].map((commits) => {
    const steps = stepsOf(`${many('P', 20)} PF F F F`).map((step, at) => (at === 20 ? { ...step, commits } : step));
    return finish(followTest(steps)).broken.at[20]!;
  });
  expect(more).toBeGreaterThan(one!);
});

const someSteps = (most: number) =>
  fc.array(
    fc.record({
      passed: fc.nat(2),
      flaky: fc.nat(1),
      failed: fc.nat(2),
      commits: fc.integer({ min: 1, max: 60 }),
    }),
    { maxLength: most },
  );

it('all that may be adds up to 1', () => {
  fc.assert(
    fc.property(someSteps(40), (steps) => {
      const { fine, broken, flaky } = finish(followTest(steps));
      expect(fine + broken.probability + flaky.probability).toBeCloseTo(1, 6);
      for (const { at, fromStart } of [broken, flaky]) {
        expect(at.reduce((sum, share) => sum + share, fromStart)).toBeCloseTo(1, 6);
        expect(Math.min(fromStart, ...at)).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

it('one more failure at the end never speaks against being broken', () => {
  fc.assert(
    fc.property(someSteps(20), (steps) => {
      const [less, more] = [0, 1].map((failed) =>
        finish(followTest([...steps, { passed: 0, flaky: 0, failed: 1 + failed, commits: 1 }])),
      );
      expect(more!.broken.probability).toBeGreaterThanOrEqual(less!.broken.probability - 1e-9);
    }),
  );
});

it('the likeliest alternatives are the fewest that have the share', () => {
  expect(likeliest([0.1, 0.6, 0.3], 0.85)).toEqual([1, 2]);
  expect(likeliest([0.5, 0.5], 0.5)).toEqual([0]);
  expect(likeliest([], 0.95)).toEqual([]);
});
