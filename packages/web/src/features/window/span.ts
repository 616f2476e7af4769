import type { WindowQuery } from '@assay/contract';

/** `7d` are seven days, `50` the latest 50 runs, `2026-11-01..2026-11-08` the days from one to the other. */
export const CHOICES = ['10', '30', '100', '7d', '30d', '90d'] as const;
export const DEFAULT_CHOICE = '100';
const DAYS = /^(\d{1,3})d$/;
const RUNS = /^\d{1,3}$/;
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;
/** As many as every read takes. */
const MOST_RUNS = 100;

/** All runs there are: only pages of one test can tell of so many. */
export const ALL_TIME = 'all';

/** What the address says of the days: a choice that was offered, or days of the reader's own. */
export interface Span {
  readonly text: string;
  readonly words: string;
  readonly query: Omit<WindowQuery, 'branch'> & { readonly runs?: number };
}

/** Days begin at midnight where the reader is. Anything that is no span counts as the fallback. */
export const readSpan = (text: string, now: Date, fallback: string = DEFAULT_CHOICE): Span => {
  if (text === ALL_TIME && fallback === ALL_TIME) return { text, words: 'all time', query: {} };
  const days = Number(DAYS.exec(text)?.[1] ?? 0);
  if (days > 0) {
    return {
      text,
      words: `last ${days} days`,
      query: { since: midnight(now.getFullYear(), now.getMonth(), now.getDate() - days + 1) },
    };
  }
  const [, from, to] = RANGE.exec(text) ?? [];
  const first = from && to ? dayOf(from, 0) : null;
  const end = from && to ? dayOf(to, 1) : null;
  if (first !== null && end !== null && first < end) {
    return { text, words: from === to ? from! : `${from} to ${to}`, query: { since: first, until: end } };
  }
  const runs = RUNS.test(text) ? Math.min(Number(text), MOST_RUNS) : 0;
  if (runs === 0) return readSpan(fallback, now, fallback);
  return { text: String(runs), words: `latest ${runs} runs`, query: { runs } };
};

const midnight = (year: number, month: number, day: number): string => new Date(year, month, day).toISOString();

/** The first moment of a day, or of so many days after it; null for a day that does not exist. */
const dayOf = (text: string, after: number): string | null => {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? midnight(year, month - 1, day + after) : null;
};
