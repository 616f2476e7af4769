import { type Fields, numberIn } from './fields.ts';

/** Events tell monotonic times; what joins them to the calendar differs between versions and may come late. */
export interface TraceClock {
  readonly learn: (event: Fields) => void;
  /** Null as long as nothing is known. */
  readonly timeOf: (monotonicMs: number | null) => string | null;
}

export const createTraceClock = (): TraceClock => {
  let offsetMs: number | null = null;
  return {
    learn: (event) => {
      const wallMs = numberIn(event, 'wallTime');
      const monotonicMs = numberIn(event, 'monotonicTime') ?? numberIn(event, 'startTime');
      if (offsetMs === null && wallMs !== null && monotonicMs !== null) offsetMs = wallMs - monotonicMs;
    },
    timeOf: (monotonicMs) => (offsetMs === null || monotonicMs === null ? null : isoTime(offsetMs + monotonicMs)),
  };
};

export const isoTime = (epochMs: number): string | null => {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
};
