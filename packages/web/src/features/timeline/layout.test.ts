import type { TestCase } from '@assay/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCase } from '../run/run-samples.ts';
import { alongside, barAt, findCriticalRow, layOut } from './layout.ts';

const START = Date.UTC(2026, 0, 5, 9);
let lastId = 0;

const withoutLane = (fromMs: number, duration: number | null, more: Partial<TestCase> = {}): TestCase =>
  sampleCase(++lastId, { startTime: new Date(START + fromMs).toISOString(), duration, ...more });
const result = (fromMs: number, duration: number | null, more: Partial<TestCase> = {}): TestCase =>
  withoutLane(fromMs, duration, { lane: 0, ...more });

const rowsOf = (results: readonly TestCase[]) =>
  layOut(results).rows.map(({ name, bars }) => [name, bars.map(({ from, to }) => [from, to])]);

describe('rows', () => {
  it('workers of shards are told apart, and idle only while their shard runs', () => {
    const second = result(1000, 100, { shard: 2 });
    const { rows, workersKnown } = layOut([result(0, 500, { shard: 1 }), result(700, 100, { shard: 1 }), second]);
    expect(rows.map(({ name }) => name)).toEqual(['Shard 1 · Worker 1', 'Shard 2 · Worker 1']);
    expect(rows.map(({ gaps }) => gaps)).toEqual([[{ from: 500, to: 700 }], []]);
    expect(workersKnown).toBe(true);
  });

  it('are the workers in order, each with its results by their start', () => {
    const results = [result(500, 100, { lane: 10 }), result(300, 100), result(0, 200), result(50, 10, { lane: 2 })];
    expect(rowsOf(results)).toEqual([
      [
        'Worker 1',
        [
          [0, 200],
          [300, 400],
        ],
      ],
      ['Worker 3', [[50, 60]]],
      ['Worker 11', [[500, 600]]],
    ]);
    expect(layOut(results)).toMatchObject({ startedAt: START, spanMs: 600, workersKnown: true, overlapping: false });
  });

  it('have a further one where results of one worker overlap, whose idle time is then not known', () => {
    const layout = layOut([result(0, 200), result(100, 300), result(250, 50), result(400, 20)]);
    expect(layout.rows.map(({ name, bars, gaps }) => [name, bars.length, gaps])).toEqual([
      ['Worker 1', 3, []],
      ['Worker 1 (2)', 1, []],
    ]);
    expect(layout).toMatchObject({ overlapping: true, workersKnown: false });
    expect(findCriticalRow(layout)).toBeNull();
  });

  it('name no worker where none was sent, and tell what ran from what did not', () => {
    const skipped = [withoutLane(5, 700, { status: 'skipped' }), withoutLane(5, 0, { status: 'skipped' })];
    const results = [withoutLane(0, 90), withoutLane(10, 10), ...skipped];
    expect(rowsOf(results)).toEqual([
      ['Unknown worker', [[0, 90]]],
      ['Unknown worker (2)', [[10, 20]]],
      [
        'Not run',
        [
          [5, 5],
          [5, 5],
        ],
      ],
    ]);
    expect(layOut(results).workersKnown).toBe(false);
    expect(layOut([result(0, 90), ...skipped]).workersKnown).toBe(true);
  });

  it('leave out and count what has no start', () => {
    const layout = layOut([result(0, 10), sampleCase(1)]);
    expect(layout).toMatchObject({ withoutStart: 1, bars: [{ from: 0, to: 10 }] });
    expect(layOut([])).toMatchObject({ rows: [], spanMs: 0, workersKnown: false });
  });

  it('hold every result once and let none overlap, whatever the clocks said', () => {
    const any = fc.record({
      from: fc.oneof(fc.nat(50), fc.integer({ min: -1e12, max: 1e12 })),
      duration: fc.oneof(fc.nat(20), fc.constant(null), fc.constant(Number.MAX_SAFE_INTEGER)),
      lane: fc.option(fc.nat(2)),
      status: fc.constantFrom('passed', 'failed', 'skipped', 'odd'),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), (given) => {
        const results = given.map(({ from, duration, lane, status }) =>
          withoutLane(from, duration, { status, ...(lane === null ? {} : { lane }) }),
        );
        const { rows, bars, spanMs } = layOut(results);
        const placed = rows.flatMap((row) => row.bars);
        expect(placed).toHaveLength(results.length);
        expect(new Set(placed)).toEqual(new Set(bars));
        for (const row of rows) {
          for (const [at, bar] of row.bars.entries()) {
            expect(bar.from).toBeGreaterThanOrEqual(at === 0 ? 0 : row.bars[at - 1]!.to);
            expect(bar.to).toBeLessThanOrEqual(spanMs);
          }
        }
      }),
    );
  });
});

it('a result lasts as long as all of its attempts', () => {
  const flaky = result(0, 100, { status: 'passed', retries: 1, failedMs: 300 });
  const failed = result(500, 100, { status: 'failed', retries: 2, failedMs: 350 });
  const once = result(900, 100, { status: 'failed', failedMs: 100 });
  expect(layOut([flaky, failed, once]).bars.map(({ from, to, earlierMs }) => [from, to, earlierMs])).toEqual([
    [0, 400, 300],
    [500, 850, 250],
    [900, 1000, 0],
  ]);
});

it('gaps are when a worker ran nothing, from the first start of the run to its last end', () => {
  const skipped = result(250, 0, { status: 'skipped' });
  const { rows } = layOut([result(0, 1000, { lane: 1 }), result(100, 100), skipped, result(400, 100)]);
  expect(rows.map(({ gaps }) => gaps.map(({ from, to }) => [from, to]))).toEqual([
    [
      [0, 100],
      [200, 400],
      [500, 1000],
    ],
    [],
  ]);
});

it('the critical path is the worker that ends last', () => {
  const late = result(2000, 0, { lane: 0, status: 'skipped' });
  const layout = layOut([result(0, 500), result(0, 100, { lane: 1 }), result(300, 400, { lane: 1 })]);
  expect(findCriticalRow(layout)?.name).toBe('Worker 2');
  expect(findCriticalRow(layOut([result(0, 500), late]))?.gaps).toEqual([]);
  expect(findCriticalRow(layOut([late]))).toBeNull();
});

it('alongside a result is what overlapped it, not what only touched it or was skipped', () => {
  const failed = result(100, 100, { status: 'failed' });
  const before = result(0, 100, { lane: 1 });
  const around = result(0, 900, { lane: 2 });
  const during = result(150, 10, { lane: 3 });
  const skipped = result(150, 0, { lane: 4, status: 'skipped' });
  const { bars } = layOut([during, before, failed, around, skipped]);
  const other = bars.find((bar) => bar.result === failed)!;
  expect(alongside(bars, other).map((bar) => bar.result)).toEqual([around, during]);
});

it('a result is found by its time, also beside it if it is near enough', () => {
  const results = [result(0, 100), result(200, 0, { status: 'skipped' }), result(300, 100)];
  const [row] = layOut(results).rows;
  const found = (time: number) => barAt(row!, time, 10)?.result;
  expect([found(50), found(105), found(150), found(195), found(292), found(405), found(420)]).toEqual([
    results[0],
    results[0],
    undefined,
    results[1],
    results[2],
    results[2],
    undefined,
  ]);
});
