import { createRandom } from '@assay/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findChanges, slowSpells } from '../../src/statistics/duration-changes.ts';
import { measureDurationAlarms, measureDurationChanges } from './duration-truth.ts';

const series = (count: number, { seed = 'x', deviation = 0.1 } = {}): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random.normal(Math.log(1_000), deviation));
};
const shifted = (logs: readonly number[], from: number, factor: number, to = logs.length): number[] =>
  logs.map((log, at) => log + (at >= from && at < to ? Math.log(factor) : 0));

describe('planted changes', () => {
  it('are found with the run that they came with', () => {
    const { found, within, error } = measureDurationChanges('tests', 60, 2);
    expect(found).toBeGreaterThan(0.6);
    expect(within).toBeGreaterThanOrEqual(0.94);
    expect(error).toBeLessThan(0.05);
  });

  it('are not seen where nothing changed', () => {
    expect(measureDurationAlarms('tests', 5, 25).alarms).toBe(0);
  });
});

describe('the durations of a test', () => {
  it('that became slower are told with by how much and where', () => {
    const [change, ...others] = findChanges(shifted(series(120, { deviation: 0.05 }), 80, 1.4));
    expect(others).toEqual([]);
    expect(change!.at).toBe(80);
    expect(Math.exp(change!.after - change!.before)).toBeCloseTo(1.4, 1);
    expect(change!.places.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
    expect(change!.places.find(({ at }) => at === 80)!.probability).toBeGreaterThan(0.5);
  });

  it('may have changed several times', () => {
    const logs = shifted(shifted(series(180), 60, 1.5), 120, 0.4);
    expect(findChanges(logs).map(({ at }) => at)).toEqual([60, 120]);
  });

  it('did not change when one run, or a few in a row, were slow', () => {
    expect(findChanges(shifted(series(100), 99, 30))).toEqual([]);
    expect(findChanges(shifted(series(100), 50, 30, 51))).toEqual([]);
    expect(findChanges(shifted(series(100), 95, 2))).toEqual([]);
  });

  it('are not told to have changed by less than is worth a word', () => {
    expect(findChanges(shifted(series(200, { deviation: 0.005 }), 100, 1.1))).toEqual([]);
  });

  it('are nothing to tell of when they are few or all the same', () => {
    for (const count of [0, 1, 2, 11])
      expect(findChanges(shifted(series(count), Math.floor(count / 2), 5))).toEqual([]);
    expect(findChanges(Array.from({ length: 50 }, () => 3))).toEqual([]);
  });

  it('change alike when they are told in another unit, or in the other order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 100 }), fc.integer(), (at, seed) => {
        const logs = shifted(series(120, { seed: `${seed}` }), at, 1.6);
        const found = findChanges(logs).map((change) => change.at);
        expect(findChanges(logs.map((log) => log + 5)).map((change) => change.at)).toEqual(found);
        const mirrored = findChanges(logs.toReversed()).map((change) => logs.length - change.at);
        expect(mirrored.toReversed()).toEqual(found);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a slow evening of the machine', () => {
  const project = (slow: (logs: readonly number[]) => number[]): Float64Array[] =>
    Array.from({ length: 20 }, (_, test) => Float64Array.from(slow(series(100, { seed: `${test}` }))));

  it('is taken off, and a change of all tests is not', () => {
    const evening = slowSpells(project((logs) => shifted(logs, 40, 2, 46)));
    expect(evening[43]).toBeCloseTo(Math.log(2), 0.7);
    expect(Math.abs(evening[70]!)).toBeLessThan(0.1);
    const forGood = slowSpells(project((logs) => shifted(logs, 60, 2)));
    expect(Math.max(...forGood.map(Math.abs))).toBeLessThan(0.1);
  });

  it('is not known from few tests, nor from runs without durations', () => {
    expect([...slowSpells([Float64Array.of(1, 2, 3)])]).toEqual([0, 0, 0]);
    expect([...slowSpells([])]).toEqual([]);
    const gaps = project((logs) => [...logs]).map((logs) => logs.fill(NaN, 10, 20));
    expect([...slowSpells(gaps)].every((spell) => Number.isFinite(spell))).toBe(true);
  });
});
