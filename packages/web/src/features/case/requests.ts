import type { SubmittedRequest } from '@assay/contract';
import type { Sort } from '../../sort-address.ts';
import { durationOf, timeOf } from './reading.ts';

export const REQUEST_COLUMNS = ['time', 'method', 'address', 'type', 'status', 'duration'] as const;
export type RequestColumn = (typeof REQUEST_COLUMNS)[number];

export interface LaidRequest {
  readonly key: number;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly url: string;
  /** In words: a number, or why there is none. */
  readonly status: string;
  readonly statusNumber: number | null;
  readonly failed: boolean;
  readonly type: string;
  readonly durationMs: number | null;
  /** Of the whole time, from 0 to 1; from 0 when the times are not known. */
  readonly from: number;
  readonly share: number;
  /** Of the longest duration. */
  readonly length: number;
}

/** A status of 400 and above, or none at all: 0 stands for a request that was never answered. */
export const isFailed = (status: number | null | undefined): boolean => status === 0 || (status ?? 0) >= 400;

export const layOutRequests = (requests: readonly SubmittedRequest[]): LaidRequest[] => {
  const starts = requests.map(({ startTime }) => timeOf(startTime));
  const placed = starts.every((start) => start !== null);
  const firstMs = placed ? starts.reduce((low, start) => Math.min(low, start), Infinity) : 0;
  const offsets = starts.map((start) => (placed && start !== null ? start - firstMs : 0));
  const ends = requests.map(({ duration }, at) => offsets[at]! + (durationOf(duration) ?? 0));
  const wholeMs = ends.reduce((high, end) => Math.max(high, end), 0) || 1;
  const longestMs = requests.reduce((most, { duration }) => Math.max(most, durationOf(duration) ?? 0), 0) || 1;
  return requests.map(({ method, url, status, resourceType, duration }, key) => ({
    key,
    method,
    ...splitUrl(url),
    url,
    status: status === 0 ? 'No answer' : String(status ?? '–'),
    statusNumber: status ?? null,
    failed: isFailed(status),
    type: resourceType ?? '–',
    durationMs: durationOf(duration),
    from: offsets[key]! / wholeMs,
    share: (durationOf(duration) ?? 0) / wholeMs,
    length: (durationOf(duration) ?? 0) / longestMs,
  }));
};

/** The path is what one reads; the host is mostly the same. */
export const splitUrl = (url: string): { host: string; path: string } => {
  const parsed = URL.parse(url);
  if (!parsed || parsed.host === '') return { host: '', path: url };
  const host = `${parsed.protocol}//${parsed.host}`;
  return { host, path: url.startsWith(host) ? url.slice(host.length) || '/' : parsed.pathname + parsed.search };
};

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Times, names and addresses from the first on, statuses and durations from the worst. */
const ORDERS: Record<RequestColumn, (a: LaidRequest, b: LaidRequest) => number> = {
  time: (a, b) => a.from - b.from,
  method: (a, b) => compareTexts(a.method, b.method),
  address: (a, b) => compareTexts(a.path, b.path),
  type: (a, b) => compareTexts(a.type, b.type),
  status: (a, b) => Number(b.failed) - Number(a.failed) || (b.statusNumber ?? -1) - (a.statusNumber ?? -1),
  duration: (a, b) => (b.durationMs ?? -1) - (a.durationMs ?? -1),
};

export const sortRequests = (
  requests: readonly LaidRequest[],
  { column, reversed }: Sort<RequestColumn>,
): LaidRequest[] => {
  const order = ORDERS[column];
  return requests.toSorted((a, b) => (reversed ? order(b, a) : order(a, b)) || a.key - b.key);
};
