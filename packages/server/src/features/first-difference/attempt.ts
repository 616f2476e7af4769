import { type CaseDetails, outcomeOf } from '@assay/contract';

/** Something of the chosen attempt. */
export interface During<T> {
  readonly of: T;
  /** After the start of the attempt; null where it tells no time. */
  readonly atMs: number | null;
  /** Not where the clock of another machine had to be guessed. */
  readonly isTimed: boolean;
}

export interface ChosenAttempt {
  /** Counted from 0; null where none failed. */
  readonly attempt: number | null;
  readonly isLast: boolean;
  readonly from: number;
  /** Those of the attempt; null where it is not known which they are. */
  during<T extends Timed>(list: readonly T[]): During<T>[] | null;
}

interface Timed {
  readonly startTime?: number | string | null;
}

/** A browser may stamp a request slightly before the runner begins to count, and goes on while it cleans up. */
const BEFORE_MS = 100;
const AFTER_MS = 5_000;

/** The last attempt that failed; of a result that passed at once, the only one. */
export const chooseAttempt = (status: string, details: CaseDetails): ChosenAttempt => {
  const attempts = details.attempts.map(readAttempt);
  const isFailed = outcomeOf(status) === 'failed';
  const chosen = isFailed ? Math.max(0, attempts.length - 1) : attempts.findLastIndex((each) => each.isFailed);
  const isLast = chosen < 0 || chosen >= attempts.length - 1;
  const times = [details.networkRequests, details.console].flatMap((list) => list.flatMap(startOf));
  const from = attempts[chosen]?.startMs ?? earliest([...details.steps.flatMap(startOf), ...times]);
  const next = attempts[chosen + 1]?.startMs ?? Infinity;
  const skew = skewOf(attempts, times);
  return {
    attempt: chosen < 0 ? null : chosen,
    isLast,
    from,
    during(list) {
      if (skew === null && attempts.length > 1) return null;
      return list.flatMap((of): During<typeof of>[] => {
        const time = timeOf(of.startTime);
        if (time === null) return isLast ? [{ of, atMs: null, isTimed: false }] : [];
        const at = time - (skew ?? earliest(times) - from);
        if (attempts.length > 1 && (at < from - BEFORE_MS || at >= next - BEFORE_MS)) return [];
        return [{ of, atMs: at - from, isTimed: skew === 0 }];
      });
    },
  };
};

/** By how much the clock of the browser is ahead of the runner's; null where their times cannot belong together. */
const skewOf = (attempts: readonly Attempt[], times: readonly number[]): number | null => {
  const first = attempts[0]?.startMs ?? null;
  const last = attempts.at(-1);
  if (first === null || !last || last.startMs === null || times.length === 0) return 0;
  const end = last.startMs + (last.durationMs ?? 0) + AFTER_MS;
  const fits = (skew: number): boolean => times.every((time) => time - skew >= first - BEFORE_MS && time - skew <= end);
  const guess = earliest(times) - first;
  return fits(0) ? 0 : fits(guess) ? guess : null;
};

interface Attempt {
  readonly isFailed: boolean;
  readonly startMs: number | null;
  readonly durationMs: number | null;
}

/** Attempts may have any shape. */
const readAttempt = (given: unknown): Attempt => {
  const { status, startTime, duration } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  return {
    isFailed: typeof status === 'string' && outcomeOf(status) === 'failed',
    startMs: timeOf(startTime),
    durationMs: typeof duration === 'number' && Number.isFinite(duration) ? Math.max(0, duration) : null,
  };
};

export const timeOf = (time: unknown): number | null => {
  const ms = typeof time === 'string' ? Date.parse(time) : time;
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : null;
};

const startOf = ({ startTime }: Timed): number[] => {
  const time = timeOf(startTime);
  return time === null ? [] : [time];
};

/** 0 of none. */
const earliest = (times: readonly number[]): number =>
  times.reduce((first, time) => Math.min(first, time), times[0] ?? 0);
