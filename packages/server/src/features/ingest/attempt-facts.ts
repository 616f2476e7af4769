import { MAX_LANE, type SubmittedCase, outcomeOf } from '@assay/contract';

/** What the attempts of a case say of its result. */
export interface AttemptFacts {
  /** Which of the workers that run side by side ran the last of them. */
  readonly lane: number | null;
  /** How long those that failed took; null where none did, or none says. */
  readonly failedMs: number | null;
  /** Of the last one that failed. */
  readonly failedError: string | null;
}

const NO_FACTS: AttemptFacts = { lane: null, failedMs: null, failedError: null };

/** Attempts have no agreed shape: what is not understood is left out. */
export const factsOfAttempts = ({ attempts, status, retries }: SubmittedCase): AttemptFacts => {
  if (!attempts || attempts.length === 0) return NO_FACTS;
  const told = attempts.filter(isFields);
  const lane = told.at(-1)?.['parallel'];
  // An attempt that failed as it was meant to has cost nothing.
  const counts = outcomeOf(status) === 'failed' || (retries ?? 0) > 0;
  const failed = counts ? told.filter((attempt) => isText(attempt['status']) && isFailure(attempt['status'])) : [];
  const durations = failed.map((attempt) => attempt['duration']).filter(isDuration);
  const error = failed.at(-1)?.['error'];
  return {
    lane: isLane(lane) ? lane : null,
    failedMs: durations.length === 0 ? null : durations.reduce((sum, duration) => sum + duration, 0),
    failedError: isText(error) && error !== '' ? error : null,
  };
};

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isFailure = (status: string): boolean => outcomeOf(status) === 'failed';
const isDuration = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
const isLane = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_LANE;
