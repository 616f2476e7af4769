import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatOffset, ticksOf } from './axis.ts';
import { pan, readView, reveal, wholeOf, writeView, zoom } from './view.ts';

const WHOLE = wholeOf(10_000);

describe('the part of a timeline that is seen', () => {
  it('is zoomed around a time that stays where it is', () => {
    expect(zoom(WHOLE, 2, 2_000, WHOLE)).toEqual({ from: 1_000, to: 6_000 });
    expect(zoom({ from: 1_000, to: 6_000 }, 0.5, 2_000, WHOLE)).toEqual(WHOLE);
  });

  it('never leaves the run, however it is moved', () => {
    expect(pan({ from: 1_000, to: 3_000 }, -5_000, WHOLE)).toEqual({ from: 0, to: 2_000 });
    const moves = fc.array(
      fc.record({
        factor: fc.double({ min: 0.01, max: 100, noNaN: true }),
        by: fc.integer(),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(fc.nat(1e12), moves, (spanMs, steps) => {
        const whole = wholeOf(spanMs);
        let view = whole;
        for (const { factor, by, at } of steps) {
          view = pan(zoom(view, factor, view.from + at * (view.to - view.from), whole), by, whole);
          expect(view.from).toBeGreaterThanOrEqual(0);
          expect(view.to).toBeLessThanOrEqual(whole.to * (1 + 1e-9));
          expect(view.to).toBeGreaterThan(view.from);
        }
      }),
    );
  });

  it('moves to what it does not show, and only then', () => {
    const view = { from: 0, to: 2_000 };
    expect(reveal(view, { from: 1_900, to: 9_000 }, WHOLE)).toBe(view);
    expect(reveal(view, { from: 5_000, to: 5_100 }, WHOLE)).toEqual({ from: 4_500, to: 6_500 });
  });

  it('is in the address as long as it is a part', () => {
    expect(writeView({ from: 10.6, to: 99.2 })).toEqual({ from: '10', to: '100' });
    expect(writeView(null)).toEqual({ from: '', to: '' });
    expect(readView('10', '100', WHOLE)).toEqual({ from: 10, to: 100 });
    expect(readView('9000', '11000', WHOLE)).toEqual({ from: 8_000, to: 10_000 });
    for (const [from, to] of [
      ['', ''],
      ['5', '5'],
      ['x', '9'],
      ['-9', '9'],
      ['0', '10000'],
      ['20000', '30000'],
      ['0', '1e999'],
    ]) {
      expect(readView(from!, to!, WHOLE)).toBeNull();
    }
  });
});

describe('its axis', () => {
  it('has round times', () => {
    expect(ticksOf(0, 95_000, 6).map(({ label }) => label)).toEqual(['0:00', '0:30', '1:00', '1:30']);
    expect(ticksOf(61_240, 61_262, 3).map(({ label }) => label)).toEqual(['1:01.240', '1:01.250', '1:01.260']);
    expect([3_723_000, 90_000_000].map((ms) => formatOffset(ms))).toEqual(['1:02:03', '1 d 01:00:00']);
  });

  it('has never more than there is room for, from milliseconds to all of time', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 9e15, noNaN: true }),
        fc.double({ min: 4, max: 9e15, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        (from, wide, most) => {
          const ticks = ticksOf(from, from + wide, most);
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
        },
      ),
    );
  });
});
