import { expect, test } from 'vitest';
import { measureDifferences } from './difference-truth.ts';

test('of 20 faults planted in a real shop at least 18 are the first difference', () => {
  const { faults } = measureDifferences();
  expect(faults).toHaveLength(20);
  expect(faults.filter(({ isFirst }) => !isFirst).length).toBeLessThanOrEqual(2);
});

test('a passed execution hardly differs from passed ones', () => {
  const { passed } = measureDifferences();
  expect(passed.compared).toBeGreaterThan(40);
  expect(passed.lines / passed.compared).toBeLessThanOrEqual(0.2);
});
