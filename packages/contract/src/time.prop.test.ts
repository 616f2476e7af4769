import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTime, parseTime } from './time.ts';

const anyTime = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T00:00:00Z'),
  noInvalidDate: true,
});

describe('a time', () => {
  it('is read as it was written, to the millisecond', () => {
    fc.assert(
      fc.property(anyTime, (date) => {
        expect(parseTime(date.toISOString())).toBe(date.getTime());
        expect(formatTime(parseTime(date.toISOString())!)).toBe(date.toISOString());
      }),
    );
  });

  it('means the same moment with any offset', () => {
    fc.assert(
      fc.property(
        anyTime,
        fc.integer({ min: -23, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        (date, hours, minutes) => {
          const sign = hours < 0 ? '-' : '+';
          const offsetMs = (hours < 0 ? -1 : 1) * (Math.abs(hours) * 60 + minutes) * 60_000;
          const local = new Date(date.getTime() + offsetMs);
          fc.pre(local.getUTCFullYear() >= 1 && local.getUTCFullYear() <= 9999);
          const text = `${local.toISOString().slice(0, -1)}${sign}${String(Math.abs(hours)).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
          expect(parseTime(text)).toBe(date.getTime());
        },
      ),
    );
  });

  it.each([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00:00.1234567Z', '2026-03-01T10:00:00.123Z'],
    ['2026-03-01t10:00:00z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00+0530', '2026-03-01T04:30:00.000Z'],
    ['2026-03-01T10:00:00-08', '2026-03-01T18:00:00.000Z'],
    ['2026-03-01T10:00:00', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(formatTime(parseTime(text)!)).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60Z',
    '2026-01-01T10:00:00+24:00',
    '1767225600000',
    '01/02/2026',
  ])('%j is none', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});
