import { MOST_QUERY_GROUPS, type QueryFigure, type QueryGroupRow, type QueryReply } from '@assay/contract';

export interface Group {
  readonly key: string | null;
  count: number;
  timed: number;
  sumMs: number;
  readonly sketch: Map<number, number>;
}

/** Rows by key. */
export interface Groups {
  /** Null when there are too many. */
  find(key: string | null): Group | null;
  /** A row counts once in all, though it may be in several groups. */
  found: number;
  uncounted: number;
}

export const startGroups = (): Groups & { readonly all: ReadonlyMap<string | null, Group> } => {
  const all = new Map<string | null, Group>();
  return {
    all,
    found: 0,
    uncounted: 0,
    find(key) {
      const known = all.get(key);
      if (known) return known;
      if (all.size >= MOST_QUERY_GROUPS) return null;
      const group = { key, count: 0, timed: 0, sumMs: 0, sketch: new Map<number, number>() };
      all.set(key, group);
      return group;
    },
  };
};

/** Each bucket of durations is so many times as wide as the one before. */
const WIDER = 1.01;
const LOG_WIDER = Math.log(WIDER);
const ZERO = -Infinity;

export const addDuration = (group: Group, ms: number, withQuantiles: boolean): void => {
  group.timed++;
  group.sumMs += ms;
  if (!withQuantiles) return;
  const bucket = ms > 0 ? Math.ceil(Math.log(ms) / LOG_WIDER) : ZERO;
  group.sketch.set(bucket, (group.sketch.get(bucket) ?? 0) + 1);
};

/** The middle of the bucket that has the nearest rank. */
const quantilesOf = ({ sketch, timed }: Group, percents: readonly number[]): (number | null)[] => {
  const buckets = [...sketch].sort(([a], [b]) => a - b);
  return percents.map((percent) => {
    const rank = Math.max(1, Math.ceil((percent / 100) * timed));
    let below = 0;
    for (const [bucket, count] of buckets) {
      below += count;
      if (below >= rank) return bucket === ZERO ? 0 : (2 * WIDER ** bucket) / (WIDER + 1);
    }
    return null;
  });
};

type GroupedReply = Required<Pick<QueryReply, 'groups' | 'found' | 'totalGroups' | 'uncounted'>>;

export const presentGroups = (
  { all, found, uncounted }: ReturnType<typeof startGroups>,
  {
    by,
    figures,
    limit,
  }: { readonly by: string | undefined; readonly figures: ReadonlySet<QueryFigure>; readonly limit: number },
): GroupedReply => {
  const groups = [...all.values()].filter(({ count }) => count > 0);
  const newestFirst = by === 'day';
  groups.sort((a, b) => (newestFirst ? 0 : b.count - a.count) || compareKeys(a.key, b.key) * (newestFirst ? -1 : 1));
  return {
    groups: groups.slice(0, limit).map((group) => presentGroup(group, found, figures)),
    found,
    totalGroups: groups.length,
    uncounted,
  };
};

const presentGroup = (group: Group, found: number, figures: ReadonlySet<QueryFigure>): QueryGroupRow => {
  const { key, count, timed, sumMs } = group;
  const row: QueryGroupRow = { key, count };
  if (figures.has('share')) row.share = count / found;
  if (!figures.has('sum') && !figures.has('quantiles')) return row;
  row.duration = { count: timed, sum: sumMs };
  if (!figures.has('quantiles')) return row;
  const [p50, p90, p99] = quantilesOf(group, [50, 90, 99]);
  row.duration = { ...row.duration, p50: p50!, p90: p90!, p99: p99! };
  return row;
};

/** Texts by code units; what has no key comes last. */
const compareKeys = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;

/** The day in UTC that a time is on. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
