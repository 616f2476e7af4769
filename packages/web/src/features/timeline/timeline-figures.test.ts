import type { TestCase } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { sampleCase } from '../run/run-samples.ts';
import { layOut } from './layout.ts';
import { figuresOf, isImplausible } from './timeline-figures.ts';

const START = Date.UTC(2026, 0, 5, 9);
const RUN = { duration: 12_000, status: 'passed', shards: null };
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

const result = (fromMs: number, duration: number, more: Partial<TestCase> = {}): TestCase =>
  sampleCase(1, { startTime: new Date(START + fromMs).toISOString(), duration, ...more });

const results = [
  result(0, 6_000, { lane: 0 }),
  result(0, 1_000, { lane: 1, retries: 1, failedMs: 1_000 }),
  result(4_000, 6_000, { lane: 1 }),
];

describe('figures of a timeline', () => {
  it('are how long, how parallel and how idle the workers were, and what an even spread would take', () => {
    expect(figuresOf(layOut(results), RUN)).toEqual({
      testMs: 14_000,
      earlierMs: 1_000,
      wallMs: 10_000,
      parallel: 1.4,
      workers: { count: 2, idleMs: 6_000, idleShare: expect.closeTo(0.3) as number, atBestMs: 7_000 },
    });
    const long = figuresOf(layOut([...results, result(0, 9_000, { lane: 2 })]), RUN);
    expect(long.workers).toMatchObject({ count: 3, atBestMs: 9_000 });
  });

  it('say nothing of workers where not all of what they ran is known', () => {
    const shards = { total: 2, missing: [], parts: [] };
    expect(figuresOf(layOut(results), { ...RUN, shards })).toMatchObject({ wallMs: 10_000, workers: null });
    expect(figuresOf(layOut(results), { ...RUN, status: 'running' }).workers).toBeNull();
    expect(figuresOf(layOut([...results, sampleCase(2)]), RUN)).toMatchObject({ testMs: 14_000, workers: null });
    expect(figuresOf(layOut([...results, result(0, 1)]), RUN).workers).toBeNull();
    expect(figuresOf(layOut([...results, result(1, 9, { lane: 0 })]), RUN).workers).toBeNull();
  });

  it('leave out what depends on clocks that cannot be right', () => {
    const odd = layOut([...results, result(-YEAR, 1_000, { lane: 3 })]);
    expect(figuresOf(odd, RUN)).toEqual({
      testMs: 15_000,
      earlierMs: 1_000,
      wallMs: null,
      parallel: null,
      workers: null,
    });
    expect(isImplausible({ spanMs: YEAR }, { ...RUN, duration: null })).toBe(true);
    expect(isImplausible({ spanMs: YEAR }, { ...RUN, duration: YEAR })).toBe(false);
  });

  it('believe shards that ran one after the other, not those that are a year apart', () => {
    const part = (index: number, startMs: number) => ({
      index,
      attempt: 1,
      status: 'passed',
      startTime: new Date(START + startMs).toISOString(),
      duration: HOUR,
      totalTests: 1,
    });
    const later = (startMs: number) => ({
      ...RUN,
      duration: HOUR,
      shards: { total: 2, missing: [], parts: [part(1, 0), part(2, startMs)] },
    });
    expect(isImplausible({ spanMs: 5 * HOUR }, later(4 * HOUR))).toBe(false);
    expect(isImplausible({ spanMs: 5 * HOUR }, later(0))).toBe(true);
    expect(isImplausible({ spanMs: 5 * HOUR }, { ...later(0), status: 'running' })).toBe(false);
    expect(isImplausible({ spanMs: YEAR + HOUR }, later(YEAR))).toBe(true);
  });

  it('are none of time where no time passed', () => {
    const still = layOut([result(0, 0, { lane: 0 }), result(0, 5, { lane: 1, status: 'skipped' })]);
    expect(figuresOf(still, RUN)).toMatchObject({ testMs: 0, wallMs: null, parallel: null, workers: null });
  });
});
