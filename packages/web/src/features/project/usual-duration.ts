import type { Run } from './runs.ts';

/** As in the comparison of a run; its module would bring the schemas along. */
const USUAL_DURATION_RUNS = 20;
/** Less than this is the noise of machines. */
const NOTABLE_SHARE = 0.2;
const NOTABLE_MS = 1_000;

/**
 * What each run would usually have taken: the median of the latest runs before it, as the comparison of a run has it.
 * Runs come newest first; a run with none before it has no usual duration.
 */
export const usualDurations = (runs: readonly Run[]): ReadonlyMap<number, number> => {
  const usual = new Map<number, number>();
  const before: number[] = [];
  for (const { id, duration } of runs.toReversed()) {
    if (before.length > 0) usual.set(id, medianOf(before));
    if (duration === null) continue;
    before.push(duration);
    if (before.length > USUAL_DURATION_RUNS) before.shift();
  }
  return usual;
};

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export interface DurationHint {
  readonly slower: boolean;
  /** `1.4×` or `32 %`. */
  readonly by: string;
}

/** How a duration differs from the usual one; null when the difference is not worth a word. */
export const durationHint = (duration: number | null, usual: number | undefined): DurationHint | null => {
  if (duration === null || usual === undefined || usual <= 0) return null;
  const difference = duration - usual;
  if (Math.abs(difference) < Math.max(NOTABLE_MS, usual * NOTABLE_SHARE)) return null;
  const share = Math.abs(difference) / usual;
  return {
    slower: difference > 0,
    by: share >= 1.5 ? `${(duration / usual).toFixed(1)} ×` : `${Math.round(share * 100)} %`,
  };
};
