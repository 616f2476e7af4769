import { describe, expect, it } from 'vitest';
import { closedAtFirst, layOutSteps, openRows, pathToFailure } from './waterfall.ts';

const placesOf = (...args: Parameters<typeof layOutSteps>) =>
  layOutSteps(...args).rows.map(({ key, depth, from, share }) => [key, depth, from, share]);

describe('layOutSteps', () => {
  it('lays steps without times one after the other, those inside from the start of theirs', () => {
    const steps = [
      { title: 'before', duration: 100 },
      {
        title: 'body',
        duration: 300,
        steps: [
          { title: 'a', duration: 100 },
          { title: 'b', duration: 200 },
        ],
      },
    ];
    expect(placesOf(steps)).toEqual([
      ['0', 0, 0, 0.25],
      ['1', 0, 0.25, 0.75],
      ['1.0', 1, 0.25, 0.25],
      ['1.1', 1, 0.5, 0.5],
    ]);
    expect(layOutSteps(steps).totalMs).toBe(400);
  });

  it('puts steps where their times say, as numbers or as texts', () => {
    const asTexts = [
      { title: 'a', duration: 100, startTime: '2026-01-01T00:00:00.000Z' },
      { title: 'b', duration: 100, startTime: '2026-01-01T00:00:00.300Z' },
    ];
    const asNumbers = [
      { title: 'a', duration: 100, startTime: 5000 },
      { title: 'b', duration: 100, startTime: 5300 },
    ];
    const expected = [
      ['0', 0, 0, 0.25],
      ['1', 0, 0.75, 0.25],
    ];
    expect(placesOf(asTexts)).toEqual(expected);
    expect(placesOf(asNumbers)).toEqual(expected);
  });

  it('takes what is missing from the steps inside', () => {
    const { rows, totalMs } = layOutSteps([
      {
        title: 'group',
        steps: [
          { title: 'a', startTime: 1000, duration: 50 },
          { title: 'b', duration: 50 },
        ],
      },
    ]);
    expect(totalMs).toBe(100);
    expect(rows[0]).toMatchObject({ from: 0, share: 1, durationMs: 100 });
    expect(rows[2]).toMatchObject({ from: 0.5, share: 0.5 });
  });

  it('is finite for steps that took no time, and for none', () => {
    expect(layOutSteps([])).toEqual({ rows: [], totalMs: 0, slowest: null });
    expect(
      placesOf([
        { title: 'a', duration: 0 },
        { title: 'b', duration: -5, startTime: 'soon' },
      ]),
    ).toEqual([
      ['0', 0, 0, 0],
      ['1', 0, 0, 0],
    ]);
  });

  it('finds the slowest step as named, and otherwise the longest without steps inside', () => {
    const steps = [
      {
        title: 'body',
        duration: 300,
        steps: [
          { title: 'a', duration: 100 },
          { title: 'b', duration: 200 },
        ],
      },
    ];
    expect(layOutSteps(steps).slowest).toBe('0.1');
    expect(layOutSteps(steps, { title: 'a', durationMs: 100 }).slowest).toBe('0.0');
    expect(layOutSteps([{ title: 'only', duration: 5 }]).slowest).toBeNull();
  });

  it('blames the innermost step for an error', () => {
    const { rows } = layOutSteps([
      { title: 'ok', duration: 1 },
      { title: 'body', error: 'no', steps: [{ title: 'click', error: { message: 'no' } }] },
    ]);
    expect(rows.map(({ blamed }) => blamed)).toEqual([false, false, true]);
    expect(pathToFailure(rows)).toEqual(['body', 'click']);
  });
});

describe('openRows', () => {
  const { rows } = layOutSteps([
    { title: 'a', steps: [{ title: 'b', steps: [{ title: 'c' }] }, { title: 'd' }] },
    { title: 'e' },
  ]);

  it('leaves out what is inside a closed step', () => {
    expect(openRows(rows, new Set()).map(({ title }) => title)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(openRows(rows, new Set(['0.0'])).map(({ title }) => title)).toEqual(['a', 'b', 'd', 'e']);
    expect(openRows(rows, new Set(['0'])).map(({ title }) => title)).toEqual(['a', 'e']);
  });

  it('closes everything but the way to a failure in a long list', () => {
    const groups = Array.from({ length: 200 }, (_, at) => ({
      title: `group ${at}`,
      ...(at === 7 ? { error: 'no' } : {}),
      steps: [{ title: 'inside', ...(at === 7 ? { error: 'no' } : {}) }],
    }));
    const long = layOutSteps(groups).rows;
    expect(openRows(long, closedAtFirst(long))).toHaveLength(201);
    expect(closedAtFirst(rows).size).toBe(0);
  });
});
