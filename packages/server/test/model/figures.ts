import type { SubmittedCase } from '@assay/contract';

/** The rules of the documents, written a second time and in the plainest way. */

export const sumOf = (values: readonly number[]): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.round(sumOf(values) / values.length);

export const smallestOf = (values: readonly number[]): number | null => ascending(values)[0] ?? null;

export const largestOf = (values: readonly number[]): number | null => ascending(values).at(-1) ?? null;

/** Nearest rank: the smallest value that at least nine tenths of the values do not exceed. */
export const p90Of = (values: readonly number[]): number | null => {
  for (const candidate of ascending(values)) {
    const covered = values.filter((value) => value <= candidate).length;
    if (covered * 10 >= values.length * 9) return candidate;
  }
  return null;
};

const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** Ten per cent between the mean of the later half, which has the middle of an odd series, and that of the earlier. */
export const trendOf = (series: readonly number[]): 'faster' | 'slower' | 'stable' => {
  if (series.length < 4) return 'stable';
  const middle = Math.floor(series.length / 2);
  const earlier = series.slice(0, middle);
  const later = series.slice(middle);
  // Over a common denominator, so that the sums stay exact.
  const laterPart = sumOf(later) * earlier.length * 10;
  const earlierPart = sumOf(earlier) * later.length;
  if (laterPart > earlierPart * 11) return 'slower';
  if (laterPart < earlierPart * 9) return 'faster';
  return 'stable';
};

export const isPassed = (status: string): boolean => status === 'passed';
export const isFailed = (status: string): boolean => ['failed', 'timedOut', 'interrupted'].includes(status);
export const isSkipped = (status: string): boolean => status === 'skipped';

export const isFlaky = ({ status, retries }: SubmittedCase): boolean => status === 'passed' && (retries ?? 0) > 0;

interface Timed {
  readonly status?: number | string | null | undefined;
  readonly duration?: number | null | undefined;
}

/** Of results that ran, or of requests. */
export const durationsOf = (timed: readonly Timed[]): number[] =>
  timed.flatMap(({ status, duration }) => (typeof duration === 'number' && status !== 'skipped' ? [duration] : []));

export interface Place {
  readonly filePath: string;
  readonly line: number | null;
  readonly column: number | null;
}

export const placeOf = ({ location }: SubmittedCase): Place => {
  if (location === undefined || location === null) return { filePath: 'unknown', line: null, column: null };
  const parts = location.split('\\').join('/').split(':');
  const numbers: number[] = [];
  while (numbers.length < 2 && parts.length > 1 && /^\d+$/.test(parts.at(-1)!)) numbers.unshift(Number(parts.pop()));
  return { filePath: parts.join(':'), line: numbers[0] ?? null, column: numbers[1] ?? null };
};

export const browserOf = ({ browser }: SubmittedCase): string | null =>
  (typeof browser === 'object' ? browser?.name : browser) ?? null;

/** What is kept of a URL: neither query and fragment nor credentials. */
export const keptUrl = (url: string): string =>
  url
    .split('?')[0]!
    .split('#')[0]!
    .replace(/^([a-z]+:\/\/)[^/]*@/, '$1');

export const routeOf = (url: string): string => {
  const kept = keptUrl(url);
  const match = /^[a-z]+:\/\/[^/]+(\/.*)?$/.exec(kept);
  if (match === null) return kept;
  return (match[1] ?? '/').split('/').map(routeSegment).join('/');
};

const routeSegment = (segment: string): string => {
  const groups = segment.split('-').map((group) => (/^[0-9a-f]+$/i.test(group) ? group.length : 0));
  if (groups.join() === '8,4,4,4,12') return ':uuid';
  if (/^[0-9]+$/.test(segment)) return ':id';
  if (/^[0-9a-f]+$/i.test(segment) && segment.length >= 16) return ':hash';
  const mixed = /^[0-9a-z]+$/i.test(segment) && /[0-9]/.test(segment) && /[a-z]/i.test(segment);
  return mixed && segment.length >= 20 ? ':hash' : segment;
};

const STATIC_TYPES = new Set(['image', 'font', 'stylesheet', 'script']);
const STATIC_ENDINGS = ['.png', '.woff2', '.css', '.js'];

export const isStatic = (resourceType: string | null | undefined, url: string): boolean => {
  if (resourceType) return STATIC_TYPES.has(resourceType);
  return STATIC_ENDINGS.some((ending) => keptUrl(url).endsWith(ending));
};
