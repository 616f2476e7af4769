import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBatches } from './batches.ts';

it('has every case in one batch, in order, and never changes a batch that was cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_200 }), { maxLength: 6 }), (additions) => {
      const batches = createBatches();
      const seen: string[][] = [];
      let next = 0;
      for (const count of additions) {
        for (let n = 0; n < count; n++) batches.add({ title: String(next++), status: 'passed' });
        batches.cut();
        expect(batches.loose()).toBe(0);
        for (let batch = 0; batch < batches.count(); batch++) {
          const titles = batches.get(batch).map((text) => (JSON.parse(text) as { title: string }).title);
          if (seen[batch]) expect(titles).toEqual(seen[batch]);
          seen[batch] = titles;
        }
      }
      expect(seen.flat()).toEqual(Array.from({ length: next }, (_, n) => String(n)));
      expect(seen.every(({ length }) => length > 0 && length <= 500)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it('has few cases in a batch when they are large', () => {
  const batches = createBatches();
  for (let n = 0; n < 10; n++)
    batches.add({ title: String(n), status: 'failed', error: 'x'.repeat(n === 4 ? 900_000 : 110_000) });
  batches.cut();
  expect(Array.from({ length: batches.count() }, (_, batch) => batches.get(batch).length)).toEqual([2, 2, 1, 2, 2, 1]);
});
