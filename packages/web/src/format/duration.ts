const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `840 ms`, `2.4 s`, `3 m 05 s`, `1 h 12 m`; a dash when there is none. */
export const formatDuration = (ms: number | null | undefined): string => {
  if (ms === null || ms === undefined) return '–';
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < MINUTE - SECOND / 2) return `${Math.round(ms / SECOND)} s`;
  if (ms < HOUR - MINUTE / 2) {
    const seconds = Math.round(ms / SECOND);
    return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
  }
  const minutes = Math.round(ms / MINUTE);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
};
