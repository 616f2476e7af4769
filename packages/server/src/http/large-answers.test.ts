import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLargeAnswers } from './large-answers.ts';

const SECOND = 1_000;
const here = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Takes all places for readers that behave alike; tells who is given up. */
const fill = async (largeAnswers: ReturnType<typeof createLargeAnswers>) => {
  const givenUp = new Set<number>();
  const places = await Promise.all(
    [0, 1, 2, 3].map(async (reader) => {
      const place = await largeAnswers.enter(() => {
        givenUp.add(reader);
        place.release();
      }, here);
      return place;
    }),
  );
  return { places, givenUp };
};

describe('a reader of a large answer', () => {
  it('that reads nothing loses its place soon when others wait, and late when nobody does', async () => {
    const largeAnswers = createLargeAnswers();
    const { places, givenUp } = await fill(largeAnswers);
    for (const place of places) place.sent();
    await vi.advanceTimersByTimeAsync(20 * SECOND);
    expect(givenUp.size).toBe(0);

    const waiting = largeAnswers.enter(() => undefined, here);
    await vi.advanceTimersByTimeAsync(3 * SECOND);
    expect(givenUp.size).toBeGreaterThan(0);
    (await waiting).release();
  });

  it('that takes a little at a time for ever makes room for those who wait', async () => {
    const largeAnswers = createLargeAnswers();
    const { places, givenUp } = await fill(largeAnswers);
    const waiting = largeAnswers.enter(() => undefined, here);
    waiting.catch(() => undefined);
    for (let second = 0; second < 40; second++) {
      for (const place of places) place.sent();
      await vi.advanceTimersByTimeAsync(SECOND);
      for (const place of places) place.took();
    }
    expect(givenUp.size).toBeGreaterThan(0);
  });

  it('keeps its place while the service is the slow one', async () => {
    const largeAnswers = createLargeAnswers();
    const { places, givenUp } = await fill(largeAnswers);
    const waiting = largeAnswers.enter(() => undefined, here);
    const refused = expect(waiting).rejects.toThrow('Too many large answers');
    for (let piece = 0; piece < 4; piece++) {
      await vi.advanceTimersByTimeAsync(10 * SECOND);
      for (const place of places) place.sent();
      for (const place of places) place.took();
    }
    expect(givenUp.size).toBe(0);
    await refused;
  });

  it('that goes while it waits gives its turn to the next', async () => {
    const largeAnswers = createLargeAnswers();
    const { places } = await fill(largeAnswers);
    const gone = new AbortController();
    const first = expect(largeAnswers.enter(() => undefined, gone.signal)).rejects.toThrow('went away');
    const second = largeAnswers.enter(() => undefined, here);
    gone.abort(new Error('went away'));
    await first;
    places[0]!.release();
    (await second).release();
  });
});
