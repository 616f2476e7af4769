import { LEAST_NOISE_RUNS } from '@assay/contract';

/** Durations of some tests in the runs before, as logarithms: by test, NaN where it did not pass. */
export type PastDurations = readonly Float64Array[];

export interface Usual {
  /** Of logarithms. */
  readonly median: number;
  readonly deviation: number;
}

/** Of a normal distribution, how many standard deviations a median absolute deviation is. */
const NORMAL = 1.4826;
/** A test whose durations hardly differ is still no clock: 5 %. */
const LEAST_DEVIATION = Math.log(1.05);
const LEAST_THRESHOLD = 4;
/** Of results of runs in which nothing changed, the share that may be called slower or faster: half of what is promised, since a result is part of what is usual for it. */
const FALSE_ALARMS = 0.005;

/** What is usual for a test; null when it passed in too few runs. */
export const usualOf = (logs: Float64Array): Usual | null => {
  const known = logs.filter((log) => log === log).sort();
  if (known.length < LEAST_NOISE_RUNS) return null;
  const median = medianOf(known);
  const deviations = known.map((log) => Math.abs(log - median)).sort();
  return { median, deviation: Math.max(NORMAL * medianOf(deviations), LEAST_DEVIATION) };
};

export const scoreOf = (log: number, { median, deviation }: Usual): number => (log - median) / deviation;

/**
 * The score that only so many results of the runs before were beyond: what a project's durations do by themselves, outliers
 * and all. Null when no test has passed often enough.
 */
export const thresholdOf = (past: PastDurations, usual: readonly (Usual | null)[]): number | null => {
  const scores: number[] = [];
  for (const [test, logs] of past.entries()) {
    const ofTest = usual[test];
    if (!ofTest) continue;
    for (const log of logs) if (log === log) scores.push(Math.abs(scoreOf(log, ofTest)));
  }
  if (scores.length === 0) return null;
  const sorted = Float64Array.from(scores).sort();
  const beyond = sorted[Math.min(sorted.length - 1, Math.ceil((1 - FALSE_ALARMS) * sorted.length))]!;
  return Math.max(beyond, LEAST_THRESHOLD);
};

/** Of sorted values: the middle one, or the mean of the two in the middle. */
const medianOf = (sorted: Float64Array): number => {
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle - 0.5)]! + sorted[Math.floor(middle)]!) / 2;
};
