import type { RequestGroup } from '@assay/contract';
import type { Sort } from '../../sort-address.ts';

export const GROUP_COLUMNS = ['method', 'route', 'count', 'average', 'p90', 'maximum', 'errors'] as const;
export type GroupColumn = (typeof GROUP_COLUMNS)[number];

/** Texts begin with the first letter, figures with the largest. */
export const isText = (column: GroupColumn): boolean => column === 'method' || column === 'route';

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const figure =
  (read: (group: RequestGroup) => number | null) =>
  (a: RequestGroup, b: RequestGroup): number =>
    (read(b) ?? -1) - (read(a) ?? -1);

const ORDERS: Record<GroupColumn, (a: RequestGroup, b: RequestGroup) => number> = {
  method: (a, b) => compareTexts(a.method, b.method),
  route: (a, b) => compareTexts(a.route, b.route),
  count: figure(({ count }) => count),
  average: figure(({ avgDuration }) => avgDuration),
  p90: figure(({ p90Duration }) => p90Duration),
  maximum: figure(({ maxDuration }) => maxDuration),
  errors: figure(({ errorRate }) => errorRate),
};

export const sortGroups = (
  groups: readonly RequestGroup[],
  { column, reversed }: Sort<GroupColumn>,
): RequestGroup[] => {
  const order = ORDERS[column];
  return groups.toSorted((a, b) => (reversed ? order(b, a) : order(a, b)) || compareTexts(nameOf(a), nameOf(b)));
};

/** Those whose method and route have every word. */
export const findGroups = (groups: readonly RequestGroup[], search: string): readonly RequestGroup[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups.filter((group) => {
    const text = nameOf(group).toLowerCase();
    return words.every((word) => text.includes(word));
  });
};

/** What a group is called in the address. */
export const nameOf = ({ method, route }: RequestGroup): string => `${method} ${route}`;

export interface RequestTotals {
  readonly requests: number;
  readonly failed: number;
  readonly slowestP90: number;
}

/** The share of failures of a group is rounded to whole per cents, and so is their number here. */
export const totalsOf = (groups: readonly RequestGroup[]): RequestTotals =>
  groups.reduce(
    ({ requests, failed, slowestP90 }, { count, errorRate, avgDuration, p90Duration }) => ({
      requests: requests + count,
      failed: failed + Math.round((count * errorRate) / 100),
      slowestP90: Math.max(slowestP90, p90Duration ?? 0, avgDuration ?? 0),
    }),
    { requests: 0, failed: 0, slowestP90: 0 },
  );
