/** When something happened, as far as it is known. */
export interface Span {
  readonly startMs: number | null;
  readonly durationMs: number | null;
}

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
