const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ROUND = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const STEPS = [
  ...ROUND,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
];

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** At round times, at most as many as there is room for. */
export const ticksOf = (from: number, to: number, most: number): Tick[] => {
  const step = stepOf((to - from) / Math.max(1, most));
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const time = (first + at) * step;
    return { at: time, label: formatOffset(time, step) };
  });
};

const stepOf = (atLeast: number): number => {
  const found = STEPS.find((step) => step >= atLeast);
  if (found !== undefined) return found;
  const magnitude = DAY * 10 ** Math.max(0, Math.floor(Math.log10(atLeast / DAY)));
  return [1, 2, 5, 10].map((times) => times * magnitude).find((step) => step >= atLeast)!;
};

const padded = (value: number, length = 2): string => String(value).padStart(length, '0');

/** `0:05`, `12:30`, `1:02:03`, `3 d 04:00`, and `0:05.250` where the precision asks for it. */
export const formatOffset = (ms: number, precisionMs = SECOND): string => {
  const whole = Math.floor(ms);
  const days = Math.floor(whole / DAY);
  const hours = Math.floor((whole % DAY) / HOUR);
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  const seconds = Math.floor((whole % MINUTE) / SECOND);
  const parts = precisionMs < SECOND ? `.${padded(whole % SECOND, 3)}` : '';
  if (days > 0 && precisionMs >= DAY) return `${days} d`;
  if (days > 0)
    return `${days} d ${padded(hours)}:${padded(minutes)}${precisionMs < MINUTE ? `:${padded(seconds)}${parts}` : ''}`;
  if (hours > 0) return `${hours}:${padded(minutes)}:${padded(seconds)}${parts}`;
  return `${minutes}:${padded(seconds)}${parts}`;
};
