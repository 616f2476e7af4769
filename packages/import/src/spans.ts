/** When something happened, as far as it is known. */
export interface Span {
  readonly startMs: number | null;
  readonly durationMs: number | null;
}

/** Exact, and longer than anything that ran. */
const LONGEST_MS = Number.MAX_SAFE_INTEGER;

/** To the microsecond; what cannot be a duration is none. */
export const durationOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= LONGEST_MS ? Math.round(value * 1000) / 1000 : null;

export const emptySpan: Span = { startMs: null, durationMs: null };

/** From the earliest start to the latest end; without starts the durations follow each other. */
export const joinSpans = (one: Span, other: Span): Span => {
  if (one.startMs === null || other.startMs === null) {
    const startMs = one.startMs ?? other.startMs;
    if (one.durationMs === null || other.durationMs === null) {
      return { startMs, durationMs: one.durationMs ?? other.durationMs };
    }
    const durationMs =
      startMs === null ? one.durationMs + other.durationMs : Math.max(one.durationMs, other.durationMs);
    return { startMs, durationMs };
  }
  const startMs = Math.min(one.startMs, other.startMs);
  const endMs = Math.max(one.startMs + (one.durationMs ?? 0), other.startMs + (other.durationMs ?? 0));
  return { startMs, durationMs: one.durationMs === null && other.durationMs === null ? null : endMs - startMs };
};
