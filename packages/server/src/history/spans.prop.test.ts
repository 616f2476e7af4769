import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Span, childrenOf, coverOf, firstRunOf, spanSize, spansFilledBy, spansHolding } from './spans.ts';

const runCount = fc.nat(70_000);
const runsOf = (span: Span): [number, number] => [firstRunOf(span), firstRunOf(span) + spanSize(span.level)];

describe('spans', () => {
  it('cover all runs but a short tail, each once and in order', () => {
    fc.assert(
      fc.property(runCount, (count) => {
        const { spans, tailStart } = coverOf(count);
        let next = 0;
        for (const span of spans) {
          const [from, to] = runsOf(span);
          expect(from).toBe(next);
          next = to;
        }
        expect(tailStart).toBe(next);
        expect(count - tailStart).toBeGreaterThanOrEqual(0);
        expect(count - tailStart).toBeLessThan(16);
      }),
    );
  });

  it('are few, however many runs there are', () => {
    fc.assert(
      fc.property(runCount, (count) => {
        expect(coverOf(count).spans.length).toBeLessThanOrEqual(15 * Math.ceil(Math.log(count + 1) / Math.log(16)));
      }),
    );
  });

  it('are filled exactly once, children before parents', () => {
    const filled = new Set<string>();
    for (let sequence = 0; sequence < 5000; sequence++) {
      for (const span of spansFilledBy(sequence)) {
        const name = `${span.level}/${span.index}`;
        expect(filled.has(name)).toBe(false);
        if (span.level > 1)
          for (const child of childrenOf(span)) expect(filled.has(`${child.level}/${child.index}`)).toBe(true);
        filled.add(name);
      }
    }
    for (const { level, index } of coverOf(5000).spans) expect(filled.has(`${level}/${index}`)).toBe(true);
  });

  it('that hold a run are those whose bounds it lies in and that are full', () => {
    fc.assert(
      fc.property(runCount, fc.nat(70_000), (count, sequence) => {
        for (const span of spansHolding(sequence, count)) {
          const [from, to] = runsOf(span);
          expect(from <= sequence && sequence < to && to <= count).toBe(true);
        }
        expect(spansHolding(sequence, count).length > 0).toBe(Math.floor(sequence / 16) < Math.floor(count / 16));
      }),
    );
  });
});
