import type { Random } from './random.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type Rhythm = { readonly kind: 'working-hours'; readonly perWeek: number } | { readonly kind: 'nightly' };

/** Start times in [from, until), oldest first. */
export const scheduleRuns = (random: Random, rhythm: Rhythm, from: number, until: number): number[] => {
  const times =
    rhythm.kind === 'nightly' ? nightly(random, from, until) : inWorkingHours(random, rhythm.perWeek, from, until);
  return times.filter((time) => time >= from && time < until);
};

const nightly = (random: Random, from: number, until: number): number[] => {
  const times: number[] = [];
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < until; day += DAY_MS) {
    times.push(day + 2 * HOUR_MS + random.integer(0, 240_000));
  }
  return times;
};

const inWorkingHours = (random: Random, perWeek: number, from: number, until: number): number[] => {
  const times: number[] = [];
  for (let hour = Math.floor(from / HOUR_MS) * HOUR_MS; hour < until; hour += HOUR_MS) {
    const expected = (perWeek * activityAt(hour)) / WEEK_ACTIVITY;
    const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    const starts = Array.from({ length: count }, () => hour + random.integer(0, HOUR_MS - 1));
    times.push(...starts.sort((a, b) => a - b));
  }
  return times;
};

/** Relative to a busy hour, in UTC. */
const activityAt = (time: number): number => {
  const date = new Date(time);
  const hour = date.getUTCHours();
  const weekend = date.getUTCDay() % 6 === 0;
  const base = hour >= 8 && hour < 18 ? 1 : hour >= 6 && hour < 21 ? 0.35 : 0.05;
  return weekend ? base * 0.12 : base;
};

const WEEK_ACTIVITY = Array.from({ length: 7 * 24 }, (_, hour) => activityAt(hour * HOUR_MS)).reduce(
  (a, b) => a + b,
  0,
);
