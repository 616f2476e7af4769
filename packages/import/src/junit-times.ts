import { timeOf } from './json.ts';

/**
 * Milliseconds. `1,234.5` has a thousand, as Surefire writes it; `0,5` is a half. So `1,234` alone is a bit more than one: a
 * tool that writes commas for thousands nearly always has a fraction behind them.
 */
export const secondsOf = (text: string | undefined): number | null => {
  if (text === undefined || text.trim() === '') return null;
  const plain = /^[1-9]\d{0,2}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})$/.test(text.trim())
    ? text.replaceAll(',', '')
    : text.replace(',', '.');
  const seconds = Number(plain);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
};

/** Milliseconds since 1970. A time without a zone is UTC, as everywhere in Assay, and not that of whoever reads it. */
export const timestampOf = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  const trimmed = text.trim();
  const hasZone = /(?:z|[+-]\d{2}:?\d{2}|gmt|utc)$/i.test(trimmed);
  return timeOf(/^\d{4}-\d{2}-\d{2}[T ]/i.test(trimmed) && !hasZone ? `${trimmed.replace(' ', 'T')}Z` : trimmed);
};
