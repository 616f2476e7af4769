import { expect, it } from 'vitest';
import { findFactors, tabulate } from '../../src/statistics/flake-factors.ts';
import { measureFactors } from './factor-truth.ts';

it('chances are those of Fisher', () => {
  // The lady tasting tea: 3 of 4 cups.
  const tea = { flakyWith: 3, runsWith: 4, flakyWithout: 1, runsWithout: 4 };
  expect(findFactors([tea]).believed).toEqual([]);
  const all = { flakyWith: 4, runsWith: 4, flakyWithout: 0, runsWithout: 4 };
  expect(findFactors([all]).believed[0]!.chance).toBeCloseTo(1 / 70, 10);
});

it('what could not be told from chance does not count among what was tried', () => {
  const once = { flakyWith: 1, runsWith: 1, flakyWithout: 5, runsWithout: 20 };
  const clear = { flakyWith: 10, runsWith: 20, flakyWithout: 0, runsWithout: 100 };
  expect(findFactors([once, clear])).toMatchObject({ tried: 1, believed: [{ found: clear }] });
});

it('of many that do not matter hardly any is told', () => {
  const tables = Array.from({ length: 40 }, () => ({ flakyWith: 4, runsWith: 40, flakyWithout: 8, runsWithout: 160 }));
  const oneOfForty = { flakyWith: 6, runsWith: 40, flakyWithout: 6, runsWithout: 160 };
  expect(findFactors([oneOfForty, ...tables]).believed).toEqual([]);
  expect(findFactors([oneOfForty]).believed).toHaveLength(1);
});

it('what is not known of a run counts neither with nor without', () => {
  const sightings = [
    { isFlaky: true, with: { shard: ['1'] } },
    { isFlaky: false, with: { shard: ['2'] } },
    { isFlaky: true, with: {} },
  ];
  expect(tabulate(sightings, 'shard')).toEqual([
    { kind: 'shard', value: '1', flakyWith: 1, runsWith: 1, flakyWithout: 0, runsWithout: 1 },
    { kind: 'shard', value: '2', flakyWith: 0, runsWith: 1, flakyWithout: 1, runsWithout: 1 },
  ]);
});

it('a planted effect is found in 300 runs, and hardly anything where there is none', () => {
  const size = { tests: 40, runs: 300, rate: 0.02, rateWith: 0.2 };
  expect(measureFactors('planted', 'shard', size).power).toBeGreaterThan(0.8);
  expect(measureFactors('planted', null, size).power).toBeLessThan(0.1);
});
