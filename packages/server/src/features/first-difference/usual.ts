import type { Execution, Moment } from './execution.ts';
import { type Compared, countBy, keyOf } from './moments.ts';

/** A moment is slower when it took so many times as long as the longest of at least so many passing executions. */
const SLOWER_TIMES = 3;
const SLOWER_BY_MS = 300;
const FEWEST_DURATIONS = 3;
/** Moments that tell how much slower the whole machine was. */
const FEWEST_FOR_SPEED = 5;
const SHORTEST_FOR_SPEED_MS = 5;

/** What passing executions have of a key. */
export interface Usual {
  /** By outcome: how often each execution that has it has it so. */
  readonly times: Map<string, number[]>;
  /** How many executions have it, and the most that one has. */
  executions: number;
  most: number;
  readonly durations: number[];
  longest: number;
  /** Of the durations; 0 of none. */
  median: number;
}

const newUsual = (): Usual => ({
  times: new Map(),
  executions: 0,
  most: 0,
  durations: [],
  longest: 0,
  median: 0,
});
export const NEVER: Readonly<Usual> = newUsual();

export function* readUsual(
  kind: Moment['kind'],
  passing: readonly Execution[],
): Generator<undefined, Map<string, Usual>> {
  const usualOf = new Map<string, Usual>();
  for (const { moments } of passing) {
    const byKey = Map.groupBy(
      moments.filter((moment) => moment.kind === kind),
      keyOf,
    );
    for (const [key, some] of byKey) {
      yield;
      const usual = usualOf.get(key) ?? newUsual();
      usualOf.set(key, usual);
      usual.executions++;
      usual.most = Math.max(usual.most, some.length);
      for (const [outcome, count] of countBy(some, (moment) => moment.outcome)) {
        const times = usual.times.get(outcome);
        if (times) times.push(count);
        else usual.times.set(outcome, [count]);
      }
      for (const { durationMs, isOuter } of some) {
        if (durationMs === null) continue;
        usual.longest = Math.max(usual.longest, durationMs);
        if (!isOuter) usual.durations.push(durationMs);
      }
    }
  }
  for (const usual of usualOf.values()) {
    yield;
    usual.median = medianOf(usual.durations);
  }
  return usualOf;
}

export const isSlower = ({ durationMs, outcome }: Moment, usual: Readonly<Usual>, speed: number): boolean => {
  if (durationMs === null || outcome === 'failed' || usual.executions < FEWEST_DURATIONS) return false;
  const expected = usual.longest * speed;
  return durationMs > SLOWER_TIMES * expected && durationMs - expected > SLOWER_BY_MS;
};

/** The median of how many times as long moments took as in passing executions; 1 where they were quicker. */
export const speedOf = (kinds: readonly Compared[]): number => {
  const ratios = kinds.flatMap(({ own, usualOf }) =>
    own.flatMap(({ key, durationMs, outcome, isOuter }) => {
      const median = usualOf.get(key)?.median ?? 0;
      const isLeftOut = durationMs === null || isOuter || outcome === 'failed' || median < SHORTEST_FOR_SPEED_MS;
      return isLeftOut ? [] : [durationMs / median];
    }),
  );
  return ratios.length < FEWEST_FOR_SPEED ? 1 : Math.max(1, medianOf(ratios));
};

/** 0 of none. */
const medianOf = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
