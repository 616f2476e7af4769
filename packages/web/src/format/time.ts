const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In the reader's zone and language. */
export const formatExact = (time: Date): string => exact.format(time);

export const formatDay = (time: Date): string => day.format(time);

/** The time of day. */
export const formatClock = (time: Date): string => clock.format(time);

/** `just now`, `5 min ago`, `3 h ago`, `2 d ago`, then the day. */
export const formatRelative = (time: Date, now: Date): string => {
  const ago = now.getTime() - time.getTime();
  if (ago < -MINUTE) return dayAndYear.format(time);
  if (ago < MINUTE) return 'just now';
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`;
  if (ago < DAY) return `${Math.floor(ago / HOUR)} h ago`;
  if (ago < 14 * DAY) return `${Math.floor(ago / DAY)} d ago`;
  return time.getFullYear() === now.getFullYear() ? day.format(time) : dayAndYear.format(time);
};
